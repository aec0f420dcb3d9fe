// Package ninth is a timer scheme in a module of its own: a slice of timers, sorted by deadline.
package ninth

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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

// Slice holds the timers outstanding, latest first, so that those due are at the end. deadlines has the
// deadline of each by its handle.
type Slice struct {
	now       schemes.Tick
	timers    []timer
	due       int // of the last timers
	last      schemes.Handle
	deadlines map[schemes.Handle]schemes.Tick
}

func latestFirst(a, b timer) int {
	return cmp.Or(cmp.Compare(b.deadline, a.deadline), cmp.Compare(b.handle, a.handle))
}

// New returns a Slice without timers.
func New(cfg schemes.Config) (schemes.Scheme, error) {
	if cfg.Capacity < 0 {
		return nil, fmt.Errorf("ninth: Capacity = %d: %w", cfg.Capacity, schemes.ErrConfig)
	}
	return &Slice{
		now: cfg.Now, timers: make([]timer, 0, cfg.Capacity),
		deadlines: make(map[schemes.Handle]schemes.Tick, cfg.Capacity),
	}, nil
}

// Start is START_TIMER, in O(n).
func (s *Slice) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval == 0 || interval > math.MaxUint64-s.now {
		return 0, fmt.Errorf("ninth: interval %d: %w", interval, schemes.ErrInterval)
	}
	s.last++
	t := timer{s.now + interval, s.last, id}
	at, _ := slices.BinarySearchFunc(s.timers, t, latestFirst)
	s.timers = slices.Insert(s.timers, at, t)
	s.deadlines[s.last] = t.deadline
	return s.last, nil
}

// Stop is STOP_TIMER, in O(n).
func (s *Slice) Stop(h schemes.Handle) bool {
	deadline, ok := s.deadlines[h]
	if !ok {
		return false
	}
	at, _ := slices.BinarySearchFunc(s.timers, timer{deadline: deadline, handle: h}, latestFirst)
	s.timers = slices.Delete(s.timers, at, at+1)
	delete(s.deadlines, h)
	if deadline <= s.now {
		s.due--
	}
	return true
}

// PerTick is PER_TICK_BOOKKEEPING, in O(1) and the timers due.
func (s *Slice) PerTick() (due int) {
	if s.now == math.MaxUint64 {
		return 0
	}
	s.now++
	before := s.due
	for s.due < len(s.timers) && s.timers[len(s.timers)-1-s.due].deadline <= s.now {
		s.due++
	}
	return s.due - before
}

// Expire is EXPIRY_PROCESSING.
func (s *Slice) Expire(action func(schemes.ID)) {
	for s.due > 0 {
		t := s.timers[len(s.timers)-1]
		s.timers = s.timers[:len(s.timers)-1]
		s.due--
		delete(s.deadlines, t.handle)
		action(t.id)
	}
}
