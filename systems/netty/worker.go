package netty

import (
	"slices"
	"time"

	"timerlab/schemes"
	"timerlab/systems/internal/engine"
)

// work is the worker: it passes ticks until the facility is closed.
func (f *Facility) work() {
	for f.runDue() && f.sleep() {
		f.removeStopped()
		f.moveStarted()
		f.tick()
	}
	f.drop()
}

// sleep waits for the end of the next tick. It returns false once the facility is closed.
func (f *Facility) sleep() bool {
	if wait := time.Duration(f.now+1)*f.Tick - time.Since(f.began); wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-f.wake:
		}
		f.wakeups.Add(1)
	}
	return !f.closed.Load()
}

// removeStopped removes stopped timers from the wheel. Those not yet moved into it never are.
func (f *Facility) removeStopped() {
	f.removed = f.stops.take(f.removed[:0])
	for _, e := range f.removed {
		if e.handle != 0 && f.wheel.Stop(e.handle) {
			f.entries.Release(e.id)
		}
	}
	f.pending.Add(-int64(len(f.removed)))
	clear(f.removed)
}

// moveStarted moves up to MostMoved new timers into the wheel, until it is full.
func (f *Facility) moveStarted() {
	f.backlog = f.starts.take(f.backlog)
	moved := 0
	for moved < min(len(f.backlog), MostMoved) && f.enter(f.backlog[moved]) {
		moved++
	}
	left := copy(f.backlog, f.backlog[moved:])
	clear(f.backlog[left:])
	f.backlog = f.backlog[:left]
}

// enter puts an entry into the wheel, unless it was stopped. It returns false if the wheel is
// full; the entry must then wait for another tick.
func (f *Facility) enter(e *entry) bool {
	if e.state.Load() != waiting {
		return true
	}
	e.id = f.entries.Take(e)
	h, err := f.wheel.Start(engine.Interval(e.deadline, f.Tick, f.now), schemes.ID(e.id))
	if err != nil {
		f.entries.Release(e.id)
		return false
	}
	e.handle = h
	return true
}

// tick passes one tick and collects what is due.
func (f *Facility) tick() {
	f.now++
	if f.wheel.PerTick() > 0 {
		f.due, f.at = f.due[:0], 0
		f.wheel.Expire(func(id schemes.ID) {
			f.due = append(f.due, f.entries.Release(uint32(id)))
		})
	}
}

// runDue runs what is due. It returns false once the facility is closed.
func (f *Facility) runDue() bool {
	for f.at < len(f.due) {
		if f.closed.Load() {
			return false
		}
		e := f.due[f.at]
		f.due[f.at] = nil // for the garbage collector
		f.at++
		if !e.become(begun) {
			continue
		}
		f.pending.Add(-1)
		engine.Execute(e.action, f.Options.Options, &f.running)
	}
	return true
}

// drop drops and counts all waiting entries.
func (f *Facility) drop() {
	f.backlog = f.starts.take(f.backlog)
	waits := slices.Concat(slices.Collect(f.entries.All()), f.backlog, f.due[f.at:])
	for _, e := range waits {
		if e != nil && e.become(dropped) {
			f.unexpired++
		}
	}
}
