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

	"timerlab/harness/results/units"
	"timerlab/schemes"
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

	latest = "late-p99.9-ns"
)

// expiries records how late actions run, and that each runs once. A faulty service may run an
// action twice at the same time.
type expiries struct {
	late  []atomic.Int64 // a Duration, or notRun
	ran   atomic.Int64
	twice atomic.Int64
	done  chan struct{} // closed when all have run
}

const notRun = math.MinInt64

func newExpiries(n int) *expiries {
	e := &expiries{late: make([]atomic.Int64, n), done: make(chan struct{})}
	for i := range e.late {
		e.late[i].Store(notRun)
	}
	return e
}

// action returns the action of the i-th timer, which is to run at a deadline.
func (e *expiries) action(i int, deadline time.Time) func() {
	return func() {
		if !e.late[i].CompareAndSwap(notRun, int64(time.Since(deadline))) {
			e.twice.Add(1)
			return
		}
		if e.ran.Add(1) == int64(len(e.late)) {
			close(e.done)
		}
	}
}

// wait waits until all actions have run, for at most a minute, and returns how late they began, sorted.
func (e *expiries) wait() (late []time.Duration, err error) {
	select {
	case <-e.done:
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%d of %d actions had run a minute after the last start", e.ran.Load(), len(e.late))
	}
	if n := e.twice.Load(); n > 0 {
		return nil, fmt.Errorf("%d actions ran twice", n)
	}
	for i := range e.late {
		late = append(late, time.Duration(e.late[i].Load()))
	}
	slices.Sort(late)
	if late[0] < 0 {
		return nil, fmt.Errorf("an action ran %v early", -late[0])
	}
	return late, nil
}

// addQuantiles adds percentiles of sorted times.
func (s *sample) addQuantiles(name string, sorted []time.Duration, percentiles ...float64) {
	for _, q := range percentiles {
		rank := int(math.Ceil(q/100*float64(len(sorted)))) - 1
		s.Add(float64(sorted[rank]), fmt.Sprintf("%s-p%v-ns", name, q))
	}
}

func (s *sample) addMax(name string, sorted []time.Duration) {
	s.Add(float64(sorted[len(sorted)-1]), name+"-max-ns")
}

// late measures how late actions run that are started in an open loop: by a schedule made
// before, so that a late client does not move deadlines. The loop of a service with one duration
// is closed: its deadlines follow the starts.
func (s *sample) late() error {
	if err := s.begin(lateMost); err != nil {
		return err
	}
	stop := s.load()
	defer stop()
	r := rand.New(rand.NewPCG(uint64(s.round), 7))
	e := newExpiries(s.n)
	began := time.Now()
	for i := range s.n {
		start := began.Add(time.Duration(i) * lateEvery)
		deadline := start.Add(lateLeast + time.Duration(r.Int64N(int64(lateMost-lateLeast))))
		time.Sleep(time.Until(start))
		d := time.Until(deadline)
		if s.fixed {
			deadline, d = time.Now().Add(lateMost), lateMost
		}
		if _, err := s.timers.AfterFunc(d, e.action(i, deadline)); err != nil {
			return err
		}
	}
	late, err := e.wait()
	if err != nil {
		return err
	}
	stop()
	s.timers.Close() // a slow action may be pending
	s.Iters = s.n
	sum := time.Duration(0)
	for _, d := range late {
		sum += d
	}
	s.Add(float64(sum)/float64(s.n), "late-ns")
	s.addQuantiles("late", late, 50, 99, 99.9)
	s.addMax("late", late)
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
				d := s.duration(time.Millisecond, lateMost)
				if _, err := s.timers.AfterFunc(d, func() { time.Sleep(slowTakes) }); err != nil {
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
	if err := s.begin(burstDue); err != nil {
		return err
	}
	e := newExpiries(s.n)
	slowest, began := time.Duration(0), time.Now()
	last := began
	for i := range s.n {
		if _, err := s.timers.AfterFunc(burstDue, e.action(i, last.Add(burstDue))); err != nil {
			return err
		}
		now := time.Now()
		slowest, last = max(slowest, now.Sub(last)), now
	}
	took := last.Sub(began)
	s.Iters = s.n
	s.Add(float64(took)/float64(s.n), units.NsPerOp)
	s.Add(float64(slowest), "start-max-ns")
	late, err := e.wait()
	if err != nil {
		return err
	}
	s.addQuantiles("late", late, 50)
	s.addMax("late", late)
	return nil
}

const (
	holdStarts = 2000                   // at most
	holdTime   = 300 * time.Millisecond // for the starts
	holdTicks  = 500                    // ticks, one by one
	holdSpan   = time.Minute            // over which the timers are due
)

// hold measures how long a lock around a scheme must be held, with n timers pending: by a start
// of a random interval, and by a worker for a tick. Each value includes two reads of the clock.
func (s *sample) hold() error {
	s.timers = plain{}
	scheme, err := s.scheme.New(s.cfg)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(s.round), 11))
	interval := func() schemes.Tick {
		return schemes.Tick((time.Second + time.Duration(r.Int64N(int64(holdSpan)))) / msTick.Tick)
	}
	intervals := make([]schemes.Tick, s.n)
	for i := range intervals {
		intervals[i] = interval()
	}
	slices.Sort(intervals)
	for _, d := range slices.Backward(intervals) { // which an ordered list takes at once
		if _, err := scheme.Start(d, 1); err != nil {
			return err
		}
	}
	var starts, ticks []time.Duration
	for i, began := 0, time.Now(); i < holdStarts && time.Since(began) < holdTime; i++ {
		d, at := interval(), time.Now()
		h, err := scheme.Start(d, 1)
		starts = append(starts, time.Since(at))
		if err != nil {
			return err
		}
		scheme.Stop(h)
	}
	for range holdTicks {
		at := time.Now()
		if scheme.PerTick() > 0 {
			scheme.Expire(func(schemes.ID) {})
		}
		ticks = append(ticks, time.Since(at))
	}
	slices.Sort(starts)
	slices.Sort(ticks)
	s.Iters = len(starts)
	s.addQuantiles("start", starts, 50, 99)
	s.addQuantiles("tick", ticks, 50, 99)
	s.addMax("tick", ticks)
	return nil
}
