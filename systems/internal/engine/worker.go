package engine

import (
	"fmt"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Single is a facility with one worker, which takes what is due and runs it or hands it to
// an executor. It implements systems.Facility.
type Single struct {
	systems.Options
	engine   *Engine
	stepping bool
	worker   sync.WaitGroup
	running  sync.WaitGroup // actions
	batch    []func()       // taken; those from at on have not begun
	at       int
	dropped  int // of the batch, when the facility was closed
}

// Mode is how a facility with one worker differs from another one.
type Mode struct {
	Stepping bool // the worker wakes for every tick, not only when something is to be done
	Lazy     bool // stopped timers stay in the scheme until they would have been due

	// Held is told, under the lock, how long that was held. nil: nobody asks.
	Held func(by Operation, held time.Duration)
}

// Make makes a scheme, and NewSingle of it.
func Make(info *schemes.Info, cfg schemes.Config, o systems.Options, m Mode) (*Single, error) {
	s, err := info.New(cfg)
	if err != nil {
		return nil, err
	}
	return NewSingle(s.(Scheme), o, m)
}

// NewSingle starts a worker. A tick of 0 or less is an error wrapping schemes.ErrConfig.
func NewSingle(s Scheme, o systems.Options, m Mode) (*Single, error) {
	if o.Tick <= 0 {
		return nil, fmt.Errorf("%w: Tick = %v, allowed above 0", schemes.ErrConfig, o.Tick)
	}
	f := &Single{Options: o, engine: New(s, time.Now(), o.Tick, m.Lazy), stepping: m.Stepping}
	f.engine.held = m.Held
	f.worker.Add(1)
	Keep(f.work, f.worker.Done)
	return f, nil
}

// AfterFunc implements systems.Facility.
func (f *Single) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	t, err := f.engine.AfterFunc(d, action)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Wakeups implements systems.Waker.
func (f *Single) Wakeups() uint64 { return f.engine.Wakeups() }

// Keep runs work on a goroutine, and done when it has returned. If an action ends that
// goroutine (runtime.Goexit), work goes on on another one.
func Keep(work, done func()) {
	go func() {
		returned := false
		defer func() {
			if returned {
				done()
			} else {
				Keep(work, done)
			}
		}()
		work()
		returned = true
	}()
}

// work runs until the facility is closed.
func (f *Single) work() {
	for f.turn() {
	}
}

// turn runs what is left of a batch, then takes another one. False: the facility is closed.
func (f *Single) turn() (ok bool) {
	for f.at < len(f.batch) {
		if f.engine.Closed() {
			f.dropped = len(f.batch) - f.at
			return false
		}
		action := f.batch[f.at]
		f.batch[f.at] = nil // it can be collected
		f.at++
		f.running.Add(1)
		if f.Execute == nil {
			f.run(action)
		} else {
			f.Execute(func() { f.run(action) })
		}
	}
	f.at = 0
	f.batch, ok = f.engine.Take(f.batch[:0], f.stepping)
	return ok
}

// run runs an action to its end, whatever that is.
func (f *Single) run(action func()) {
	defer f.running.Done()
	Guard(action, f.Panic)
}

// Guard runs an action, and hands its panic to a handler, if there is one.
func Guard(action func(), handler func(any)) {
	if handler != nil {
		defer func() {
			if v := recover(); v != nil {
				handler(v)
			}
		}()
	}
	action()
}

// Close implements systems.Facility.
func (f *Single) Close() (unexpired int) {
	unexpired, first := f.engine.Close()
	f.worker.Wait()
	f.running.Wait()
	if !first {
		return 0
	}
	return unexpired + f.dropped
}

// Held returns the timers in the scheme: those that wait, and those stopped lazily.
func (f *Single) Held() int { return f.engine.Held() }

// Hold runs a function while nobody else has the facility's lock.
func (f *Single) Hold(do func()) { f.engine.Hold(do) }
