package locked

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/ordered"
	"timerlab/systems"
)

// ErrTimeout is wrapped by the error for a duration other than the service's timeout.
var ErrTimeout = errors.New("wrong duration")

// fixedTimeout is a service for one duration.
type fixedTimeout struct {
	systems.Facility
	timeout time.Duration
}

// FixedTimeout starts a service whose timers all have the same timeout, such as the idle
// connections of a server. A new timer is then always the last one: an ordered list that is
// searched from the rear (ordered-rear) finds its place at once, and every operation is O(1).
// AfterFunc with another duration returns an error wrapping ErrTimeout. A Reset to another
// duration is allowed, but walks past all timers with later deadlines.
//
// A Tick of 0 selects a hundredth of the timeout, at least 1 µs. If the timeout is not positive
// or the Tick is negative, FixedTimeout returns an error wrapping schemes.ErrConfig.
func FixedTimeout(timeout time.Duration, o systems.Options) (systems.Facility, error) {
	if timeout <= 0 {
		return nil, badConfig("timeout %v (must be above 0)", timeout)
	}
	o.Tick = cmp.Or(o.Tick, max(timeout/100, time.Microsecond))
	f, err := New(&ordered.Rear, schemes.Config{}, Options{Options: o})
	if err != nil {
		return nil, err
	}
	return fixedTimeout{f, timeout}, nil
}

// AfterFunc implements systems.Facility.
func (f fixedTimeout) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if d != f.timeout {
		return nil, fmt.Errorf("AfterFunc(%v): %w (must be %v)", d, ErrTimeout, f.timeout)
	}
	return f.Facility.AfterFunc(d, action)
}

// Set is a set of keys, each of which expires when the timeout has passed since it was last
// added. It is safe for concurrent use. A key that is not equal to itself, such as a NaN, can
// be neither found nor removed.
type Set[K comparable] struct {
	facility systems.Facility
	timeout  time.Duration
	expired  func(K)
	mu       sync.Mutex
	timers   map[K]systems.Timer // nil after Close
}

// NewSet returns an empty set. It calls expired with each key that expires, after it has
// removed the key; if expired is nil, it returns an error wrapping systems.ErrAction. The other
// arguments are those of FixedTimeout.
func NewSet[K comparable](timeout time.Duration, o systems.Options, expired func(K)) (*Set[K], error) {
	if expired == nil {
		return nil, fmt.Errorf("NewSet: %w", systems.ErrAction)
	}
	f, err := FixedTimeout(timeout, o)
	if err != nil {
		return nil, err
	}
	return &Set[K]{facility: f, timeout: timeout, expired: expired, timers: map[K]systems.Timer{}}, nil
}

// Add adds a key to the set, or restarts its timeout. After Close it returns an error wrapping
// systems.ErrClosed. With any error the key is not in the set afterwards.
func (s *Set[K]) Add(key K) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timers == nil {
		return fmt.Errorf("Add: %w", systems.ErrClosed)
	}
	if t, ok := s.timers[key]; ok && t.Stop() {
		_, err := t.(systems.Resetter).TryReset(s.timeout)
		if err != nil {
			delete(s.timers, key)
		}
		return err
	}
	var t systems.Timer
	t, err := s.facility.AfterFunc(s.timeout, func() { s.expire(key, &t) })
	if err == nil {
		s.timers[key] = t
	}
	return err
}

// expire removes an expired key, unless it has been added again or removed since. The lock also
// guards the variable that holds its timer.
func (s *Set[K]) expire(key K, timer *systems.Timer) {
	s.mu.Lock()
	live := s.timers[key] == *timer
	if live {
		delete(s.timers, key)
	}
	s.mu.Unlock()
	if live {
		s.expired(key)
	}
}

// Remove removes a key and reports whether it was in the set.
func (s *Set[K]) Remove(key K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.timers[key]
	if ok {
		delete(s.timers, key)
		t.Stop()
	}
	return ok
}

// Len returns the number of keys.
func (s *Set[K]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.timers)
}

// Close is as in systems.Facility: it drops all keys and returns their number.
func (s *Set[K]) Close() (unexpired int, err error) {
	s.mu.Lock()
	unexpired, s.timers = len(s.timers), nil
	s.mu.Unlock()
	_, err = s.facility.Close()
	return unexpired, err
}

// badConfig returns an error wrapping schemes.ErrConfig.
func badConfig(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{schemes.ErrConfig}, args...)...)
}
