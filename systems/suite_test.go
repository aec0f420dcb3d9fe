package systems_test

// A suite for every systems.Service: rules on a fake clock (testing/synctest), where ticks and orders are
// exact, and a race between goroutines on the real clock.

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"timerlab/systems"
)

// kind is a service under test.
type kind struct {
	name string
	tick time.Duration // the most by which an action may be late

	// workers is the number of actions that run at the same time; 0 is any number.
	workers int

	longest time.Duration // duration that the service accepts at any time; 0 is any

	open opener // the suite sets only Options.Panic and, on the real clock, Tick
}

// A service keeps all rules. A goroutine that stays blocked after Close fails the test.
func TestRules(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			for _, r := range rules {
				assert.NoError(t, r.violation(t, k), r.name)
			}
		})
	}
}

// violation checks the rule in a bubble.
func (r rule) violation(t *testing.T, k kind) (err error) {
	synctest.Test(t, func(*testing.T) {
		err = r.check(k)
		synctest.Wait()
	})
	return err
}

// check runs the rule on a new service, which it closes, and returns the first violation.
func (r rule) check(k kind) (err error) {
	s := &session{kind: k, late: k.tick}
	if r.slow {
		s.late = k.mostLate()
	}
	if s.service, err = k.open(systems.Options{Panic: s.panicked}); err != nil {
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
func (k kind) mostLate() time.Duration {
	if k.workers > 0 {
		return time.Hour
	}
	return k.tick + 200*time.Millisecond
}
