package engine

import "timerlab/schemes"

const (
	shrinkTo  = 64   // a shard shrinks if one in 64 timers of its peak is left,
	mostLeft  = 1000 // and few enough for the lock,
	leastPeak = 8192 // and the peak was worth it: making a scheme takes as long as some hundred starts
)

// shrink moves the timers that are left after a peak to a new scheme, where there are many shards. A
// scheme gives memory back by segments and keeps some, which adds up. O(slots).
func (s *shard) shrink() {
	if s.peak < leastPeak || s.pending > min(s.peak/shrinkTo, mostLeft) {
		return
	}
	d := &s.service.design
	if d.Shards == 1 || d.Lazy || s.due > 0 || s.live > 0 || len(s.young) > 0 {
		return // the last three: for now
	}
	old, ok := s.scheme.(interface {
		schemes.Releaser
		schemes.Viewer
	})
	if !ok {
		return
	}
	cfg := d.Config
	cfg.Now = s.now
	scheme, err := d.Scheme.New(cfg)
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
