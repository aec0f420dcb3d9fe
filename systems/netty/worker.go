package netty

import (
	"time"

	"timerlab/schemes"
	"timerlab/systems/internal/engine"
)

// work runs until the facility is closed.
func (f *Facility) work() {
	for f.run() && f.sleep() {
		f.remove()
		f.move()
		f.turn()
	}
	f.drain()
}

// sleep waits for the next tick's end. False: the facility is closed.
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

// remove takes stopped timers out of the wheel. Those that have not been moved into it never
// are.
func (f *Facility) remove() {
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

func (f *Facility) release(e *entry) {
	f.entries[e.id] = nil
	f.free = append(f.free, e.id)
	e.handle = 0
}

// move puts new timers into the wheel, at most so many.
func (f *Facility) move() {
	f.backlog = f.starts.take(f.backlog)
	moved := 0
	for moved < min(len(f.backlog), MostMoved) && f.enter(f.backlog[moved]) {
		moved++
	}
	left := copy(f.backlog, f.backlog[moved:])
	clear(f.backlog[left:])
	f.backlog = f.backlog[:left]
}

// enter puts one timer into the wheel, unless it was stopped. False: the wheel is full, and
// the timer must wait for another tick.
func (f *Facility) enter(e *entry) bool {
	if e.state.Load() != waiting {
		return true
	}
	due := schemes.Tick((e.deadline + f.Tick - 1) / f.Tick)
	if e.deadline > 1<<63-1-f.Tick { // 292 years
		due = schemes.Tick(e.deadline / f.Tick)
	}
	interval := schemes.Tick(1)
	if due > f.now {
		interval = due - f.now
	}
	id := uint32(len(f.entries))
	if k := len(f.free); k > 0 {
		id = f.free[k-1]
	}
	h, err := f.wheel.Start(interval, schemes.ID(id))
	if err != nil {
		return false
	}
	if k := len(f.free); k > 0 {
		f.free = f.free[:k-1]
		f.entries[id] = e
	} else {
		f.entries = append(f.entries, e)
	}
	e.handle, e.id = h, id
	return true
}

// turn makes a tick.
func (f *Facility) turn() {
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

// run runs what is due. False: the facility is closed.
func (f *Facility) run() bool {
	for f.at < len(f.due) {
		if f.closed.Load() {
			return false
		}
		e := f.due[f.at]
		f.due[f.at] = nil // it can be collected
		f.at++
		if !e.become(begun) {
			continue
		}
		f.pending.Add(-1)
		f.running.Add(1)
		if f.Execute == nil {
			f.finish(e.action)
		} else {
			f.Execute(func() { f.finish(e.action) })
		}
	}
	return true
}

func (f *Facility) finish(action func()) {
	defer f.running.Done()
	engine.Guard(action, f.Panic)
}

// drain drops all that waits.
func (f *Facility) drain() {
	f.backlog = f.starts.take(f.backlog)
	for _, list := range [][]*entry{f.entries, f.backlog, f.due[f.at:]} {
		for _, e := range list {
			if e != nil && e.become(dropped) {
				f.unexpired++
			}
		}
	}
}

// Close implements systems.Facility.
func (f *Facility) Close() (unexpired int) {
	f.closing.Lock()
	first := f.closed.CompareAndSwap(false, true)
	f.closing.Unlock()
	if first {
		close(f.wake)
	}
	f.started.Do(func() {}) // who starts a timer now drops it
	f.worker.Wait()
	f.running.Wait()
	if !first {
		return 0
	}
	return f.unexpired
}

// Wakeups implements systems.Waker.
func (f *Facility) Wakeups() uint64 { return f.wakeups.Load() }
