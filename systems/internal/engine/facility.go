package engine

import (
	"fmt"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/systems"
)

// Facility is an engine with workers that run the actions. It implements systems.Facility.
//
// Of several workers one leads: it waits until timers are due, takes one action, lets another
// worker lead, and runs the action.
type Facility struct {
	engine  *Engine
	options systems.Options
	lead    chan struct{} // full while a worker leads; nil if there is only one
	workers sync.WaitGroup
	running sync.WaitGroup // actions

	// The leader's.
	batch []func() // of one tick
	at    int      // index of the first action in batch that has not begun
}

// Open makes a scheme and starts a facility with it. It returns an error wrapping
// schemes.ErrConfig if the tick is not positive, or if the scheme is not exact or lacks what
// an engine requires.
func Open(info *schemes.Info, cfg schemes.Config, o systems.Options, m Mode) (*Facility, error) {
	s, err := info.New(cfg)
	if err != nil {
		return nil, err
	}
	exact, ok := s.(Scheme)
	if _, rounds := s.(schemes.Bounder); !ok || rounds {
		return nil, fmt.Errorf("%w: scheme %s (must be exact)", schemes.ErrConfig, info.Name)
	}
	if o.Tick <= 0 {
		return nil, fmt.Errorf("%w: Tick %v (must be above 0)", schemes.ErrConfig, o.Tick)
	}
	f := &Facility{engine: New(exact, time.Now(), o.Tick, m), options: o}
	workers := max(m.Workers, 1)
	if workers > 1 {
		// A channel is a mutex on which a fake clock (testing/synctest) can wait.
		f.lead = make(chan struct{}, 1)
	}
	f.workers.Add(workers)
	for range workers {
		RunForever(f.work, f.workers.Done)
	}
	return f, nil
}

// AfterFunc implements systems.Facility.
func (f *Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	return f.engine.AfterFunc(d, action)
}

// Wakeups implements systems.Waker.
func (f *Facility) Wakeups() uint64 { return f.engine.Wakeups() }

// Stored returns the number of timers in the scheme, those stopped lazily included.
func (f *Facility) Stored() int { return f.engine.Stored() }

// WithLock calls do while it holds the facility's lock.
func (f *Facility) WithLock(do func()) { f.engine.WithLock(do) }

// RunForever calls work on a new goroutine, and done after work has returned. If an action ends
// the goroutine (runtime.Goexit), it calls work on another one.
func RunForever(work, done func()) {
	go func() {
		returned := false
		defer func() {
			if returned {
				done()
			} else {
				RunForever(work, done)
			}
		}()
		work()
		returned = true
	}()
}

// work runs actions until the facility is closed.
func (f *Facility) work() {
	for {
		action, ok := f.next()
		if !ok {
			return
		}
		Execute(action, f.options, &f.running)
	}
}

// next waits for an action. It returns false once the facility is closed.
func (f *Facility) next() (action func(), ok bool) {
	if f.lead != nil {
		f.lead <- struct{}{}
		defer func() { <-f.lead }()
	}
	if f.engine.Closed() {
		return nil, false
	}
	if f.at == len(f.batch) {
		f.at = 0
		if f.batch, ok = f.engine.Take(); !ok {
			return nil, false
		}
	}
	action = f.batch[f.at]
	f.batch[f.at] = nil // for the garbage collector
	f.at++
	return action, true
}

// Execute runs an action by o.Execute, or at once if that is nil. The action counts as running
// until it ends.
func Execute(action func(), o systems.Options, running *sync.WaitGroup) {
	running.Add(1)
	if o.Execute == nil {
		finish(action, o.Panic, running)
	} else {
		o.Execute(func() { finish(action, o.Panic, running) })
	}
}

func finish(action func(), handler func(any), running *sync.WaitGroup) {
	defer running.Done()
	Guard(action, handler)
}

// Guard runs an action. If handler is not nil, it is called with the value of a panic.
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
func (f *Facility) Close() (unexpired int) {
	unexpired, first := f.engine.Close()
	f.workers.Wait()
	f.running.Wait()
	if !first {
		return 0
	}
	return unexpired + len(f.batch) - f.at
}
