package systems_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/systems"
	"timerlab/systems/sharded"
)

var zero = time.Now()

// clock returns the monotonic clock.
func clock() time.Duration { return time.Since(zero) }

// near returns the duration of a timer: mostly some ticks, now and then none, or so many that it does not run.
func near(tick time.Duration) time.Duration {
	switch rand.N(16) {
	case 0:
		return 0
	case 1:
		return -tick
	case 2:
		return time.Hour
	}
	return 1 + rand.N(3*tick)
}

// aim waits until an action may be about to begin: until a time near the end of the tick on which it is due.
func aim(due, tick time.Duration) {
	const most = 100 * time.Microsecond // by which the action is late
	at := due - tick/8 + rand.N(tick+most)
	left := at - clock()
	if left > time.Minute {
		return
	}
	if left > 2*most {
		time.Sleep(left - most)
	}
	for clock() < at {
		runtime.Gosched()
	}
}

// exact lets each of some goroutines use a timer of its own for a time, and closes the service. It returns an error if one of
// the starts did not end exactly once, as Stop and Reset reported, or ran early, or not at all for longer than the patience.
func (k kind) exact(clients int, tick, lasts, patience time.Duration) error {
	f, err := k.open(systems.Options{Tick: tick})
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	errs, ran := make([]error, clients+1), make([]chan time.Duration, clients)
	for i := range clients {
		ran[i] = make(chan time.Duration, 64)
		all.Go(func() { errs[i] = use(f, ran[i], tick, lasts, patience) })
	}
	all.Wait()
	n, err := f.Close() // waits for actions
	errs[clients] = err
	for i := range ran {
		if err = errors.Join(errs...); err == nil && n+len(ran[i]) > 0 {
			return fmt.Errorf("%d timers were pending that had been stopped, %d actions ran once more", n, len(ran[i]))
		}
	}
	return err
}

// use starts, stops and resets a timer as near to the beginning of its action as it can. As nobody else does, it knows after
// each call which starts have run or will.
func use(f systems.Service, ran chan time.Duration, tick, lasts, patience time.Duration) error {
	var mu sync.Mutex
	action := func() {
		mu.Lock() // for the order of ran
		defer mu.Unlock()
		ran <- clock()
	}
	earliest := clock() + tick
	t, err := f.AfterFunc(tick, action)
	for end, last := clock()+lasts, false; err == nil && !last; {
		aim(earliest, tick)
		last = clock() > end
		stops, pending, before := last || rand.N(4) == 0, false, len(ran)
		d, now := near(tick), clock()
		if stops {
			pending, before = t.Stop(), len(ran)
		} else if pending, err = t.(systems.Resetter).TryReset(d); err != nil {
			return err
		}
		switch {
		case pending && before > 0:
			return errors.New("a timer was pending that had run")
		case !pending:
			select {
			case at := <-ran:
				if at < earliest {
					return fmt.Errorf("an action was %v early", earliest-at)
				}
			case <-time.After(patience):
				return errors.New("a start was lost")
			}
		}
		if stops && !last {
			now = clock()
			if own, ok := t.(*sharded.Timer); ok { // as one of a sync.Pool
				f.(owned).Init(own, action)
				err = own.Start(d)
			} else if pending, err = t.(systems.Resetter).TryReset(d); pending {
				return errors.New("a timer was pending that had been stopped")
			}
		}
		earliest = now + max(d, 0)
	}
	return err
}

// Each start ends once, as its only client sees it: it runs, or a Stop or Reset returned true.
func TestExact(t *testing.T) {
	lasts := 250 * time.Millisecond
	if testing.Short() {
		lasts = 50 * time.Millisecond
	}
	for _, k := range kinds {
		if k.longest > 0 {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for tick, clients := range map[time.Duration]int{time.Microsecond: 2, 20 * time.Microsecond: 4, 200 * time.Microsecond: 16} {
				require.NoError(t, k.exact(clients, tick, lasts, time.Minute))
			}
		})
	}
}

// One client finds the faults of timers but two: it does not count what Close does, and does nothing during a Reset.
func TestInexact(t *testing.T) {
	for name, fault := range faults {
		if name != "reset is a stop, then a start" {
			assert.Error(t, fault.kind().exact(4, 100*time.Microsecond, 2*time.Second, 20*time.Millisecond), name)
		}
	}
}
