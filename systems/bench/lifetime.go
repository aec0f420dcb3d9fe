package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/systems"
)

const (
	lifeRate = 200_000              // lives that end in a second, which one core can do
	lifeLead = 4 * time.Microsecond // for each timer before the first ends, in which all start
)

// lifetimes is how many lives are measured. Tests make it less.
var lifetimes = 200_000

// living is a timer that starts again in its action, until enough have.
type living struct {
	sync.Mutex // the first action may run before the timer is known
	timer      systems.Timer
	life       int
	deadline   time.Time
	run        func()
}

// lifetime measures the CPU time of a timer from its start to the end of its action, with n pending, whose durations are
// uniform around n/lifeRate. Nothing else happens in the process but a look each 5 ms. Clients that reuse timers reset them in
// their actions.
func (s *sample) lifetime() error {
	most := 2 * float64(s.n) / lifeRate * float64(time.Second)
	e := newExpiries(s.n + lifetimes)
	var begun atomic.Int64
	start := func(t *living, d float64) (err error) {
		t.Lock()
		defer t.Unlock()
		t.life, t.deadline = int(begun.Add(1))-1, time.Now().Add(time.Duration(d))
		switch {
		case t.life >= len(e.late):
		case t.timer != nil && s.Reuse:
			t.timer.Reset(time.Duration(d))
		default:
			t.timer, err = s.timers.AfterFunc(time.Duration(d), t.run)
		}
		return err
	}
	all, filled := make([]living, s.n), time.Now().Add(lifeLead*time.Duration(s.n))
	random := rand.New(rand.NewPCG(uint64(s.round), 17))
	for i := range all {
		t := &all[i]
		t.run = func() {
			t.Lock()
			ended := e.action(t.life, t.deadline)
			t.Unlock()
			ended()
			if err := start(t, most*rand.Float64()); err != nil {
				e.failed <- err
			}
		}
		left := most * math.Sqrt(random.Float64()) * random.Float64() // of a duration that a look finds
		if err := start(t, float64(time.Until(filled))+left); err != nil {
			return err
		}
	}
	time.Sleep(time.Until(filled))
	ended, cpu := e.all.Load(), run.CPUTime()
	for e.all.Load() < int64(lifetimes) && len(e.failed) == 0 { // from then on fewer than n are pending
		time.Sleep(5 * time.Millisecond)
	}
	s.Iters = int(e.all.Load() - ended)
	s.Add(float64(run.CPUTime()-cpu)/float64(s.Iters), units.NsPerOp)
	if _, err := e.wait(); err != nil || s.Iters > lifetimes/2 {
		return err
	}
	return fmt.Errorf("%d timers did not start in %v", s.n, lifeLead*time.Duration(s.n))
}
