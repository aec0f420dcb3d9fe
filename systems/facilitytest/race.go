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

// ledger counts the starts and their ends.
type ledger struct {
	started atomic.Int64 // by AfterFunc and by Reset
	run     atomic.Int64
	stopped atomic.Int64 // by a Stop or Reset that returned true
}

// balance returns an error unless every start has ended exactly once.
func (l *ledger) balance(dropped int) error {
	started, run, stopped := l.started.Load(), l.run.Load(), l.stopped.Load()
	if ended := run + stopped + int64(dropped); started != ended {
		return fmt.Errorf("%d started, but %d run + %d stopped + %d dropped = %d",
			started, run, stopped, dropped, ended)
	}
	return nil
}

// Race starts, stops and resets the given number of timers from eight goroutines and closes the
// facility while some of them are running. Every start must end exactly once.
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

// resetRaces are enough for a facility whose Reset is a stop and then a start to lose a timer.
const resetRaces = 20

// resetRace resets timers of an hour from several goroutines until the facility is closed. Close
// must drop all of them.
func resetRace(k Kind) error {
	f, err := k.New(systems.Options{})
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
	dropped, err := f.Close()
	all.Wait()
	if err != nil {
		return err
	}
	if dropped != clients {
		return fmt.Errorf("Close during Resets of %d timers returned %d", clients, dropped)
	}
	return nil
}

func race(k Kind, timers int) error {
	f, err := k.New(systems.Options{})
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
	// No Reset during Close: its false could mean that the timer had run, and is pending again,
	// or that the facility was closed.
	for c := range clients {
		all.Go(func() { churn(f, &l, rand.New(rand.NewPCG(2, uint64(c))), timers/clients/8, false) })
	}
	time.Sleep(time.Millisecond)
	dropped, err := f.Close()
	all.Wait()
	if err != nil {
		return err
	}
	return l.balance(dropped)
}

// churn performs n operations: it starts timers of up to 20 ms, and stops or resets most of
// them.
func churn(f systems.Facility, l *ledger, r *rand.Rand, n int, resets bool) {
	duration := func() time.Duration { return time.Duration(r.Int64N(int64(20 * time.Millisecond))) }
	recent := make([]systems.Timer, 64)
	for range n {
		at := r.IntN(len(recent))
		if t := recent[at]; t != nil {
			switch op := r.IntN(3); {
			case op == 0 && resets:
				if l.started.Add(1); t.Reset(duration()) {
					l.stopped.Add(1)
				}
				continue
			case op == 1 && t.Stop():
				l.stopped.Add(1)
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
