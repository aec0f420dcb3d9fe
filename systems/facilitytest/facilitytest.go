// Package facilitytest tests that a systems.Facility does what its interface documents: by
// rules on a fake clock (testing/synctest), where ticks and orders are exact, and by a race
// between goroutines on the real clock.
package facilitytest

import (
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

// check runs the rule on a new facility, which it closes, and returns the first violation.
func (r rule) check(k Kind) (err error) {
	s := &session{kind: k, slow: r.slow}
	var handler func(any)
	if r.handler {
		handler = s.panicked
	}
	if s.facility, err = k.New(handler); err != nil {
		return err
	}
	r.script(s)
	s.requireNoneOverdue()
	s.close()
	s.sleep(time.Minute) // actions that Close did not drop, or did not wait for
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.violation
}
