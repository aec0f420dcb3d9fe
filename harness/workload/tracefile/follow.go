package tracefile

import (
	"errors"
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// follower knows which timers of a trace are outstanding: it runs them on a wheel.
// O(n) memory.
type follower struct {
	now   schemes.Tick
	wheel interface {
		schemes.Scheme
		schemes.Advancer
	}
	alive map[uint64]*alive // by the trace's number
	ids   []*alive          // by the wheel's
	free  []schemes.ID
	ended func(Life)
}

// alive is a timer outstanding.
type alive struct {
	timer    uint64
	id       schemes.ID
	handle   schemes.Handle
	start    schemes.Tick
	interval schemes.Tick
}

// errEnd is about a tick to which the clock does not get.
var errEnd = errors.New("beyond the end of the clock")

// newFollower returns one at tick 0, that tells of the lives that end.
func newFollower(ended func(Life)) (*follower, error) {
	s, err := hierarchical.Info.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		return nil, err
	}
	f := &follower{alive: map[uint64]*alive{}, ended: ended}
	f.wheel = s.(interface {
		schemes.Scheme
		schemes.Advancer
	})
	return f, nil
}

// advance lets the time pass until a tick, which is not before the present one.
func (f *follower) advance(to schemes.Tick) error {
	for f.now < to {
		passed, due := f.wheel.Advance(to - f.now)
		if passed == 0 {
			return errEnd
		}
		f.now += passed
		if due > 0 {
			f.wheel.Expire(func(id schemes.ID) { f.over(f.ids[id], Expired) })
		}
	}
	return nil
}

// start starts a timer, which is not outstanding.
func (f *follower) start(timer uint64, interval schemes.Tick) error {
	id := schemes.ID(len(f.ids))
	if k := len(f.free) - 1; k >= 0 {
		id = f.free[k]
	}
	a := &alive{timer: timer, id: id}
	if err := f.run(a, interval); err != nil {
		return err
	}
	if k := len(f.free) - 1; k >= 0 {
		f.free, f.ids[id] = f.free[:k], a
	} else {
		f.ids = append(f.ids, a)
	}
	f.alive[timer] = a
	return nil
}

// run starts a timer on the wheel.
func (f *follower) run(a *alive, interval schemes.Tick) error {
	h, err := f.wheel.Start(interval, a.id)
	if err != nil {
		return fmt.Errorf("interval %d, allowed 1 to %d", interval, uint64(math.MaxUint64-f.now))
	}
	a.handle, a.start, a.interval = h, f.now, interval
	return nil
}

// restart starts a timer anew that is outstanding.
func (f *follower) restart(a *alive, interval schemes.Tick) error {
	old := *a
	if err := f.run(a, interval); err != nil {
		return err
	}
	f.wheel.Stop(old.handle)
	f.ended(Life{old.start, old.interval, f.now - old.start, Restarted})
	return nil
}

// stop stops a timer that is outstanding.
func (f *follower) stop(a *alive) {
	f.wheel.Stop(a.handle)
	f.over(a, Stopped)
}

// over ends a timer.
func (f *follower) over(a *alive, fate Fate) {
	delete(f.alive, a.timer)
	f.ids[a.id] = nil
	f.free = append(f.free, a.id)
	f.ended(Life{a.start, a.interval, f.now - a.start, fate})
}
