// Package servicetest tests that a systems.Service does what its interface documents: by
// rules on a fake clock (testing/synctest), where ticks and orders are exact, and by a race
// between goroutines on the real clock.
package servicetest

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// Kind is a service under test.
type Kind struct {
	Name string
	Tick time.Duration // the most by which an action may be late

	// Workers is the number of actions that run at the same time; 0 is any number.
	Workers int

	Longest  time.Duration // duration that the service accepts at any time; 0 is any
	Stepping bool          // it wakes up for every tick
	Except   []string      // names of the rules that it breaks

	// New starts a service. The suite sets Options.Panic only.
	New func(systems.Options) (systems.Service, error)
}

// Run tests that a service keeps all rules but those that it breaks, which it must break. A goroutine
// that stays blocked after Close fails the test.
func Run(t *testing.T, k Kind) {
	broken := violations(t, k, slices.Concat(timing, serving))
	for name, err := range broken {
		if !slices.Contains(k.Except, name) {
			t.Errorf("%s: %s: %v", k.Name, name, err)
		}
	}
	for _, name := range k.Except {
		if broken[name] == nil {
			t.Errorf("%s: %s: it is kept", k.Name, name)
		}
	}
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

// check runs the rule on a new service, which it closes, and returns the first violation.
func (r rule) check(k Kind) (err error) {
	s := &session{kind: k, late: k.Tick}
	if r.slow {
		s.late = k.mostLate()
	}
	if s.service, err = k.New(systems.Options{Panic: s.panicked}); err != nil {
		return err
	}
	r.script(s)
	s.close()
	s.sleep(2 * time.Hour) // actions that Close did not drop, or did not wait for
	st := s.requireStats(0, 0)
	s.require(st.Due == 0, "%+v after Close (must have none due)", st)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.violation
}

// mostLate returns how late an action may begin while others are slow: until those end if the workers
// are limited, else a little for workers that are added by and by.
func (k Kind) mostLate() time.Duration {
	if k.Workers > 0 {
		return time.Hour
	}
	return k.Tick + 200*time.Millisecond
}
