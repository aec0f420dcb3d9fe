package tracefile

import (
	"errors"
	"fmt"
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// follower keeps the outstanding timers of a trace on a wheel, which finds the
// expiries. O(n) memory.
type follower struct {
	now         schemes.Tick
	wheel       wheel
	outstanding map[uint64]*timer // by the trace's number
	ids         []*timer          // by the wheel's
	free        []schemes.ID
	ended       func(Life)
}

type wheel interface {
	schemes.Scheme
	schemes.Advancer
}

// timer is an outstanding timer.
type timer struct {
	number   uint64
	id       schemes.ID
	handle   schemes.Handle
	start    schemes.Tick
	interval schemes.Tick
}

// errEnd is about a tick that the clock cannot reach.
var errEnd = errors.New("beyond the end of the clock")

// newFollower returns a follower at tick 0 that calls ended with each lifetime that ends.
func newFollower(ended func(Life)) (*follower, error) {
	s, err := hierarchical.Info.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		return nil, err
	}
	return &follower{wheel: s.(wheel), outstanding: map[uint64]*timer{}, ended: ended}, nil
}

// advance advances to a tick, which must not be before the current one.
func (f *follower) advance(to schemes.Tick) error {
	for f.now < to {
		passed, due := f.wheel.Advance(to - f.now)
		if passed == 0 {
			return errEnd
		}
		f.now += passed
		if due > 0 {
			f.wheel.Expire(func(id schemes.ID) { f.end(f.ids[id], workload.Expired) })
		}
	}
	return nil
}

// start starts a timer that is not outstanding.
func (f *follower) start(number uint64, interval schemes.Tick) error {
	t := &timer{number: number, id: schemes.ID(len(f.ids))}
	last := len(f.free) - 1
	if last >= 0 {
		t.id = f.free[last]
	}
	if err := f.begin(t, interval); err != nil {
		return err
	}
	if last >= 0 {
		f.free, f.ids[t.id] = f.free[:last], t
	} else {
		f.ids = append(f.ids, t)
	}
	f.outstanding[number] = t
	return nil
}

// begin starts a timer on the wheel.
func (f *follower) begin(t *timer, interval schemes.Tick) error {
	h, err := f.wheel.Start(interval, t.id)
	if err != nil {
		return fmt.Errorf("invalid interval %d (expected 1 to %d)", interval, uint64(math.MaxUint64-f.now))
	}
	t.handle, t.start, t.interval = h, f.now, interval
	return nil
}

// restart restarts an outstanding timer.
func (f *follower) restart(t *timer, interval schemes.Tick) error {
	old := *t
	if err := f.begin(t, interval); err != nil {
		return err
	}
	f.wheel.Stop(old.handle)
	f.ended(Life{old.start, old.interval, f.now - old.start, workload.Restarted})
	return nil
}

// stop stops an outstanding timer.
func (f *follower) stop(t *timer) {
	f.wheel.Stop(t.handle)
	f.end(t, workload.Stopped)
}

func (f *follower) end(t *timer, fate workload.Fate) {
	delete(f.outstanding, t.number)
	f.ids[t.id] = nil
	f.free = append(f.free, t.id)
	f.ended(Life{t.start, t.interval, f.now - t.start, fate})
}
