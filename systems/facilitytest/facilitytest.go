// Package facilitytest tests that a systems.Facility does what its interface documents: by
// rules on a fake clock (testing/synctest), where ticks and orders are exact, and by a race
// between goroutines on the real clock.
package facilitytest

import (
	"math"
	"slices"
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

	Longest  time.Duration // duration that the facility accepts at any time; 0 is any
	Stepping bool          // it wakes up for every tick
	Lazy     bool          // it keeps stopped timers until their deadline
	Untimed  bool          // its Stats do not contain how late actions began

	// New starts a facility. The suite sets Options.Panic only.
	New func(systems.Options) (systems.Facility, error)
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
	return violations(t, k, slices.Concat(timing, serving))
}

func violations(t *testing.T, k Kind, rules []rule) map[string]error {
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
	s := &session{kind: k, late: k.Tick}
	if r.slow {
		s.late = k.mostLate()
	}
	var o systems.Options
	if r.handler {
		o.Panic = s.panicked
	}
	if s.facility, err = k.New(o); err != nil {
		return err
	}
	r.script(s)
	s.requireNoneOverdue()
	s.close()
	s.sleep(2 * time.Hour) // actions that Close did not drop, or did not wait for
	s.requireStats(0, 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.violation
}

// mostLate returns how late an action may begin while others are slow: any time if the workers
// are limited, else a little for workers that are added by and by.
func (k Kind) mostLate() time.Duration {
	if k.Workers > 0 {
		return math.MaxInt64
	}
	return k.Tick + 200*time.Millisecond
}
