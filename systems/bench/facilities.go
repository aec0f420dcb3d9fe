// Package bench measures timer facilities, those of package systems and Go's own timers,
// on the real clock and with goroutines that meet at their locks.
//
//	StartStop  start a timer and stop it, n others pending, g goroutines
//	Replace    stop a goroutine's oldest timer and start another in its place
//	Reset      reset a random timer of the goroutine's own
//	Memory     what n timers take, in memory, allocations and one garbage collection
//	Late       how late actions run, by the moment for which they were meant
//	Idle       what ten timers hours away cost in a second
//	Burst      a million starts at once, due in 50 ms
//	Hold       how long one lock around a scheme is held, by a start and by a tick
//	Sparse     how often a worker wakes for three timers on each of a hundred ticks
//
// Every sample is for a process of its own: Go's timers keep the memory of their heap, and
// nobody is to inherit another's garbage. What a facility promises is checked in each:
// whether Stop and Reset tell the truth, that no action is early, and that each runs once.
package bench

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"

	"golang.org/x/perf/benchfmt"
)

// Cell is one work of one facility.
type Cell struct {
	Work, Facility string
	N              int    // timers pending
	Rest           string // "/g=8": goroutines; "/load=busy"; or ""
	Rounds         int    // samples
}

// Name is that of the cell's benchmark.
func (c Cell) Name() string {
	return fmt.Sprintf("%s/facility=%s/n=%s%s", c.Work, c.Facility, results.FormatCount(uint64(c.N)), c.Rest)
}

// Key is that of the cell in a table.
func (c Cell) Key() results.Key { return results.ParseKey(c.Name()) }

// Rounds of a cell, and of those on which the targets are judged.
const (
	Rounds       = 6
	TargetRounds = 12
)

// Goroutines are how many meet.
var Goroutines = []int{1, 2, 4, 8, 64}

// Sizes are the timers pending where goroutines meet.
var Sizes = []int{10_000, 1_000_000}

// Loads are what else the processors have to do.
var Loads = []string{"idle", "busy", "slow"}

// HoldSizes are the timers pending where a lock is watched.
var HoldSizes = []int{1_000, 10_000, 100_000}

// Cells are all.
func Cells() (cells []Cell) {
	for _, work := range []string{"StartStop", "Replace", "Reset"} {
		for _, n := range Sizes {
			for _, g := range Goroutines {
				for _, e := range Entrants {
					cells = append(cells, Cell{work, e.Name, n, fmt.Sprintf("/g=%d", g), Rounds})
				}
			}
		}
	}
	for _, g := range []int{1, 8} {
		for _, e := range locks {
			cells = append(cells, Cell{"StartStop", e.Name, 10_000, fmt.Sprintf("/g=%d", g), Rounds})
		}
	}
	for _, e := range Entrants {
		cells = append(cells, Cell{"Memory", e.Name, 1_000_000, "", Rounds}, Cell{"Burst", e.Name, 1_000_000, "", Rounds})
		for _, load := range Loads {
			cells = append(cells, Cell{"Late", e.Name, LateTimers, "/load=" + load, Rounds})
		}
	}
	for _, e := range append([]Entrant{nobody}, Entrants...) {
		cells = append(cells, Cell{"Idle", e.Name, IdleTimers, "", Rounds})
	}
	for _, e := range locks {
		for _, n := range HoldSizes {
			cells = append(cells, Cell{"Hold", e.Name, n, "", Rounds})
		}
	}
	for _, e := range sparse {
		cells = append(cells, Cell{"Sparse", e.Name, SparseTimers, "", Rounds})
	}
	for i, c := range cells {
		if slices.Contains(targets, c.Name()) {
			cells[i].Rounds = TargetRounds
		}
	}
	return cells
}

// targets are the cells of which more samples are taken.
var targets = []string{
	"StartStop/facility=" + Bare + "/n=1M/g=8", "StartStop/facility=sharded/n=1M/g=8",
	"Replace/facility=" + Bare + "/n=1M/g=8", "Replace/facility=sharded/n=1M/g=8",
}

// Find returns the cell of this name.
func Find(name string) (Cell, error) {
	for _, c := range Cells() {
		if c.Name() == name {
			return c, nil
		}
	}
	return Cell{}, fmt.Errorf("no cell %q, allowed those listed", name)
}

// Run makes one sample of a cell. The round varies what is random.
func Run(c Cell, round int) (results.Result, error) {
	e, err := entrant(c.Facility)
	if err != nil {
		return results.Result{}, err
	}
	s := &sample{Cell: c, entrant: e, round: round, iters: 1}
	if err := s.run(); err != nil {
		return results.Result{}, fmt.Errorf("%s: %w", c.Name(), err)
	}
	return results.Result{Name: c.Name(), Iters: s.iters, Values: s.values}, nil
}

// sample is a cell on its way to a result.
type sample struct {
	Cell
	entrant Entrant
	round   int
	iters   int
	values  []benchfmt.Value
}

func (s *sample) run() error {
	switch s.Work {
	case "StartStop":
		return s.throughput(startStop)
	case "Replace":
		return s.throughput(replace)
	case "Reset":
		return s.throughput(reset)
	case "Memory":
		return s.memory()
	case "Late":
		return s.late()
	case "Idle":
		return s.idle()
	case "Burst":
		return s.burst()
	case "Hold":
		return s.hold()
	case "Sparse":
		return s.sparse()
	}
	return fmt.Errorf("work %q, allowed those listed", s.Work)
}

// tell adds a value to the result.
func (s *sample) tell(value float64, unit string) {
	s.values = append(s.values, benchfmt.Value{Value: value, Unit: unit})
}

// of returns the value of a key in the rest of the cell's name.
func (s *sample) of(key string) string {
	_, value, _ := strings.Cut(s.Rest, "/"+key+"=")
	return value
}
