// Package facilitytest says what a systems.Facility must do, as rules that run on a fake
// clock (testing/synctest), where ticks and orders are exact, and as a race on the real one.
package facilitytest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"timerlab/systems"
)

// Kind is a facility to be tested.
type Kind struct {
	Name string
	Tick time.Duration // how late an action may be; 0: not at all

	// Workers run the actions, each one after the other. 0: as many as there are actions.
	Workers int

	// New starts a facility that hands panics to the handler, if that is not nil.
	New func(handler func(any)) (systems.Facility, error)
}

// rule is one thing that a facility must do. It closes what it starts.
type rule struct {
	name string
	run  func(k Kind) error
}

var rules = []rule{
	{"durations", durations},
	{"order", order},
	{"stop", stop},
	{"reset", reset},
	{"inside actions", inside},
	{"close", closing},
	{"close waits", closeWaits},
	{"close drops the rest", closeDrops},
	{"centuries", centuries},
	{"panics", panics},
	{"goexit", goexit},
	{"slow actions", slow},
	{"an hour's sleep", oversleep},
	{"no action", noAction},
	{"many", many},
}

// Run tests a facility.
func Run(t *testing.T, k Kind) {
	for name, err := range Violations(t, k) {
		t.Errorf("%s: %s: %v", k.Name, name, err)
	}
}

// Violations returns the rules that a facility breaks. A goroutine that Close leaves waiting
// for ever ends the test.
func Violations(t *testing.T, k Kind) map[string]error {
	broken := map[string]error{}
	for _, r := range rules {
		synctest.Test(t, func(*testing.T) {
			if err := r.run(k); err != nil {
				broken[r.name] = err
			}
			synctest.Wait()
		})
	}
	return broken
}

// use starts a facility for a rule and closes it.
func use(k Kind, handler func(any), do func(f systems.Facility) error) error {
	f, err := k.New(handler)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}

// log is what ran, and when.
type log struct {
	mu   sync.Mutex
	runs []run
}

type run struct {
	name string
	at   time.Time
}

func (l *log) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = append(l.runs, run{name, time.Now()})
}

// all returns what ran so far.
func (l *log) all() []run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.runs)
}

func (l *log) times(name string) (n int) {
	for _, r := range l.all() {
		if r.name == name {
			n++
		}
	}
	return n
}

// want compares how often something ran.
func (l *log) want(name string, n int) error {
	if got := l.times(name); got != n {
		return fmt.Errorf("%s ran %d times, want %d", name, got, n)
	}
	return nil
}
