package facilitytest

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

// ledger counts what became of every start.
type ledger struct {
	begun   atomic.Int64 // starts, and Resets that made a timer wait
	run     atomic.Int64
	stopped atomic.Int64 // by Stop, or by a Reset that replaced a waiting one
}

// balance returns what is wrong with the sum.
func (l *ledger) balance(dropped int) error {
	if begun, ended := l.begun.Load(), l.run.Load()+l.stopped.Load()+int64(dropped); begun != ended {
		return fmt.Errorf("%d began, but %d ran + %d stopped + %d dropped = %d", begun, l.run.Load(), l.stopped.Load(), dropped, ended)
	}
	return nil
}

// Race lets eight goroutines start, stop and reset about so many timers, and close the
// facility while some still do: of every start exactly one thing must become.
func Race(t *testing.T, k Kind, timers int) {
	if err := race(k, timers); err != nil {
		t.Errorf("%s: %v", k.Name, err)
	}
	for range resetRaces {
		if err := resetRace(k); err != nil {
			t.Errorf("%s: %v", k.Name, err)
			return
		}
	}
}

// resetRaces are enough for a facility in which Reset is a stop and then a start to lose in
// some.
const resetRaces = 20

// resetRace lets goroutines reset their timers, of an hour, until the facility is closed:
// all are dropped, whoever is faster.
func resetRace(k Kind) error {
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	const clients = 4
	var all, ready sync.WaitGroup
	for range clients {
		t, err := f.AfterFunc(time.Hour, func() {})
		if err != nil {
			f.Close()
			return err
		}
		ready.Add(1)
		all.Go(func() {
			t.Reset(time.Hour)
			ready.Done()
			for t.Reset(time.Hour) {
				runtime.Gosched()
			}
		})
	}
	ready.Wait()
	dropped := f.Close()
	all.Wait()
	if dropped != clients {
		return fmt.Errorf("Close returns %d, with %d timers that were reset meanwhile", dropped, clients)
	}
	return nil
}

func race(k Kind, timers int) error {
	f, err := k.New(nil)
	if err != nil {
		return err
	}
	var l ledger
	const clients = 8
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() { churn(f, &l, rand.New(rand.NewPCG(1, uint64(c))), timers/clients, true) })
	}
	all.Wait()
	// Beside Close nobody resets: false could mean both that the timer had run, and waits
	// again, and that the facility was closed.
	for c := range clients {
		all.Go(func() { churn(f, &l, rand.New(rand.NewPCG(2, uint64(c))), timers/clients/8, false) })
	}
	time.Sleep(time.Millisecond)
	dropped := f.Close()
	all.Wait()
	return l.balance(dropped)
}

// churn starts so many timers of up to 20 ms, and stops or resets most of them.
func churn(f systems.Facility, l *ledger, r *rand.Rand, n int, resets bool) {
	recent := make([]systems.Timer, 64)
	for range n {
		at := r.IntN(len(recent))
		if t := recent[at]; t != nil {
			switch k := r.IntN(3); {
			case k == 0 && resets:
				if l.begun.Add(1); t.Reset(time.Duration(r.Int64N(int64(20 * time.Millisecond)))) {
					l.stopped.Add(1)
				}
				continue
			case k == 1:
				if t.Stop() {
					l.stopped.Add(1)
				}
			}
		}
		t, err := f.AfterFunc(time.Duration(r.Int64N(int64(20*time.Millisecond))), func() { l.run.Add(1) })
		if err != nil {
			return
		}
		l.begun.Add(1)
		recent[at] = t
	}
}
