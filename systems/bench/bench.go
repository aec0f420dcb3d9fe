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
// A cell is an operation with its sizes and a service, StartStop/facility=sharded/n=1M/g=8: the key
// is the older word for a service. Every sample is made by a process of its own, since Go's timers
// retain the memory of their heap and no service may inherit the garbage of another. Each sample
// checks what the service promises: that Stop and Reset return the truth, that no action is early,
// and that each runs once.
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
)

// Rounds of a cell, and of those on which the targets are judged.
const (
	Rounds       = 6
	TargetRounds = 12
)

// Cells, named without their service: at returns that of one.
const (
	contendedStartStop = "StartStop/n=1M/g=8"
	contendedReplace   = "Replace/n=1M/g=8"
	contendedReset     = "Reset/n=1M/g=8"
	memoryCell         = "Memory/n=1M"
	burstCell          = "Burst/n=1M"
	idleCell           = "Idle/n=10"
	sparseCell         = "Sparse/n=300"
)

// loads are what else happens while lateness is measured.
var loads = []struct{ name, cell string }{
	{"no other load", "Late/n=6k/load=idle"},
	{"busy processors", "Late/n=6k/load=busy"},
	{"slow actions", "Late/n=6k/load=slow"},
}

var goroutines = []int{1, 2, 4, 8, 64}

// at returns the cell of a service.
func at(cell, service string) results.Key {
	k := results.ParseKey(cell)
	k.Facility = service
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
	for _, op := range []string{"StartStop", "Replace", "Reset"} {
		for _, n := range []string{"10k", "1M"} {
			for _, g := range goroutines {
				add(names, fmt.Sprintf("%s/n=%s/g=%d", op, n, g))
			}
		}
	}
	add(lockNames, "StartStop/n=10k/g=1", "StartStop/n=10k/g=8")
	add(names, memoryCell, burstCell, loads[0].cell, loads[1].cell, loads[2].cell)
	add(append([]string{nothing}, names...), idleCell)
	add(lockNames, "Hold/n=1k", "Hold/n=10k", "Hold/n=100k")
	add([]string{goTimers, ours, ours + units.Again, lockPrefix + "ordered", multilevel}, sparseCell)
	return all
}

// newCell returns a cell, with more rounds if a target is judged on it.
func newCell(k results.Key) run.Cell {
	c := run.Cell{Name: k.String(), Rounds: Rounds}
	if slices.ContainsFunc(speedTargets, func(s speedTarget) bool {
		return k == at(s.cell, goTimers) || k == at(s.cell, ours)
	}) {
		c.Rounds = TargetRounds
	}
	c.Sample = func(_ context.Context, round int) ([]results.Result, error) {
		n, err := workload.Parse[workload.Count](k.N)
		if err != nil {
			return nil, err
		}
		_, option, _ := strings.Cut(k.Rest, "=")
		s := &sample{service: find(k.Facility), n: int(n), option: option, round: round}
		s.Name, s.Iters = c.Name, 1
		err = s.make(k.Op)
		return []results.Result{s.Result}, err
	}
	return c
}
