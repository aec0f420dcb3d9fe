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
	wheel       wheel // a timer's ID is its number
	outstanding map[uint64]timer
	ended       func(Life)
}

type wheel interface {
	schemes.Scheme
	schemes.Advancer
}

// timer is an outstanding timer.
type timer struct {
	handle          schemes.Handle
	start, interval schemes.Tick
}

// newFollower returns a follower at tick 0 that calls ended with each lifetime that ends.
func newFollower(ended func(Life)) (*follower, error) {
	s, err := hierarchical.Info.New(schemes.Config{Levels: []int{256, 256, 256, 256, 256, 256, 256, 256}})
	if err != nil {
		return nil, err
	}
	return &follower{wheel: s.(wheel), outstanding: map[uint64]timer{}, ended: ended}, nil
}

// apply advances to a tick and applies an operation. An error says why it is impossible.
func (f *follower) apply(tick schemes.Tick, kind workload.Kind, number uint64, interval schemes.Tick) error {
	if err := f.advance(tick); err != nil {
		return err
	}
	old, alive := f.outstanding[number]
	switch {
	case alive && kind == workload.Start:
		return fmt.Errorf("start of timer %d, which is outstanding", number)
	case !alive && kind != workload.Start:
		return fmt.Errorf("%v of timer %d, which is not outstanding", kind, number)
	case kind == workload.Stop:
		f.end(number, workload.Stopped)
		f.wheel.Stop(old.handle)
		return nil
	}
	h, err := f.wheel.Start(interval, schemes.ID(number))
	if err != nil {
		return fmt.Errorf("invalid interval %d (expected 1 to %d)", interval, uint64(math.MaxUint64-f.now))
	}
	if alive {
		f.end(number, workload.Restarted)
		f.wheel.Stop(old.handle)
	}
	f.outstanding[number] = timer{h, f.now, interval}
	return nil
}

// advance advances to a tick.
func (f *follower) advance(to schemes.Tick) error {
	if to < f.now {
		return fmt.Errorf("tick %d after tick %d: time goes backwards", to, f.now)
	}
	for f.now < to {
		passed, due := f.wheel.Advance(to - f.now)
		if passed == 0 {
			return errors.New("the tick is beyond the end of the clock")
		}
		f.now += passed
		if due > 0 {
			f.wheel.Expire(func(id schemes.ID) { f.end(uint64(id), workload.Expired) })
		}
	}
	return nil
}

// end ends the lifetime of an outstanding timer.
func (f *follower) end(number uint64, fate workload.Fate) {
	t := f.outstanding[number]
	delete(f.outstanding, number)
	f.ended(Life{t.start, t.interval, f.now - t.start, fate})
}
