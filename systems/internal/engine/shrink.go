package engine

import "timerlab/schemes"

const (
	shrinkTo  = 64   // a shard shrinks if one in 64 timers of its peak is left,
	leastPeak = 8192 // and the peak was worth it: making a scheme takes as long as some hundred starts
)

// shrink moves the timers that are left after a peak to a new scheme. A scheme gives memory back by
// segments, and keeps some; that would be a lot with many shards. O(timers left + slots).
func (s *shard) shrink() {
	if s.peak < leastPeak || s.pending > s.peak/shrinkTo {
		return
	}
	if s.due > 0 || s.live > 0 || len(s.young) > 0 || s.service.design.Lazy {
		return // what has handles elsewhere; soon it has not
	}
	old, ok := s.scheme.(interface {
		schemes.Releaser
		schemes.Viewer
	})
	if !ok {
		return
	}
	cfg := s.service.design.Config
	cfg.Now = s.now
	scheme, err := s.service.design.Scheme.New(cfg)
	if err != nil {
		return
	}
	s.setScheme(scheme.(Scheme))
	for p := range old.View {
		t := s.timers.At(uint32(p.ID))
		t.handle, _ = s.scheme.Start(p.Deadline-s.now, p.ID) // the old one accepted it
	}
	old.Release()
}
