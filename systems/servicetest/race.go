package servicetest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"timerlab/systems"
)

// ledger counts the starts and their ends.
type ledger struct {
	started atomic.Int64 // by AfterFunc and by Reset
	run     atomic.Int64
	stopped atomic.Int64 // by a Stop or Reset that returned true
}

// closings are enough for a service whose Reset is a stop and then a start to lose a timer.
const closings = 5

// Race starts, stops and resets at least the given number of timers from eight goroutines and
// closes the service meanwhile, some more times with fewer timers. Every start must end exactly
// once.
func Race(t *testing.T, k Kind, timers int) {
	for range closings {
		if err := race(k, timers); err != nil {
			t.Errorf("%s: %v", k.Name, err)
			return
		}
		timers = min(timers, 1000)
	}
}

func race(k Kind, timers int) error {
	f, err := k.New(systems.Options{})
	if err != nil {
		return err
	}
	const clients = 8
	var l ledger
	var all, ready sync.WaitGroup
	ready.Add(clients)
	for c := range clients {
		all.Go(func() { churn(f, &l, rand.New(rand.NewPCG(1, uint64(c))), timers/clients, ready.Done) })
	}
	ready.Wait()
	dropped, err := f.Close()
	all.Wait()
	if err != nil {
		return err
	}
	if st := f.Stats(); st.Pending != 0 || st.Due != 0 || st.Running != 0 {
		return fmt.Errorf("%+v after Close (must have no timers)", st)
	}
	started, run, stopped := l.started.Load(), l.run.Load(), l.stopped.Load()
	if ended := run + stopped + int64(dropped); started != ended {
		return fmt.Errorf("%d started, but %d run + %d stopped + %d dropped = %d", started, run, stopped, dropped, ended)
	}
	return nil
}

// churn starts timers of up to 20 ms, and stops or resets most of them, until the service is
// closed. It calls ready after n operations.
func churn(f systems.Service, l *ledger, r *rand.Rand, n int, ready func()) {
	duration := func() time.Duration { return time.Duration(r.Int64N(int64(20 * time.Millisecond))) }
	recent := make([]systems.Timer, 64)
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
		t, err := f.AfterFunc(duration(), func() { l.run.Add(1) })
		if err != nil {
			return
		}
		l.started.Add(1)
		recent[at] = t
	}
}
