package claims

import (
	"strings"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// ownSet is the key by which cells are known that only claims read: curves and the
// choice between 6 and 7 are drawn from others.
const ownSet = "/set=claims"

const (
	timedT    = 4000 // intervals of 4 to 37,000 ticks
	ticksT    = 1000 // of the cells with few timers
	hashSlots = 1024 // a power of two; three fewer is not
	heapSlots = 256
	manySlots = 16_384
)

// Cases returns the workloads by which claims about times are judged: trees against
// wheels with the given numbers of timers, ticks with next to no timers, hashes,
// heaps in slots and numbers of levels. A run has at least about the given number of operations.
func Cases(sizes []int, operations int, seed uint64) (cases []run.Group) {
	add := func(mode run.Mode, n, operations int, T schemes.Tick, subjects []run.Subject) {
		for i := range subjects {
			subjects[i].Tag = ownSet
		}
		lasting := run.Lasting
		if mode == run.Operations {
			lasting = run.Batched
		}
		spec := workload.Spec{N: n, T: T, Dist: workload.LogUniform(), Seed: seed}
		cases = append(cases, run.Group{Mode: mode, Spec: lasting(spec, operations, subjects), Subjects: subjects})
	}
	for _, n := range sizes {
		// Schemes 5 and 6 have as many slots as scheme 4 would need for half of the intervals.
		trees := subjects(manySlots, 0, "unordered", "ordered", "tree", "tree-4ary", "tree-256ary", "tree-bst",
			"tree-leftist", "hashsorted", "hashunsorted")
		add(run.Lifetimes, n, max(operations, n), timedT, append(trees, subject("hierarchical", 4*256, 4)))
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		add(run.Operations, n, operations/8, ticksT,
			subjects(manySlots, 4, "unordered", "simplewheel", "hashunsorted", "hierarchical"))
	}
	const middle = 10_000
	hashes := subjects(hashSlots, 0, "hashunsorted", "hashunsorted-absolute", "hashunsorted-mulhash")
	add(run.Operations, middle, operations, timedT, append(hashes, subject("hashunsorted", hashSlots-3, 0)))
	add(run.Lifetimes, 2*middle, operations, timedT,
		subjects(heapSlots, 0, "hashsorted", "hashsorted-heap", "hashunsorted"))
	levelled := subjects(256, 0, "hashunsorted")
	for _, m := range []int{4, 8, 32} { // intervals up to 37,000 ticks need 3, 4 and 6 of them
		levelled = append(levelled, subject("hierarchical", 256, m))
	}
	add(run.Operations, 2*middle, operations, timedT, levelled)
	return cases
}

// subject returns a scheme of the registry by a name that is known to be there.
func subject(name string, slots, levels int) run.Subject {
	info, err := harness.Find(name)
	if err != nil {
		panic(err) // the names are written above
	}
	return run.NewSubject(info, slots, levels)
}

// subjects returns the controls and the named schemes.
func subjects(slots, levels int, names ...string) []run.Subject {
	all := run.Controls(subject("hashunsorted", slots, 0))
	for _, name := range names {
		all = append(all, subject(name, slots, levels))
	}
	return all
}

// Own reports whether only claims read this cell.
func Own(k results.Key) bool { return strings.Contains(k.Rest, ownSet) }

// IsTrees reports whether the cell compares trees and wheels by lifetimes.
func IsTrees(k results.Key) bool { return isTrees(k) && k.Op == lifetime && !isHash(heapSlots)(k) }

func notOwn(k results.Key) bool { return !Own(k) }

// treesFrom returns a filter for IsTrees with at least n timers.
func treesFrom(n uint64) func(results.Key) bool {
	return func(k results.Key) bool { return IsTrees(k) && timersOf(k) >= n }
}

func isTrees(k results.Key) bool { return Own(k) && k.T == results.FormatCount(timedT) }
func isTicks(k results.Key) bool { return Own(k) && k.T == results.FormatCount(ticksT) }

func forLevels(k results.Key) bool { return isHash(256)(k) && k.N == results.FormatCount(20_000) }

func isHash(slots uint64) func(results.Key) bool {
	return func(k results.Key) bool { return isTrees(k) && k.Slots == results.FormatCount(slots) }
}

// Grid is where schemes 6 and 7 are compared: at every M and T, with and without
// stops, at equal total slots.
type Grid struct {
	N      int            // timers outstanding
	Slots  []int          // M, ascending: the same in all wheels of scheme 7 together
	Levels []int          // m of scheme 7, ascending
	Means  []schemes.Tick // T
	Stops  []Stops
	Dist   workload.Dist
	Turns  int // length of a run, in T, rounded up to whole turns of the lowest wheels
	Seed   uint64
}

// Stops is a share of timers that are stopped, at a part of their interval.
type Stops struct{ Share, At float64 }

// The constants c6 and c7 are fitted on one distribution of intervals and then
// judge another, with other T, stops and seeds.
var (
	fitDist   = workload.Uniform()
	judgeDist = workload.Exp()
)

// Fitting returns the grid on which c6 and c7 are fitted before they judge g.
func (g Grid) Fitting() Grid {
	g.Slots = []int{g.Slots[0], g.Slots[len(g.Slots)-1]}
	g.Means = []schemes.Tick{180, 700, 3_000, 11_000, 40_000}
	g.Stops = []Stops{{}, {0.5, 0.3}}
	g.Dist = fitDist
	g.Seed++
	return g
}

// Judging returns g with the distribution and the stops that are judged.
func (g Grid) Judging() Grid {
	g.Stops = []Stops{{}, {0.9, 0.05}}
	g.Dist = judgeDist
	return g
}

// Cases returns the grid's cells. Every case has the null scheme and the A/A
// pair of scheme 6.
func (g Grid) Cases() []run.Group {
	var cases []run.Group
	for _, slots := range g.Slots {
		for _, T := range g.Means {
			for _, stops := range g.Stops {
				spec := stoppedAt(hold(g.N, T, g.Dist), stops.Share, stops.At)
				spec.Ticks, spec.Seed = g.ticks(T), g.Seed
				cases = append(cases, run.Group{Mode: run.Lifetimes, Spec: spec, Subjects: g.subjects(slots)})
			}
		}
	}
	return cases
}

// ticks returns the length of a run: whole turns of the largest lowest wheel,
// since timers migrate at the end of its revolution.
func (g Grid) ticks(T schemes.Tick) schemes.Tick {
	turn := schemes.Tick(g.Slots[len(g.Slots)-1] / g.Levels[0])
	return (T*schemes.Tick(g.Turns) + turn - 1) / turn * turn
}

func (g Grid) subjects(slots int) []run.Subject {
	all := subjects(slots, 0, sixName)
	for _, m := range g.Levels {
		all = append(all, subject(sevenName, slots, m))
	}
	return all
}
