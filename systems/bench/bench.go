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
//	Sparse     wake-ups of a worker for three timers on each of a hundred ticks
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

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Rounds of a cell, and of those on which the targets are judged.
const (
	Rounds       = 6
	TargetRounds = 12
)

// key names a cell. The rest is "/g=8" for goroutines, "/load=busy", or empty.
func key(op, facility string, n int, rest string) results.Key {
	return results.Key{Op: op, Facility: facility, N: results.FormatCount(uint64(n)), Rest: rest}
}

var (
	goroutines = []int{1, 2, 4, 8, 64}
	sizes      = []int{10_000, 1_000_000} // timers pending where goroutines contend
	holdSizes  = []int{1_000, 10_000, 100_000}
)

const million = 1_000_000

// group is the cells of all combinations of its fields.
type group struct {
	ops, facilities []string
	sizes           []int
	rest            []string
}

func groups() []group {
	all, locks := namesOf(subjects), namesOf(locks)
	throughput := []string{"StartStop", "Replace", "Reset"}
	return []group{
		{throughput, all, sizes, restOf("g", goroutines...)},
		{throughput[:1], locks, sizes[:1], restOf("g", 1, 8)},
		{[]string{"Memory", "Burst"}, all, []int{million}, []string{""}},
		{[]string{"Late"}, all, []int{lateTimers}, restOf("load", "idle", "busy", "slow")},
		{[]string{"Idle"}, append([]string{nothing.name}, all...), []int{idleTimers}, []string{""}},
		{[]string{"Hold"}, locks, holdSizes, []string{""}},
		{[]string{"Sparse"}, []string{lockPrefix + "ordered", "multilevel"}, []int{sparseTimers}, []string{""}},
	}
}

// jvmGroups are the cells of the program for the JVM.
func jvmGroups() []group {
	names := []string{"jvm-netty", "jvm-netty-1ms", "jvm-pool"}
	return []group{
		{[]string{"StartStop", "Replace"}, names, sizes, restOf("g", goroutines...)},
		{[]string{"Late"}, names, []int{lateTimers}, restOf("load", "idle")},
	}
}

// restOf returns the rest of a name for each value of a key.
func restOf[V any](key string, values ...V) (rest []string) {
	for _, v := range values {
		rest = append(rest, fmt.Sprintf("/%s=%v", key, v))
	}
	return rest
}

// targetCells are the cells that need more samples, because targets are judged on them.
var targetCells = []results.Key{
	at(contendedStartStop, goTimers), at(contendedStartStop, ours),
	at(contendedReplace, goTimers), at(contendedReplace, ours),
}

// Server makes single samples of all cells in this process.
func Server() *run.Server {
	var batch []string
	for _, c := range cells(jvmGroups()) {
		batch = append(batch, c.Name)
	}
	return &run.Server{
		Cells: func() []run.Cell { return cells(groups()) },
		Batch: run.Batch{
			Names: batch, Missing: withoutJVM(),
			Run: func(ctx context.Context) (string, error) { return runJVM(ctx) },
		},
	}
}

// cells returns the cells of all groups.
func cells(groups []group) (all []run.Cell) {
	for _, g := range groups {
		for _, op := range g.ops {
			for _, n := range g.sizes {
				for _, rest := range g.rest {
					for _, facility := range g.facilities {
						all = append(all, newCell(key(op, facility, n, rest), n))
					}
				}
			}
		}
	}
	return all
}

func newCell(k results.Key, n int) run.Cell {
	c := run.Cell{Name: k.String(), Rounds: Rounds}
	if slices.Contains(targetCells, k) {
		c.Rounds = TargetRounds
	}
	c.Sample = func(_ context.Context, round int) ([]results.Result, error) {
		i := slices.IndexFunc(measured, func(s subject) bool { return s.name == k.Facility })
		_, option, _ := strings.Cut(k.Rest, "=")
		s := &sample{subject: measured[i], n: n, option: option, round: round}
		s.Name, s.Iters = c.Name, 1
		err := s.make(k.Op)
		return []results.Result{s.Result}, err
	}
	return c
}
