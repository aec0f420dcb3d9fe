package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/run"
)

const (
	lateEvery = 500 * time.Microsecond // one is started
	lateLeast = 5 * time.Millisecond   // shortest duration
	lateMost  = 500 * time.Millisecond // longest duration
	busySlice = 100 * time.Microsecond // of work between two yields
	busyShare = 4                      // goroutines with work for each processor
	slowEvery = 100 * time.Millisecond // a slow action runs
	slowTakes = 50 * time.Millisecond
)

// expiries records how late actions run, and that each runs once. A faulty service may run an
// action twice at the same time.
type expiries struct {
	late       []time.Duration
	ran        []atomic.Bool
	all, twice atomic.Int64  // that have run
	done       chan struct{} // closed when all have run
	failed     chan error    // of a start
}

func newExpiries(n int) *expiries {
	return &expiries{late: make([]time.Duration, n), ran: make([]atomic.Bool, n), done: make(chan struct{}), failed: make(chan error, n)}
}

// expire starts the i-th timer and waits for its action. Each timer has a goroutine of its own that calls it, like a
// connection: sharded chooses the wheel by where the stack is, and a goroutine that ends leaves its stack to the next one.
func (s *sample) expire(e *expiries, i int, deadline time.Time) {
	ran, action := make(chan struct{}, 2), e.action(i, deadline) // 2: the service may be faulty
	if _, err := s.timers.AfterFunc(time.Until(deadline), func() { action(); ran <- struct{}{} }); err != nil {
		e.failed <- err
		return
	}
	<-ran
}

// action returns the action of the i-th timer, which is to run at a deadline.
func (e *expiries) action(i int, deadline time.Time) func() {
	return func() {
		late := time.Since(deadline)
		if !e.ran[i].CompareAndSwap(false, true) {
			e.twice.Add(1)
			return
		}
		e.late[i] = late
		if e.all.Add(1) == int64(len(e.late)) {
			close(e.done)
		}
	}
}

// wait waits until all actions have run, for at most a minute, and returns how late they began.
func (e *expiries) wait() (late []time.Duration, err error) {
	select {
	case <-e.done:
	case err = <-e.failed:
		return nil, err
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%d of %d actions had run a minute after the last start", e.all.Load(), len(e.late))
	}
	if n := e.twice.Load(); n > 0 {
		return nil, fmt.Errorf("%d actions ran twice", n)
	}
	if earliest := slices.Min(e.late); earliest < 0 {
		return nil, fmt.Errorf("an action ran %v early", -earliest)
	}
	return e.late, nil
}

// addQuantiles adds percentiles of times. It sorts them.
func (s *sample) addQuantiles(name string, times []time.Duration, percentiles ...float64) {
	slices.Sort(times)
	for _, q := range percentiles {
		rank := int(math.Ceil(q/100*float64(len(times)))) - 1
		s.Add(float64(times[rank]), fmt.Sprintf("%s-p%v-ns", name, q))
	}
}

// late measures how late actions run that are started in an open loop: by a schedule made before, so that a late
// client does not move deadlines. The loop of a service with one duration is closed: its deadlines follow the starts.
func (s *sample) late() error {
	stop := s.load()
	defer stop()
	r := rand.New(rand.NewPCG(uint64(s.round), 7))
	e := newExpiries(s.n)
	began := time.Now()
	for i := range s.n {
		start := began.Add(time.Duration(i) * lateEvery)
		deadline := start.Add(lateLeast + time.Duration(r.Int64N(int64(lateMost-lateLeast))))
		time.Sleep(time.Until(start))
		go s.expire(e, i, deadline)
	}
	late, err := e.wait()
	if err != nil {
		return err
	}
	stop()
	s.timers.Close() // a slow action may be pending
	s.Iters = s.n
	s.addQuantiles("late", late, 50, 99, 99.9)
	return nil
}

// load keeps the processors or the service busy with something else until stop is called.
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
				if _, err := s.timers.AfterFunc(time.Millisecond, func() { time.Sleep(slowTakes) }); err != nil {
					return
				}
				time.Sleep(slowEvery)
			}
		})
	}
	return func() { over.Store(true); all.Wait() }
}

// sparse measures the CPU time of a timer where n expire in a second, at random times. Each of n goroutines starts a timer
// of a second when its last one has expired; the first ones are shorter.
func (s *sample) sparse() error {
	r := rand.New(rand.NewPCG(uint64(s.round), 13))
	e := newExpiries(s.n * sparseTime)
	began, cpu := time.Now(), run.CPUTime()
	for i := range s.n {
		deadline := began.Add(time.Duration(r.Int64N(int64(time.Second))))
		go func() {
			for n := i; n < len(e.late); n += s.n {
				s.expire(e, n, deadline)
				deadline = deadline.Add(time.Second)
			}
		}()
	}
	if _, err := e.wait(); err != nil {
		return err
	}
	s.Add(float64(run.CPUTime()-cpu)/float64(len(e.late)), "cpu-ns/timer")
	return nil
}
