package engine

import (
	"time"
	"unsafe"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/schemes"
	"timerlab/systems"
)

// longestLate is the largest lateness that is recorded, 146 years: a value that the histogram rounds up is a Duration,
// too.
const longestLate = time.Duration(1 << 62)

// newLateness returns a histogram of µs, with one digit: 6 KiB.
func newLateness() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, longestLate.Microseconds(), 1)
}

// rounding is the most that the rounding of a deadline to a tick adds.
func (v *Service) rounding() time.Duration { return v.options.Tick + v.design.Slack }

func (s *shard) recordLateness(late time.Duration) {
	if s.late == nil {
		s.late = newLateness()
	}
	_ = s.late.RecordValue(min(late, longestLate).Microseconds()) // no error within the range
}

// Stats implements systems.Service.
func (v *Service) Stats() (st systems.Stats) {
	late := newLateness()
	st.Bytes = int64(unsafe.Sizeof(*v)) + int64(len(v.near))*int64(unsafe.Sizeof(near{}))
	for _, s := range v.shards {
		s.addStats(&st, late)
	}
	at := func(q float64) time.Duration { return time.Duration(late.ValueAtQuantile(q)) * time.Microsecond }
	st.LateP50, st.LateP99, st.LateMax = at(50), at(99), at(100)
	return st
}

// addStats adds the Stats of a shard, and moves its lateness to another histogram.
func (s *shard) addStats(st *systems.Stats, late *hdrhistogram.Histogram) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st.Pending += s.pending
	st.Due += s.live + s.due
	st.Running += s.running
	st.Wakeups += s.wakeups
	st.Started += s.started
	st.Stopped += s.stopped
	st.Expired += s.begun
	st.Looked += s.looked
	st.Bytes += int64(unsafe.Sizeof(*s)) + int64(s.timers.bytes()) + int64(s.pending)*int64(unsafe.Sizeof(Timer{})) +
		int64(cap(s.ready))*int64(unsafe.Sizeof(readyTimer{})) + int64(cap(s.crowds))*int64(unsafe.Sizeof(crowd{})) +
		int64(cap(s.young))*int64(unsafe.Sizeof(youngTimer{}))
	if s.late != nil {
		late.Merge(s.late)
		s.late = nil
	}
	if s.scheme == nil {
		return
	}
	var offHeap int64
	if o, ok := s.scheme.(schemes.OffHeaper); ok {
		offHeap = int64(o.OffHeap())
	}
	bytes := offHeap
	if m, ok := s.scheme.(interface{ Memory() int64 }); ok {
		bytes = m.Memory()
	} else if info := s.service.design.Scheme; info.Bytes != nil {
		held := s.pending
		if h, ok := s.scheme.(schemes.Holder); ok {
			held = h.Held()
		}
		bytes = max(bytes, info.Bytes(held, s.service.design.Config))
	}
	st.OffHeap += offHeap
	st.Bytes += bytes
}
