package facilitytest

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// durations: no action runs early, and none more than a tick late.
func durations(s *session) {
	tick := max(s.kind.Tick, time.Millisecond)
	for i, d := range []time.Duration{
		0, -time.Hour, 1, tick - 1, tick, tick + 1, 5 * tick, 20*tick - 1, 20 * tick, 400*tick + 1,
		time.Second, time.Hour,
	} {
		s.sleep(tick/3 + 1) // so that starts fall between ticks
		name := fmt.Sprintf("duration %d, %v", i, d)
		deadline := time.Now().Add(max(d, 0))
		s.start(d, name)
		s.sleep(max(d, 0) + 3*tick)
		s.requireRuns(name, 1)
		s.requireOnTime(s.runs[len(s.runs)-1], deadline)
	}
}

// order: actions run in the order of their deadlines if these are more than a tick apart.
func order(s *session) {
	tick := max(s.kind.Tick, time.Millisecond)
	const n = 200
	for i := range n {
		rank := i * 77 % n // a permutation: 77 and 200 are coprime
		s.start(time.Duration(2*rank+1)*tick, fmt.Sprintf("%03d", rank))
	}
	s.sleep(2 * (n + 2) * tick)
	s.require(len(s.runs) == n, "%d actions ran, want %d", len(s.runs), n)
	sorted := slices.IsSortedFunc(s.runs, func(a, b run) int { return cmp.Compare(a.name, b.name) })
	s.require(sorted, "not in the order of their deadlines: %v", s.runs)
}

// centuries: the longest duration is accepted, and delays no other timer.
func centuries(s *session) {
	t := s.start(1<<63-1, "far")
	s.start(time.Hour, "near")
	s.sleep(2 * time.Hour)
	s.require(t.Stop(), "Stop of a timer of 292 years returned false")
	s.requireRuns("far", 0)
	s.requireRuns("near", 1)
}
