// Package ninth is a timer scheme in a module of its own: a slice of timers, sorted by deadline.
package ninth

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"timerlab/schemes"
)

// Info describes the scheme.
var Info = schemes.Info{
	Name:  "ninth",
	Title: "Slice sorted by deadline",
	Doc:   "A slice of timers, sorted by deadline.",
	New:   New,
	Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
}

type timer struct {
	deadline schemes.Tick
	handle   schemes.Handle
	id       schemes.ID
}

// Slice holds the timers outstanding, latest first, so that those due are at the end.
type Slice struct {
	now    schemes.Tick
	timers []timer
	last   schemes.Handle
}

// New returns a Slice without timers.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	if cfg.Capacity < 0 {
		return nil, fmt.Errorf("ninth: Capacity = %d: %w", cfg.Capacity, schemes.ErrConfig)
	}
	return &Slice{now: cfg.Now, timers: make([]timer, 0, cfg.Capacity)}, nil
}

// later returns the number of timers that are due after a tick. O(log n).
func (s *Slice) later(tick schemes.Tick) int {
	return sort.Search(len(s.timers), func(i int) bool { return s.timers[i].deadline <= tick })
}

// Start is START_TIMER, in O(n).
func (s *Slice) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval == 0 || interval > math.MaxUint64-s.now {
		return 0, fmt.Errorf("ninth: interval %d: %w", interval, schemes.ErrInterval)
	}
	s.last++
	t := timer{s.now + interval, s.last, id}
	s.timers = slices.Insert(s.timers, s.later(t.deadline), t)
	return s.last, nil
}

// Stop is STOP_TIMER, in O(n).
func (s *Slice) Stop(h schemes.Handle) bool {
	before := len(s.timers)
	s.timers = slices.DeleteFunc(s.timers, func(t timer) bool { return t.handle == h })
	return len(s.timers) < before
}

// PerTick is PER_TICK_BOOKKEEPING, in O(log n).
func (s *Slice) PerTick() (due int) {
	if s.now == math.MaxUint64 {
		return 0
	}
	s.now++
	return s.later(s.now-1) - s.later(s.now)
}

// Expire is EXPIRY_PROCESSING.
func (s *Slice) Expire(action func(schemes.ID)) {
	for n := len(s.timers) - 1; n >= 0 && s.timers[n].deadline <= s.now; n = len(s.timers) - 1 {
		t := s.timers[n]
		s.timers = s.timers[:n]
		action(t.id)
	}
}
