package facilitytest

import (
	"cmp"
	"fmt"
	"slices"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// durations are met exactly: no action early, none later than a tick.
func durations(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		tick := max(k.Tick, time.Millisecond)
		for _, d := range []time.Duration{0, -time.Hour, 1, tick - 1, tick, tick + 1, 5 * tick, 20*tick - 1, 20 * tick, 400*tick + 1, time.Second, time.Hour} {
			var l log
			time.Sleep(tick/3 + 1) // starts between ticks
			began := time.Now()
			if _, err := f.AfterFunc(d, func() { l.add("it") }); err != nil {
				return err
			}
			time.Sleep(max(d, 0) + 3*tick)
			synctest.Wait()
			if err := l.want("it", 1); err != nil {
				return fmt.Errorf("AfterFunc(%v): %w", d, err)
			}
			if late := l.all()[0].at.Sub(began) - max(d, 0); late < 0 || late > k.Tick {
				return fmt.Errorf("AfterFunc(%v) ran %v after its time, allowed 0 to %v", d, late, k.Tick)
			}
		}
		return nil
	})
}

// order is that of the deadlines, where these are more than a tick apart.
func order(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		tick := max(k.Tick, time.Millisecond)
		const n = 200
		for i := range n {
			rank := i * 77 % n // 77 and 200 have no factor in common
			if _, err := f.AfterFunc(time.Duration(2*rank+1)*tick, func() { l.add(fmt.Sprintf("%03d", rank)) }); err != nil {
				return err
			}
		}
		time.Sleep(2 * (n + 2) * tick)
		synctest.Wait()
		runs := l.all()
		if len(runs) != n {
			return fmt.Errorf("%d ran, want %d", len(runs), n)
		}
		if !slices.IsSortedFunc(runs, func(a, b run) int { return cmp.Compare(a.name, b.name) }) {
			return fmt.Errorf("not in the order of their deadlines: %v", runs)
		}
		return nil
	})
}

// centuries are durations like others.
func centuries(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		t, err := f.AfterFunc(1<<63-1, func() { l.add("far") })
		if err != nil {
			return err
		}
		if _, err := f.AfterFunc(time.Hour, func() { l.add("near") }); err != nil {
			return err
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if !t.Stop() {
			return fmt.Errorf("Stop of a timer of 292 years is false")
		}
		return cmp.Or(l.want("far", 0), l.want("near", 1))
	})
}
