// Package facilitytest tests that a systems.Facility does what its interface documents: by
// rules on a fake clock (testing/synctest), where ticks and orders are exact, and by a race
// between goroutines on the real clock.
package facilitytest

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// Kind is a facility under test.
type Kind struct {
	Name string
	Tick time.Duration // the most by which an action may be late

	// Workers is the number of actions that run at the same time; 0 is any number.
	Workers int

	// New starts a facility. If handler is not nil, the facility calls it with the value of a
	// panicking action.
	New func(handler func(any)) (systems.Facility, error)
}

// rule is one thing that a facility must do.
type rule struct {
	name    string
	run     func(s *session)
	handler bool // the facility gets a handler of panics
}

var rules = []rule{
	{name: "durations", run: durations},
	{name: "order", run: order},
	{name: "stop", run: stop},
	{name: "reset", run: reset},
	{name: "inside actions", run: inside},
	{name: "close", run: closing},
	{name: "close waits", run: closeWaits},
	{name: "close drops the rest", run: closeDrops},
	{name: "centuries", run: centuries},
	{name: "panics", run: panics, handler: true},
	{name: "goexit", run: goexit},
	{name: "slow actions", run: slow},
	{name: "oversleep", run: oversleep},
	{name: "nil action", run: nilAction},
	{name: "many", run: many},
}

// Run tests a facility.
func Run(t *testing.T, k Kind) {
	for name, err := range Violations(t, k) {
		t.Errorf("%s: %s: %v", k.Name, name, err)
	}
}

// Violations returns an error for each rule that a facility violates. A goroutine that stays
// blocked after Close fails the test.
func Violations(t *testing.T, k Kind) map[string]error {
	broken := map[string]error{}
	for _, r := range rules {
		synctest.Test(t, func(*testing.T) {
			if err := r.check(k); err != nil {
				broken[r.name] = err
			}
			synctest.Wait()
		})
	}
	return broken
}

// check runs the rule on a new facility, which it closes.
func (r rule) check(k Kind) (err error) {
	s := &session{kind: k, began: time.Now()}
	var handler func(any)
	if r.handler {
		handler = func(v any) { s.add(fmt.Sprint("panic: ", v)) }
	}
	if s.Facility, err = k.New(handler); err != nil {
		return err
	}
	defer s.Close()
	defer func() {
		v := recover()
		if f, ok := v.(failure); ok {
			err = f
		} else if v != nil {
			panic(v)
		}
	}()
	r.run(s)
	return nil
}

// session is a facility under test with a log of the actions that ran.
type session struct {
	systems.Facility
	kind  Kind
	began time.Time

	mu   sync.Mutex
	runs []run
}

type run struct {
	name string
	at   time.Time
}

// failure is the panic that ends a rule.
type failure struct{ error }

// require ends the rule with an error unless ok. Actions must not call it.
func (s *session) require(ok bool, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf(format, args...)})
	}
}

// start starts a timer whose action logs its name.
func (s *session) start(d time.Duration, name string) systems.Timer {
	return s.startFunc(d, func() { s.add(name) })
}

// startFunc starts a timer.
func (s *session) startFunc(d time.Duration, action func()) systems.Timer {
	t, err := s.AfterFunc(d, action)
	s.require(err == nil, "AfterFunc(%v): %v", d, err)
	return t
}

// sleep lets time pass, and everything happen that is due.
func (s *session) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *session) add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, run{name, time.Now()})
}

// count returns how often an action ran.
func (s *session) count(name string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.name == name {
			n++
		}
	}
	return n
}

// requireRuns requires that an action ran n times.
func (s *session) requireRuns(name string, n int) {
	got := s.count(name)
	s.require(got == n, "%q ran %d times, want %d", name, got, n)
}

// requireOnTime requires that an action ran at its deadline or up to a tick later.
func (s *session) requireOnTime(r run, deadline time.Time) {
	late := r.at.Sub(deadline)
	s.require(late >= 0 && late <= s.kind.Tick, "%q ran %v late, want 0 to %v", r.name, late, s.kind.Tick)
}
