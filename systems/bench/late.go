package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"timerlab/systems"
)

const (
	LateTimers = 6000                   // of a sample
	lateEvery  = 500 * time.Microsecond // one is to be started
	lateLeast  = 5 * time.Millisecond   // shortest duration
	lateMost   = 500 * time.Millisecond // longest one
	busyPiece  = 100 * time.Microsecond // of work between two looks at who else wants the processor
	busyShare  = 4                      // goroutines with work, by processor
	slowEvery  = 100 * time.Millisecond // an action is slow
	slowTakes  = 50 * time.Millisecond
	longest    = int64(time.Minute) // that the histogram can tell
)

// late starts timers at moments that are fixed before (an open loop: a client that is itself
// late makes them no later) and tells by how much actions were later than meant.
func (s *sample) late() error {
	f, err := s.entrant.open(lateMost)
	if err != nil {
		return err
	}
	stop := s.load(f)
	late, err := s.openLoop(f)
	if stop(); err != nil {
		return err
	}
	f.Close()
	h := hdrhistogram.New(1, longest, 3)
	sum := 0.0
	for _, l := range late {
		if l < 0 {
			return fmt.Errorf("an action ran %v early", -l)
		}
		sum += float64(l)
		if err := h.RecordValue(min(int64(l), longest)); err != nil {
			return err
		}
	}
	s.iters = len(late)
	s.tell(sum/float64(len(late)), "late-ns")
	for _, q := range []float64{50, 99, 99.9} {
		s.tell(float64(h.ValueAtQuantile(q)), fmt.Sprintf("late-p%v-ns", q))
	}
	s.tell(float64(h.Max()), "late-max-ns")
	return nil
}

// openLoop returns how late each action was.
func (s *sample) openLoop(f systems.Facility) ([]time.Duration, error) {
	r := rand.New(rand.NewPCG(uint64(s.round), 7))
	late := make([]time.Duration, s.N)
	var waiting sync.WaitGroup
	var twice atomic.Int64
	waiting.Add(s.N)
	began := time.Now()
	for i := range late {
		start := began.Add(time.Duration(i) * lateEvery)
		meant := start.Add(lateLeast + time.Duration(r.Int64N(int64(lateMost-lateLeast))))
		if wait := time.Until(start); wait > 0 {
			time.Sleep(wait)
		}
		var ran atomic.Bool
		d := time.Until(meant)
		if s.entrant.fixed != nil { // its loop is closed: it cannot be told less
			meant, d = time.Now().Add(lateMost), lateMost
		}
		if _, err := f.AfterFunc(d, func() {
			if late[i] = time.Since(meant); ran.Swap(true) {
				twice.Add(1)
				return
			}
			waiting.Done()
		}); err != nil {
			return nil, err
		}
	}
	done := make(chan bool)
	go func() { waiting.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("an action had not run a minute after the last start")
	}
	if n := twice.Load(); n > 0 {
		return nil, fmt.Errorf("%d actions ran twice", n)
	}
	return late, nil
}

// load gives the processors, or the facility, something else to do, until stop.
func (s *sample) load(f systems.Facility) (stop func()) {
	var over atomic.Bool
	var all sync.WaitGroup
	switch s.of("load") {
	case "busy":
		for range busyShare * runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for !over.Load() {
					for began := time.Now(); time.Since(began) < busyPiece; {
					}
					runtime.Gosched()
				}
			})
		}
	case "slow":
		all.Go(func() {
			for !over.Load() {
				d := time.Millisecond
				if s.entrant.fixed != nil {
					d = lateMost
				}
				if _, err := f.AfterFunc(d, func() { time.Sleep(slowTakes) }); err != nil {
					return
				}
				time.Sleep(slowEvery)
			}
		})
	}
	return func() { over.Store(true); all.Wait() }
}
