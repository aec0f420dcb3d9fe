package systems_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"timerlab/systems"
)

// load is what eight goroutines do with a service, and counts starts and their ends.
type load struct {
	starts  int           // of all goroutines, at least
	lasts   time.Duration // further
	recent  int           // timers that a goroutine stops and resets
	longest time.Duration
	action  func()

	started atomic.Int64 // by AfterFunc and by Reset
	run     atomic.Int64
	stopped atomic.Int64 // by a Stop or Reset that returned true
	early   atomic.Int64 // actions
}

// quickly returns a load of timers of up to 20 ms.
func quickly(starts int) *load {
	return &load{starts: starts, recent: 64, longest: 20 * time.Millisecond, action: func() {}}
}

func TestRaces(t *testing.T) {
	timers := 1_000_000
	if testing.Short() {
		timers = 100_000
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			require.NoError(t, quickly(timers).race(k, systems.Options{}))
			for range 4 { // enough for a service whose Reset is a stop and then a start to lose a timer
				require.NoError(t, quickly(1000).race(k, systems.Options{}))
			}
		})
	}
}

// race closes the service by two calls at the same time, while the load is on it. Every start must end exactly once.
func (l *load) race(k kind, o systems.Options) error {
	f, err := k.open(o)
	if err != nil {
		return err
	}
	const clients = 8
	var all, ready sync.WaitGroup
	ready.Add(clients)
	for c := range clients {
		all.Go(func() { l.churn(f, rand.New(rand.NewPCG(1, uint64(c))), l.starts/clients, ready.Done) })
	}
	ready.Wait()
	time.Sleep(l.lasts)
	var dropped atomic.Int64
	var errs [2]error
	for i := range errs {
		all.Go(func() {
			n, err := f.Close()
			dropped.Add(int64(n))
			errs[i] = err
		})
	}
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	if st := f.Stats(); st.Pending != 0 || st.Due != 0 || st.Running != 0 {
		return fmt.Errorf("%+v after Close (must have no timers)", st)
	}
	started, run, stopped := l.started.Load(), l.run.Load(), l.stopped.Load()
	if ended := run + stopped + dropped.Load(); started != ended {
		return fmt.Errorf("%d started, but %d run + %d stopped + %d dropped = %d", started, run, stopped, dropped.Load(), ended)
	}
	if early := l.early.Load(); early > 0 {
		return fmt.Errorf("%d actions were early", early)
	}
	return nil
}

// churn starts timers, and stops or resets most of them, until the service is closed. It calls ready after
// n operations.
func (l *load) churn(f systems.Service, r *rand.Rand, n int, ready func()) {
	duration := func() time.Duration { return time.Duration(r.Int64N(int64(l.longest))) }
	recent := make([]systems.Timer, l.recent)
	ready = sync.OnceFunc(ready)
	defer ready()
	for i := 0; ; i++ {
		if i == n {
			ready()
		}
		if i%16 == 0 {
			runtime.Gosched() // on one processor, a client that is interrupted mostly holds a lock, and no other gets on
		}
		at := r.IntN(len(recent))
		if t := recent[at]; t != nil {
			switch r.IntN(3) {
			case 0:
				if at%2 == 1 { // of these it is known when they are early
					break
				}
				pending, err := t.(systems.Resetter).TryReset(duration())
				if pending {
					l.stopped.Add(1)
				}
				if err == nil {
					l.started.Add(1)
				}
				continue
			case 1:
				if t.Stop() {
					l.stopped.Add(1)
				}
			}
		}
		d, began := duration(), time.Now()
		t, err := f.AfterFunc(d, func() {
			l.run.Add(1)
			if at%2 == 1 && time.Since(began) < d {
				l.early.Add(1)
			}
			l.action()
		})
		if err != nil {
			return
		}
		l.started.Add(1)
		recent[at] = t
	}
}
