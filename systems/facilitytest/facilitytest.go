// Package facilitytest says what a systems.Facility must do, as rules that run on a fake
// clock (testing/synctest), where ticks and orders are exact, and as a race on the real one.
package facilitytest

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// Kind is a facility to be tested.
type Kind struct {
	Name string
	Tick time.Duration // how late an action may be; 0: not at all
	// New starts a facility that hands panics to the handler, if that is not nil.
	New func(handler func(any)) (systems.Facility, error)
}

// rule is one thing that a facility must do. It closes what it starts.
type rule struct {
	name string
	run  func(k Kind) error
}

var rules = []rule{
	{"durations", durations},
	{"order", order},
	{"stop", stop},
	{"reset", reset},
	{"inside actions", inside},
	{"close", closing},
	{"close waits", closeWaits},
	{"centuries", centuries},
	{"panics", panics},
	{"goexit", goexit},
	{"slow actions", slow},
	{"an hour's sleep", oversleep},
	{"no action", noAction},
	{"many", many},
}

// Run tests a facility.
func Run(t *testing.T, k Kind) {
	for name, err := range Violations(t, k) {
		t.Errorf("%s: %s: %v", k.Name, name, err)
	}
}

// Violations returns the rules that a facility breaks. A goroutine that outlives Close ends
// the test.
func Violations(t *testing.T, k Kind) map[string]error {
	broken := map[string]error{}
	for _, r := range rules {
		synctest.Test(t, func(*testing.T) {
			if err := r.run(k); err != nil {
				broken[r.name] = err
			}
			synctest.Wait()
		})
	}
	return broken
}

// use starts a facility for a rule and closes it.
func use(k Kind, handler func(any), do func(f systems.Facility) error) error {
	f, err := k.New(handler)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}

// log is what ran, and when.
type log struct {
	mu   sync.Mutex
	runs []run
}

type run struct {
	name string
	at   time.Time
}

func (l *log) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = append(l.runs, run{name, time.Now()})
}

// all returns what ran so far.
func (l *log) all() []run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.runs)
}

func (l *log) times(name string) (n int) {
	for _, r := range l.all() {
		if r.name == name {
			n++
		}
	}
	return n
}

// want compares how often something ran.
func (l *log) want(name string, n int) error {
	if got := l.times(name); got != n {
		return fmt.Errorf("%s ran %d times, want %d", name, got, n)
	}
	return nil
}

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

// closing drops what waits, and ends all.
func closing(k Kind) error {
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	var l log
	timers := make([]systems.Timer, 5)
	for i := range timers {
		if timers[i], err = f.AfterFunc(time.Duration(i)*time.Second+1, func() { l.add("it") }); err != nil {
			return err
		}
	}
	time.Sleep(1500 * time.Millisecond)
	if !timers[4].Stop() {
		return fmt.Errorf("Stop is false")
	}
	if got := f.Close(); got != 2 {
		return fmt.Errorf("Close returns %d, with two timers waiting", got)
	}
	if got := f.Close(); got != 0 {
		return fmt.Errorf("a second Close returns %d", got)
	}
	for _, t := range timers {
		if t.Stop() || t.Reset(time.Second) {
			return fmt.Errorf("Stop or Reset after Close is true")
		}
	}
	if _, err := f.AfterFunc(time.Second, func() { l.add("it") }); !isClosed(err) {
		return fmt.Errorf("AfterFunc after Close: error %v, want one that wraps ErrClosed", err)
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	return l.want("it", 2)
}

// closeWaits for the action that runs, and the actions that have not begun do not.
func closeWaits(k Kind) error {
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	var l log
	if _, err = f.AfterFunc(time.Second, func() { time.Sleep(10 * time.Second); l.add("slow") }); err != nil {
		return err
	}
	defer time.Sleep(time.Minute) // what Close did not wait for ends within the rule
	time.Sleep(5 * time.Second)
	f.Close()
	if err := l.want("slow", 1); err != nil {
		return fmt.Errorf("when Close returns, %w", err)
	}
	return nil
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

// panics go to the handler, and the facility lives on.
func panics(k Kind) error {
	var l log
	return use(k, func(v any) { l.add(fmt.Sprint("handled ", v)) }, func(f systems.Facility) error {
		for range 3 {
			if _, err := f.AfterFunc(time.Second, func() { panic("a") }); err != nil {
				return err
			}
		}
		if _, err := f.AfterFunc(2*time.Second, func() { l.add("after") }); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		return cmp.Or(l.want("handled a", 3), l.want("after", 1))
	})
}

// goexit in an action ends neither the facility nor Close.
func goexit(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		for range 3 {
			if _, err := f.AfterFunc(time.Second, func() { l.add("exit"); exit() }); err != nil {
				return err
			}
		}
		if _, err := f.AfterFunc(2*time.Second, func() { l.add("after") }); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		return cmp.Or(l.want("exit", 3), l.want("after", 1))
	})
}

// slow actions may delay others, and lose none.
func slow(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		for i := range 20 {
			if _, err := f.AfterFunc(time.Duration(i)*time.Second, func() { time.Sleep(3 * time.Second); l.add("it") }); err != nil {
				return err
			}
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		return l.want("it", 20)
	})
}

// oversleep: a worker that an action holds up for an hour finds all that was due in it.
func oversleep(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		var l log
		if _, err := f.AfterFunc(time.Second, func() { time.Sleep(time.Hour) }); err != nil {
			return err
		}
		const n = 500
		for i := range n {
			d := 2*time.Second + time.Duration(i)*5*time.Second
			if _, err := f.AfterFunc(d, func() { l.add(fmt.Sprint(i)) }); err != nil {
				return err
			}
		}
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		for i := range n {
			if err := l.want(fmt.Sprint(i), 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func noAction(k Kind) error {
	return use(k, nil, func(f systems.Facility) error {
		if _, err := f.AfterFunc(time.Second, nil); !isNoAction(err) {
			return fmt.Errorf("AfterFunc without an action: error %v, want one that wraps ErrAction", err)
		}
		return nil
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
