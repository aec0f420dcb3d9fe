package netty

import (
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
		if e.handle != 0 {
			f.wheel.Stop(e.handle)
			f.release(e)
		}
	}
	f.pending.Add(-int64(len(f.removed)))
	clear(f.removed)
}

// release frees the ID of an entry that has left the wheel.
func (f *Facility) release(e *entry) {
	f.entries[e.id] = nil
	f.free = append(f.free, e.id)
	e.handle = 0
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
	if len(f.free) == 0 {
		f.free = append(f.free, uint32(len(f.entries)))
		f.entries = append(f.entries, nil)
	}
	last := len(f.free) - 1
	id := f.free[last]
	h, err := f.wheel.Start(engine.Interval(e.deadline, f.Tick, f.now), schemes.ID(id))
	if err != nil {
		return false
	}
	f.free = f.free[:last]
	f.entries[id] = e
	e.handle, e.id = h, id
	return true
}

// tick passes one tick and collects what is due.
func (f *Facility) tick() {
	f.now++
	if f.wheel.PerTick() > 0 {
		f.due, f.at = f.due[:0], 0
		f.wheel.Expire(func(id schemes.ID) {
			e := f.entries[id]
			f.release(e)
			f.due = append(f.due, e)
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
	for _, list := range [][]*entry{f.entries, f.backlog, f.due[f.at:]} {
		for _, e := range list {
			if e != nil && e.become(dropped) {
				f.unexpired++
			}
		}
	}
}
