package fixedtimeout

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/ordered"
	"timerlab/systems"
	"timerlab/systems/internal/engine"
)

// ErrTimeout is wrapped by the error of a duration that is not the facility's.
var ErrTimeout = errors.New("another duration")

// Facility implements systems.Facility for one duration.
type Facility struct {
	*engine.Single
	timeout time.Duration
}

// New starts a facility for a timeout above 0. A Tick of 0 is a hundredth of it, at
// least 1 µs. What is negative is an error wrapping schemes.ErrConfig.
func New(timeout time.Duration, o systems.Options) (Facility, error) {
	if timeout <= 0 {
		return Facility{}, fmt.Errorf("%w: timeout %v, allowed above 0", schemes.ErrConfig, timeout)
	}
	if o.Tick == 0 {
		o.Tick = max(timeout/100, time.Microsecond)
	}
	f, err := engine.Make(&ordered.Rear, schemes.Config{}, o, engine.Mode{})
	return Facility{f, timeout}, err
}

// AfterFunc is systems.Facility's, for d = the timeout: else an error wrapping ErrTimeout.
func (f Facility) AfterFunc(d time.Duration, action func()) (systems.Timer, error) {
	if d != f.timeout {
		return nil, fmt.Errorf("AfterFunc(%v): %w, allowed %v", d, ErrTimeout, f.timeout)
	}
	return f.Single.AfterFunc(d, action)
}

// Set holds keys that each expire once the timeout has passed since they were added last.
// It is safe for concurrent use. A key that is not equal to itself, such as a NaN, can be
// neither found nor removed.
type Set[K comparable] struct {
	facility Facility
	expired  func(K)
	mu       sync.Mutex
	timers   map[K]*entry
	closed   bool
}

type entry struct{ timer systems.Timer }

// NewSet returns an empty set. expired is called for each key that expires, after it has
// left the set; without it, the error wraps systems.ErrAction.
func NewSet[K comparable](timeout time.Duration, o systems.Options, expired func(K)) (*Set[K], error) {
	if expired == nil {
		return nil, fmt.Errorf("NewSet: %w", systems.ErrAction)
	}
	f, err := New(timeout, o)
	if err != nil {
		return nil, err
	}
	return &Set[K]{facility: f, expired: expired, timers: map[K]*entry{}}, nil
}

// Add puts a key into the set, or starts its time anew. It returns an error wrapping
// systems.ErrClosed after Close.
func (s *Set[K]) Add(key K) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("Add: %w", systems.ErrClosed)
	}
	if e, ok := s.timers[key]; ok && e.timer.Stop() {
		e.timer.Reset(s.facility.timeout)
		return nil
	}
	e := &entry{}
	t, err := s.facility.AfterFunc(s.facility.timeout, func() { s.expire(key, e) })
	if err == nil {
		e.timer = t
		s.timers[key] = e
	}
	return err
}

// expire hands out a key, unless it was added again or removed since.
func (s *Set[K]) expire(key K, e *entry) {
	s.mu.Lock()
	live := s.timers[key] == e
	if live {
		delete(s.timers, key)
	}
	s.mu.Unlock()
	if live {
		s.expired(key)
	}
}

// Remove takes a key out of the set, and reports whether it was there.
func (s *Set[K]) Remove(key K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.timers[key]
	if ok {
		delete(s.timers, key)
		e.timer.Stop()
	}
	return ok
}

// Len returns how many keys there are.
func (s *Set[K]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.timers)
}

// Close is that of systems.Facility: it drops the keys that are in the set, and returns how
// many there were.
func (s *Set[K]) Close() (unexpired int) {
	s.mu.Lock()
	unexpired = len(s.timers)
	s.timers, s.closed = nil, true
	s.mu.Unlock()
	s.facility.Close()
	return unexpired
}
