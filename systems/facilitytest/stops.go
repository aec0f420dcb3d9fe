package facilitytest

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// stop keeps what waits from running, once.
func stop(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		t, err := f.AfterFunc(10*time.Second, func() { l.add("stopped") })
		if err != nil {
			return err
		}
		u, err := f.AfterFunc(10*time.Second, func() { l.add("run") })
		if err != nil {
			return err
		}
		time.Sleep(5 * time.Second)
		if !t.Stop() {
			return fmt.Errorf("Stop before the time is false")
		}
		if t.Stop() {
			return fmt.Errorf("a second Stop is true")
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if u.Stop() {
			return fmt.Errorf("Stop after the action is true")
		}
		return cmp.Or(l.want("stopped", 0), l.want("run", 1))
	})
}

// reset moves a timer later and earlier, and lets one wait again that ran or was stopped.
func reset(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		began := time.Now()
		t, err := f.AfterFunc(10*time.Second, func() { l.add("it") })
		if err != nil {
			return err
		}
		for i, step := range []struct {
			sleep, reset time.Duration
			stop, waits  bool
			next         time.Duration // since the beginning, at which it runs
		}{
			{5 * time.Second, 20 * time.Second, false, true, 25 * time.Second},          // later
			{1 * time.Second, 10 * time.Second, false, true, 16 * time.Second},          // earlier
			{20 * time.Second, 4 * time.Second, false, false, 30 * time.Second},         // after it ran, at 16
			{1 * time.Second, 4 * time.Second, true, false, 31 * time.Second},           // after a stop
			{1 * time.Second, 0, false, true, 28 * time.Second},                         // to now
			{10 * time.Second, time.Minute, false, false, 38*time.Second + time.Minute}, // after it ran, at 28
		} {
			time.Sleep(step.sleep)
			synctest.Wait()
			if step.stop && !t.Stop() {
				return fmt.Errorf("step %d: Stop is false", i)
			}
			if got := t.Reset(step.reset); got != step.waits {
				return fmt.Errorf("step %d: Reset(%v) is %v", i, step.reset, got)
			}
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		want := []time.Duration{16 * time.Second, 28 * time.Second, 98 * time.Second}
		runs := l.all()
		if len(runs) != len(want) {
			return fmt.Errorf("it ran %d times, want %d", len(runs), len(want))
		}
		for i, r := range runs {
			if late := r.at.Sub(began) - want[i]; late < 0 || late > k.Tick {
				return fmt.Errorf("run %d was %v after its time, allowed 0 to %v", i, late, k.Tick)
			}
		}
		return nil
	})
}

// inside an action everything can be done but Close.
func inside(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		var self, other systems.Timer
		var failed error
		other, err := f.AfterFunc(time.Minute, func() { l.add("other") })
		if err != nil {
			return err
		}
		ready := make(chan bool)
		self, err = f.AfterFunc(time.Second, func() {
			<-ready
			l.add("self")
			if l.times("self") > 1 {
				return
			}
			if !other.Stop() {
				failed = fmt.Errorf("Stop of another timer is false")
			}
			if self.Stop() {
				failed = fmt.Errorf("Stop of the timer that runs is true")
			}
			if self.Reset(time.Second) {
				failed = fmt.Errorf("Reset of the timer that runs is true")
			}
			if _, err := f.AfterFunc(3*time.Second, func() { l.add("child") }); err != nil {
				failed = err
			}
		})
		if err != nil {
			return err
		}
		close(ready)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		return cmp.Or(failed, l.want("self", 2), l.want("other", 0), l.want("child", 1))
	})
}

// many timers, a third of which is stopped and a third reset, all end once.
func many(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		const n = 3000
		var mu sync.Mutex
		runs := make([]int, n)
		timers := make([]systems.Timer, n)
		for i := range n {
			var err error
			if timers[i], err = f.AfterFunc(time.Duration(1+i*7919%60_000)*time.Millisecond, func() { mu.Lock(); runs[i]++; mu.Unlock() }); err != nil {
				return err
			}
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		want := make([]int, n)
		for i := range n {
			want[i] = 1
			mu.Lock()
			ran := runs[i]
			mu.Unlock()
			var did bool
			switch i % 3 {
			case 0:
				if did = timers[i].Stop(); did {
					want[i] = 0
				}
			case 1:
				if did = timers[i].Reset(30 * time.Second); !did {
					want[i] = 2
				}
			default:
				continue
			}
			if did == (ran > 0) {
				return fmt.Errorf("timer %d has run %d times, and Stop or Reset is %v", i, ran, did)
			}
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if i := slices.Compare(runs, want); i != 0 {
			return fmt.Errorf("runs are not as wanted")
		}
		return nil
	})
}
