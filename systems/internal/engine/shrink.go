package engine

import "timerlab/schemes"

const (
	shrinkTo  = 64   // a shard shrinks if one in 64 timers of its peak is left,
	mostLeft  = 1000 // and few enough for the lock,
	leastPeak = 8192 // and the peak was worth it: making a scheme takes as long as some hundred starts
)

// shrink moves the timers that are left after a peak to a new scheme, and once more when few of these are
// left: a scheme keeps the memory of its peak. O(slots), and the peak had as many timers. If none is left, the next start makes
// the scheme.
func (s *shard) shrink() {
	few := s.peak >= max(leastPeak, s.service.slots) && s.pending <= min(s.peak/shrinkTo, mostLeft)
	fewer := s.left >= shrinkTo && s.pending <= s.left/shrinkTo
	if !few && !fewer || s.due > 0 || s.live > 0 || len(s.young) > 0 {
		return // for now
	}
	old, ok := s.scheme.(schemes.Viewer)
	if !ok {
		return
	}
	if s.left, s.peak = s.pending, s.pending; s.pending == 0 {
		s.scheme, s.next, s.behind = nil, nil, false
	} else if s.open(s.now) != nil {
		return
	}
	timers := s.timers
	s.timers = Table[*Timer]{}
	for p := range old.View {
		t := timers.At(uint32(p.ID))
		t.handle, _ = s.scheme.Start(p.Deadline-s.now, schemes.ID(s.timers.Take(t))) // the old one accepted it
	}
	if r, ok := old.(schemes.Releaser); ok {
		r.Release()
	}
}
