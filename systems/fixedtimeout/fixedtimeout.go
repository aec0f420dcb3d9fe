// Package fixedtimeout is a facility whose timers all have the same timeout, such as the idle
// connections of a server. A new timer is then always the last one: an ordered list that is
// searched from the rear (ordered-rear) finds its place at once, and every operation is O(1).
// A Reset to another duration is allowed, but walks past all timers with later deadlines.
//
// Set is the same for keys: adding a key again resets its timer.
//
// An action runs at most a tick late, plus the delays of scheduling and of earlier actions.
package fixedtimeout

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/ordered"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// ErrTimeout is wrapped by the error for a duration other than the facility's timeout.
var ErrTimeout = errors.New("wrong duration")

// Facility implements systems.Facility for one duration.
type Facility struct {
	*engine.Facility
	timeout time.Duration
}

// New starts a facility. A Tick of 0 selects a hundredth of the timeout, at least 1 µs. If the
// timeout is not positive or the Tick is negative, New returns an error wrapping
// schemes.ErrConfig.
func New(timeout time.Duration, o systems.Options) (Facility, error) {
	if timeout <= 0 {
		return Facility{}, fmt.Errorf("%w: timeout %v (must be above 0)", schemes.ErrConfig, timeout)
	}
	o.Tick = cmp.Or(o.Tick, max(timeout/100, time.Microsecond))
	f, err := engine.Open(&ordered.Rear, schemes.Config{}, o, engine.Mode{})
	return Facility{f, timeout}, err
}

// AfterFunc implements systems.Facility. If d is not the timeout, it returns an error wrapping
// ErrTimeout.
func (f Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if d != f.timeout {
		return nil, fmt.Errorf("AfterFunc(%v): %w (must be %v)", d, ErrTimeout, f.timeout)
	}
	return f.Facility.AfterFunc(d, action)
}

// Set is a set of keys, each of which expires when the timeout has passed since it was last
// added. It is safe for concurrent use. A key that is not equal to itself, such as a NaN, can
// be neither found nor removed.
type Set[K comparable] struct {
	facility Facility
	expired  func(K)
	mu       sync.Mutex
	timers   map[K]systems.Timer
	closed   bool
}

// NewSet returns an empty set. It calls expired with each key that expires, after it has
// removed the key; if expired is nil, it returns an error wrapping systems.ErrAction.
func NewSet[K comparable](timeout time.Duration, o systems.Options, expired func(K)) (*Set[K], error) {
	if expired == nil {
		return nil, fmt.Errorf("NewSet: %w", systems.ErrAction)
	}
	f, err := New(timeout, o)
	if err != nil {
		return nil, err
	}
	return &Set[K]{facility: f, expired: expired, timers: map[K]systems.Timer{}}, nil
}

// Add adds a key to the set, or restarts its timeout. After Close it returns an error wrapping
// systems.ErrClosed.
func (s *Set[K]) Add(key K) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("Add: %w", systems.ErrClosed)
	}
	if t, ok := s.timers[key]; ok && t.Stop() {
		t.Reset(s.facility.timeout)
		return nil
	}
	var t systems.Timer
	t, err := s.facility.AfterFunc(s.facility.timeout, func() { s.expire(key, &t) })
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
func (s *Set[K]) Close() (unexpired int) {
	s.mu.Lock()
	unexpired = len(s.timers)
	s.timers, s.closed = nil, true
	s.mu.Unlock()
	s.facility.Close()
	return unexpired
}
