package bench

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const burstDue = 50 * time.Millisecond

// burst starts n timers one after the other without a pause, each due in 50 ms, and tells
// what a start takes, the longest one, and how late actions are.
func (s *sample) burst() error {
	f, err := s.entrant.open(burstDue)
	if err != nil {
		return err
	}
	late := make([]int64, s.N)
	var ran atomic.Int64
	done := make(chan bool)
	slowest, began := time.Duration(0), time.Now()
	last := began
	for i := range late {
		meant := last.Add(burstDue)
		if _, err := f.AfterFunc(burstDue, func() {
			late[i] = int64(time.Since(meant))
			if ran.Add(1) == int64(s.N) {
				close(done)
			}
		}); err != nil {
			return err
		}
		now := time.Now()
		slowest, last = max(slowest, now.Sub(last)), now
	}
	took := last.Sub(began)
	s.iters = s.N
	s.tell(float64(took)/float64(s.N), "ns/op")
	s.tell(float64(slowest), "start-max-ns")
	select {
	case <-done:
	case <-time.After(time.Minute):
		return fmt.Errorf("%d of %d actions had run a minute after the last start", ran.Load(), s.N)
	}
	if dropped := f.Close(); dropped != 0 {
		return fmt.Errorf("Close returns %d after all actions ran", dropped)
	}
	h := hdrhistogram.New(1, longest, 3)
	for _, l := range late {
		if l < 0 {
			return fmt.Errorf("an action ran %v early", time.Duration(-l))
		}
		if err := h.RecordValue(min(l, longest)); err != nil {
			return err
		}
	}
	s.tell(float64(h.ValueAtQuantile(50)), "late-p50-ns")
	s.tell(float64(h.Max()), "late-max-ns")
	return nil
}
