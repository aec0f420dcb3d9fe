package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	lateEvery = 500 * time.Microsecond // one is started
	lateLeast = 5 * time.Millisecond   // shortest duration
	lateMost  = 500 * time.Millisecond // longest duration
	busySlice = 100 * time.Microsecond // of work between two yields
	busyShare = 4                      // goroutines with work for each processor
	slowEvery = 100 * time.Millisecond // a slow action runs
	slowTakes = 50 * time.Millisecond
	burstDue  = 50 * time.Millisecond
)

// expiries records how late actions run, and that each runs once.
type expiries struct {
	late  []time.Duration
	ran   atomic.Int64
	twice atomic.Int64
	done  chan struct{} // closed when all have run
}

const notRun = math.MinInt64

func newExpiries(n int) *expiries {
	e := &expiries{late: make([]time.Duration, n), done: make(chan struct{})}
	for i := range e.late {
		e.late[i] = notRun
	}
	return e
}

// action returns the action of the i-th timer, which is to run at a deadline.
func (e *expiries) action(i int, deadline time.Time) func() {
	return func() {
		if e.late[i] != notRun {
			e.twice.Add(1)
			return
		}
		e.late[i] = time.Since(deadline)
		if e.ran.Add(1) == int64(len(e.late)) {
			close(e.done)
		}
	}
}

// wait waits until all actions have run, for at most a minute.
func (e *expiries) wait() (*hdrhistogram.Histogram, error) {
	select {
	case <-e.done:
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%d of %d actions had run a minute after the last start", e.ran.Load(), len(e.late))
	}
	if n := e.twice.Load(); n > 0 {
		return nil, fmt.Errorf("%d actions ran twice", n)
	}
	h := newHistogram()
	for _, late := range e.late {
		if late < 0 {
			return nil, fmt.Errorf("an action ran %v early", -late)
		}
		record(h, late)
	}
	return h, nil
}

const longest = time.Minute // that a histogram records

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(longest), 3) }

func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(int64(min(max(d, 1), longest))) // no error within the range
}

// addQuantiles adds percentiles of a histogram and its maximum.
func (s *sample) addQuantiles(name string, h *hdrhistogram.Histogram, percentiles ...float64) {
	for _, q := range percentiles {
		s.Add(float64(h.ValueAtQuantile(q)), fmt.Sprintf("%s-p%v-ns", name, q))
	}
	s.Add(float64(h.Max()), name+"-max-ns")
}

// late measures how late actions run that are started in an open loop: by a schedule made
// before, so that a late client does not move deadlines.
func (s *sample) late() error {
	if err := s.open(lateMost); err != nil {
		return err
	}
	stop := s.load()
	h, err := s.openLoop()
	if stop(); err != nil {
		return err
	}
	s.facility.Close() // a slow action may be pending
	s.Iters = s.n
	s.Add(h.Mean(), "late-ns")
	s.addQuantiles("late", h, 50, 99, 99.9)
	return nil
}

// openLoop starts the timers and returns how late their actions ran. The loop of a facility
// with one duration is closed: its deadlines follow the starts.
func (s *sample) openLoop() (*hdrhistogram.Histogram, error) {
	r := rand.New(rand.NewPCG(uint64(s.round), 7))
	e := newExpiries(s.n)
	began := time.Now()
	for i := range s.n {
		start := began.Add(time.Duration(i) * lateEvery)
		deadline := start.Add(lateLeast + time.Duration(r.Int64N(int64(lateMost-lateLeast))))
		time.Sleep(time.Until(start))
		d := time.Until(deadline)
		if s.subject.fixed {
			deadline, d = time.Now().Add(lateMost), lateMost
		}
		if _, err := s.facility.AfterFunc(d, e.action(i, deadline)); err != nil {
			return nil, err
		}
	}
	return e.wait()
}

// load keeps the processors or the facility busy with something else until stop is called.
func (s *sample) load() (stop func()) {
	var over atomic.Bool
	var all sync.WaitGroup
	switch s.option {
	case "busy":
		for range busyShare * runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for !over.Load() {
					for began := time.Now(); time.Since(began) < busySlice; {
					}
					runtime.Gosched()
				}
			})
		}
	case "slow":
		all.Go(func() {
			for !over.Load() {
				d := s.subject.duration(time.Millisecond, lateMost)
				if _, err := s.facility.AfterFunc(d, func() { time.Sleep(slowTakes) }); err != nil {
					return
				}
				time.Sleep(slowEvery)
			}
		})
	}
	return func() { over.Store(true); all.Wait() }
}

// burst measures n starts without a pause, each due in 50 ms: what a start takes, the longest
// one, and how late actions are.
func (s *sample) burst() error {
	if err := s.open(burstDue); err != nil {
		return err
	}
	e := newExpiries(s.n)
	slowest, began := time.Duration(0), time.Now()
	last := began
	for i := range s.n {
		if _, err := s.facility.AfterFunc(burstDue, e.action(i, last.Add(burstDue))); err != nil {
			return err
		}
		now := time.Now()
		slowest, last = max(slowest, now.Sub(last)), now
	}
	took := last.Sub(began)
	s.Iters = s.n
	s.Add(float64(took)/float64(s.n), "ns/op")
	s.Add(float64(slowest), "start-max-ns")
	h, err := e.wait()
	if err != nil {
		return err
	}
	s.addQuantiles("late", h, 50)
	return nil
}
