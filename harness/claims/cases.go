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
func Cases(sizes []int, operations int, seed uint64) []run.Group {
	var cases []run.Group
	for _, n := range sizes {
		cases = append(cases, timedCase(run.Lifetimes, n, max(operations, n), timedT, seed, treesAndWheels()))
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		cases = append(cases, timedCase(run.Operations, n, operations/8, ticksT, seed,
			subjects(manySlots, 4, "unordered", "simplewheel", "hashunsorted", "hierarchical")))
	}
	const middle = 10_000
	return append(cases,
		timedCase(run.Operations, middle, operations, timedT, seed, hashes()),
		timedCase(run.Lifetimes, 2*middle, operations, timedT, seed,
			subjects(heapSlots, 0, "hashsorted", "hashsorted-heap", "hashunsorted")),
		timedCase(run.Operations, 2*middle, operations, timedT, seed, levelled()))
}

func timedCase(mode run.Mode, n, operations int, T schemes.Tick, seed uint64, entrants []run.Subject) run.Group {
	for i := range entrants {
		entrants[i].Tag = ownSet
	}
	spec := workload.Spec{N: n, T: T, Dist: workload.LogUniform(), Seed: seed}
	if mode == run.Operations {
		return run.Group{Mode: mode, Spec: run.Batched(spec, operations, entrants), Subjects: entrants}
	}
	return run.Group{Mode: mode, Spec: run.Lasting(spec, operations, entrants), Subjects: entrants}
}

// entrant returns a scheme of the registry by a name that is known to be there.
func entrant(name string, slots, levels int) run.Subject {
	info, err := harness.Find(name)
	if err != nil {
		panic(err) // the names are written below
	}
	return run.NewSubject(info, slots, levels)
}

// subjects returns the controls and the named schemes.
func subjects(slots, levels int, names ...string) []run.Subject {
	all := run.Controls(entrant("hashunsorted", slots, 0))
	for _, name := range names {
		all = append(all, entrant(name, slots, levels))
	}
	return all
}

// treesAndWheels: four wheels of 256 slots, and for schemes 5 and 6 as many slots as
// scheme 4 would need for half of the intervals.
func treesAndWheels() []run.Subject {
	all := subjects(manySlots, 0, "unordered", "ordered", "tree", "tree-4ary", "tree-256ary", "tree-bst",
		"tree-leftist", "hashsorted", "hashunsorted")
	return append(all, entrant("hierarchical", 4*256, 4))
}

func hashes() []run.Subject {
	all := subjects(hashSlots, 0, "hashunsorted", "hashunsorted-absolute", "hashunsorted-mulhash")
	return append(all, entrant("hashunsorted", hashSlots-3, 0))
}

// levelled has 256 slots in 4, 8 and 32 levels: intervals up to 37,000 ticks need 3,
// 4 and 6 of them.
func levelled() []run.Subject {
	all := subjects(256, 0, "hashunsorted")
	for _, m := range []int{4, 8, 32} {
		all = append(all, entrant("hierarchical", 256, m))
	}
	return all
}

// Own reports whether only claims read this cell.
func Own(k results.Key) bool { return strings.Contains(k.Rest, ownSet) }

// IsTrees reports whether the cell compares trees and wheels by lifetimes.
func IsTrees(k results.Key) bool {
	return isTrees(k) && k.Op == lifetime && k.Slots != results.FormatCount(heapSlots)
}

func notOwn(k results.Key) bool { return !Own(k) }

// treesFrom returns a filter for IsTrees with at least n timers.
func treesFrom(n uint64) func(results.Key) bool {
	return func(k results.Key) bool { return IsTrees(k) && timersOf(k) >= n }
}

func isTrees(k results.Key) bool { return Own(k) && k.T == results.FormatCount(timedT) }
func isTicks(k results.Key) bool { return Own(k) && k.T == results.FormatCount(ticksT) }

func forLevels(k results.Key) bool {
	return isTrees(k) && k.Slots == results.FormatCount(256) && k.N == results.FormatCount(20_000)
}

func isHash(slots uint64) func(results.Key) bool {
	return func(k results.Key) bool { return isTrees(k) && k.Slots == results.FormatCount(slots) }
}
