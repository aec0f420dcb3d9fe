// Package bench measures timer services, those of package systems and Go's own timers, on the
// real clock, with goroutines that contend for their locks, and makes a page of the results.
//
//	StartStop  start a timer and stop it, n others pending, g goroutines
//	Replace    stop a goroutine's oldest timer and start another in its place
//	Reset      reset a random timer of the goroutine's own
//	Memory     memory, allocations and the cost of one garbage collection of n timers
//	Late       how late actions run, compared with a schedule made before
//	Idle       the cost of a second in which nothing is due
//	Burst      a million starts at once, due in 50 ms
//	Hold       how long one lock around a scheme is held, by a start and by a tick
//	Sparse     CPU time and wake-ups of a worker for three timers on each of a hundred ticks
//
// Every sample is made by a process of its own, since Go's timers retain the memory of their
// heap and no facility may inherit the garbage of another. Each sample checks what the facility
// promises: that Stop and Reset return the truth, that no action is early, and that each runs
// once.
package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/jvm"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Rounds of a cell, and of those on which the targets are judged.
const (
	Rounds       = 6
	TargetRounds = 12
)

// group is the cells that some services have in common.
type group struct {
	services []string
	cells    []string // named without their service
}

func groups() []group {
	all, locks := namesOf(subjects), namesOf(locks)
	return []group{
		{all, contended([]string{"StartStop", "Replace", "Reset"}, []string{"10k", "1M"}, goroutines)},
		{locks, contended([]string{"StartStop"}, []string{"10k"}, []int{1, 8})},
		{all, []string{memoryCell, burstCell, loads[0].cell, loads[1].cell, loads[2].cell}},
		{append([]string{nothing.name}, all...), []string{idleCell}},
		{locks, []string{"Hold/n=1k", "Hold/n=10k", "Hold/n=100k"}},
		{[]string{goTimers, ours, ours + results.Again, lockPrefix + "ordered", "multilevel"}, []string{sparseCell}},
	}
}

var goroutines = []int{1, 2, 4, 8, 64}

// contended returns the cells of goroutines that contend for a service.
func contended(ops, sizes []string, goroutines []int) (cells []string) {
	for _, op := range ops {
		for _, n := range sizes {
			for _, g := range goroutines {
				cells = append(cells, fmt.Sprintf("%s/n=%s/g=%d", op, n, g))
			}
		}
	}
	return cells
}

// isTarget reports whether a cell needs more samples, because a target is judged on it.
func isTarget(k results.Key) bool {
	return slices.ContainsFunc(speedTargets, func(s speedTarget) bool {
		return k == at(s.cell, goTimers) || k == at(s.cell, ours)
	})
}

// Server makes single samples of all cells in this process.
func Server() *run.Server {
	return &run.Server{Cells: func() []run.Cell { return cells(groups()) }, Batch: jvm.Services.Batch()}
}

// cells returns the cells of all groups.
func cells(groups []group) (all []run.Cell) {
	for _, g := range groups {
		for _, cell := range g.cells {
			for _, service := range g.services {
				all = append(all, newCell(at(cell, service)))
			}
		}
	}
	return all
}

func newCell(k results.Key) run.Cell {
	c := run.Cell{Name: k.String(), Rounds: Rounds}
	if isTarget(k) {
		c.Rounds = TargetRounds
	}
	c.Sample = func(_ context.Context, round int) ([]results.Result, error) {
		n, err := results.ParseCount(k.N)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(measured, func(s subject) bool { return s.name == k.Facility })
		_, option, _ := strings.Cut(k.Rest, "=")
		s := &sample{subject: measured[i], n: int(n), option: option, round: round}
		s.Name, s.Iters = c.Name, 1
		err = s.make(k.Op)
		return []results.Result{s.Result}, err
	}
	return c
}
