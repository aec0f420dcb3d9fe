// Package bench measures timer services on the real clock, Go's own timers among them, with
// goroutines that contend for their locks, and makes a page of the results. What the timers of one
// workload cost at its own rates is measured by package load.
//
//	StartStop    start a timer and stop it, n others pending, g goroutines
//	Replace      stop a goroutine's oldest timer and start another in its place
//	Reset        reset a random timer of the goroutine's own
//	Memory       memory of n timers, and the cost of one garbage collection
//	Late         how late actions run, compared with a schedule made before
//	Idle         the cost of a second in which nothing is due
//	Hold         how long a start holds the one lock around a scheme
//	Lifetime     CPU time of a timer, from start to the end of its action, n pending
//	Sparse       CPU time of a timer where n expire in a second
//	Connections  CPU time and wake-ups of a second in which n connections reset their timers
//
// A cell is an operation with its sizes and a service, as in StartStop/service=sharded/n=1M/g=8. Every
// sample is made by a process of its own, since Go's timers retain the memory of their heap and no
// service may inherit the garbage of another. Each sample checks what the service promises: Stop and
// Reset return the truth, no action is early, and each runs once.
package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/systems"
	"timerlab/systems/internal/subject"
)

// Rounds of a cell.
const Rounds = 6

// Cells that several files name, without their service: at adds it.
const (
	contendedStartStop = "StartStop/n=1M/g=8"
	smallStartStop     = "StartStop/n=10k/g=8"
	contendedReplace   = "Replace/n=1M/g=8"
	contendedReset     = "Reset/n=1M/g=8"
	memoryCell         = "Memory/n=1M"
	idleCell           = "Idle/n=10"
	sparseCell         = "Sparse/n=300"
	denseCell          = "Sparse/n=3k"
	connectionsCell    = "Connections/n=10k"
	lateIdle           = "Late/n=6k/load=idle" // nothing else happens
	lateBusy           = "Late/n=6k/load=busy"
	lateSlow           = "Late/n=6k/load=slow"
)

// at returns the key of a cell with a service.
func at(cell, service string) results.Key {
	k := results.ParseKey(cell)
	k.Service = service
	return k
}

// Cells returns all cells, whose samples this process makes.
func Cells() (all []run.Cell) {
	add := func(services []string, cells ...string) {
		for _, cell := range cells {
			for _, service := range services {
				all = append(all, newCell(at(cell, service)))
			}
		}
	}
	names, lockNames := namesOf(services), namesOf(locks)
	// Timers that clients keep differ only where they are stopped and started again.
	others := namesOf(slices.DeleteFunc(slices.Clone(services), func(s service) bool { return s.Reuse }))
	for _, op := range []string{"StartStop", "Replace", "Reset"} {
		measured := names
		if op == "Reset" {
			measured = others
		}
		for _, n := range []string{"10k", "1M"} {
			for _, g := range []int{1, 2, 4, 8, 64} {
				add(measured, fmt.Sprintf("%s/n=%s/g=%d", op, n, g))
			}
		}
	}
	add(others, memoryCell, lateIdle, lateBusy, lateSlow)
	add(append([]string{nothing}, others...), idleCell)
	add([]string{goTimers, reused, ours, ours + units.Again}, "Lifetime/n=1k", "Lifetime/n=10k", "Lifetime/n=100k", "Lifetime/n=1M")
	add([]string{goTimers, ours, ours + units.Again}, sparseCell, denseCell)
	add([]string{nothing, goTimers, ours, ours + units.Again}, connectionsCell)
	add(lockNames, smallStartStop, "Hold/n=1k", "Hold/n=10k", "Hold/n=100k")
	return all
}

func newCell(k results.Key) run.Cell {
	c := run.Cell{Name: k.String(), Rounds: Rounds}
	c.Sample = func(_ context.Context, round int) ([]results.Result, error) {
		n, err := workload.Parse[workload.Count](k.N)
		if err != nil {
			return nil, err
		}
		_, option, _ := strings.Cut(k.Rest, "=")
		s := &sample{service: find(k.Service), n: int(n), option: option, round: round}
		s.Name, s.Iters = c.Name, 1
		err = s.make(k.Op)
		return []results.Result{s.Result}, err
	}
	return c
}

// sample is one measurement of a cell.
type sample struct {
	results.Result
	service
	n      int
	option string // the value of the cell's further key
	round  int    // seeds what is random

	timers  subject.Timers  // of the service
	pending []systems.Timer // left by the operation
}

var operations = map[string]func(*sample) error{
	"StartStop":   func(s *sample) error { return s.throughput(startStop) },
	"Replace":     func(s *sample) error { return s.throughput(replace) },
	"Reset":       func(s *sample) error { return s.throughput(reset) },
	"Memory":      (*sample).memory,
	"Late":        (*sample).late,
	"Idle":        (*sample).idle,
	"Hold":        (*sample).hold,
	"Lifetime":    (*sample).lifetime,
	"Sparse":      (*sample).sparse,
	"Connections": (*sample).connections,
}

// make opens the service, performs the operation and closes it. The timers left must be pending, and be all that are.
func (s *sample) make(op string) error {
	var err error
	if s.timers, err = s.Open(); err != nil {
		return err
	}
	if err = operations[op](s); err != nil {
		return err
	}
	for i, t := range s.pending {
		if !t.Stop() {
			return fmt.Errorf("stop of pending timer %d of %d returned false", i, len(s.pending))
		}
	}
	dropped, err := s.timers.Close()
	if dropped != 0 {
		return fmt.Errorf("close without pending timers returned %d", dropped)
	}
	return err
}

// noop is the action of timers that never expire.
func noop() {}
