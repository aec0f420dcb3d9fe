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
	"timerlab/systems/sharded"
)

var zero = time.Now()

// clock returns the monotonic clock.
func clock() time.Duration { return time.Since(zero) }

// randomDuration returns up to three ticks, at random; once in 16 times each 0, a negative duration, and an hour, in which no test
// ends.
func randomDuration(tick time.Duration) time.Duration {
	return []time.Duration{0, -tick, time.Hour, 1 + rand.N(3*tick)}[min(rand.N(16), 3)]
}

// aim waits until the action of a timer is about to begin, as far as one can tell, unless the timer is due much later. due is
// when the timer is due, and lag by how much later its action usually begins.
func aim(due time.Duration, lag *atomic.Int64) {
	const most = 200 * time.Microsecond
	at := due + time.Duration(lag.Load())
	switch left := at - clock(); {
	case left > time.Minute:
		return
	case left > most:
		time.Sleep(left - most/2)
	}
	for clock() < at {
		runtime.Gosched()
	}
}

// learn corrects the lag after a Stop or Reset. If the timer was pending, that came too soon: the next one comes a little
// later, else earlier.
func learn(lag *atomic.Int64, pending bool) {
	step := rand.N(int64(100))
	if !pending {
		step = -step
	}
	lag.Add(step)
}

// use is the only client of a timer. It stops or resets the timer at about the moment at which its action begins, again and
// again, so what Stop and Reset return says which starts have run or will. use returns an error if an action runs early, a
// second time, or not within the patience. The action sends the time at which it began to ran.
func use(f systems.Service, ran chan time.Duration, tick, lasts, patience time.Duration) error {
	var lag atomic.Int64
	var order sync.Mutex // of ran
	action := func() {
		order.Lock()
		defer order.Unlock()
		ran <- clock()
	}
	due, end := clock()+tick, clock()+lasts
	t, err := f.AfterFunc(tick, action)
	for err == nil {
		aim(due, &lag)
		stops, pending, d, before, now := rand.N(4) == 0, false, randomDuration(tick), len(ran), clock()
		if stops {
			pending, before = t.Stop(), len(ran)
		} else if pending, err = t.(systems.Resetter).TryReset(d); err != nil {
			return err
		}
		if learn(&lag, pending); pending && before > 0 {
			return errors.New("a timer was pending that had run")
		}
		if !pending {
			select {
			case at := <-ran:
				if at < due {
					return fmt.Errorf("an action was %v early", due-at)
				}
			case <-time.After(patience):
				return errors.New("a start was lost")
			}
		}
		if stops {
			if now = clock(); now > end {
				return nil
			}
			if own, ok := t.(*sharded.Timer); ok { // as one of a sync.Pool
				f.(owned).Init(own, action)
				err = own.Start(d)
			} else if pending, err = t.(systems.Resetter).TryReset(d); pending {
				return errors.New("a timer was pending that had been stopped")
			}
		}
		due = now + max(d, 0)
	}
	return err
}

// exact lets some goroutines use a timer each, and closes the service. It returns an error unless each start ended exactly
// once, as Stop and Reset reported.
func (k kind) exact(clients int, tick, lasts, patience time.Duration) error {
	f, err := k.open(systems.Options{Tick: tick})
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	errs, ran := make([]error, clients), make([]chan time.Duration, clients)
	for i := range clients {
		ran[i] = make(chan time.Duration, 64)
		all.Go(func() { errs[i] = use(f, ran[i], tick, lasts, patience) })
	}
	all.Wait()
	n, err := f.Close() // waits for actions
	for i := range ran {
		if err = errors.Join(err, errs[i]); err == nil && n+len(ran[i]) > 0 {
			return fmt.Errorf("%d timers were pending that had been stopped, %d actions ran once more", n, len(ran[i]))
		}
	}
	return err
}

// Each start of a timer ends once, as its only client sees it: it runs, or a Stop or Reset returns true.
func TestExact(t *testing.T) {
	lasts := 250 * time.Millisecond
	if testing.Short() {
		lasts = 50 * time.Millisecond
	}
	for _, k := range kinds {
		for clients, tick := range map[int]time.Duration{2: time.Microsecond, 4: 20 * time.Microsecond, 16: time.Millisecond} {
			if k.longest == 0 { // an hour of these ticks
				require.NoError(t, k.exact(clients, tick, lasts, time.Minute), k.name)
			}
		}
	}
}
