package claims

import (
	"strings"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

const (
	timedT    = 4000 // intervals of 4 to 37,000 ticks
	ticksT    = 1000 // of the cells with few timers
	hashSlots = 1024 // a power of two; three fewer is not
	heapSlots = 256
	manySlots = 16_384
	fewTimers = 2_048 // and their T: the cells in which operations of few timers are timed
	visitT    = 4_096 // and M and n: on average a tick visits one timer
)

// lapStarts is the least number of starts in a lap, where there are enough timers. Then no lap is below
// the limit of a usual clock, which resolves 20 ns.
const lapStarts = 512

// Cases returns the workloads by which claims about times are judged: trees against
// wheels with the given numbers of timers, ticks with next to no timers, hashes,
// heaps in slots and numbers of levels. A run has at least about the given number of operations.
func Cases(sizes []int, operations int, seed uint64) []run.Group {
	c := cases{operations: operations, seed: seed}
	for _, n := range sizes {
		// Schemes 5 and 6 have as many slots as scheme 4 would need for half of the intervals.
		trees := subjects(manySlots, 0, "unordered", "ordered", "tree", "tree-4ary", "tree-256ary", "tree-bst",
			"hashsorted", "hashunsorted")
		c.lifetimes(n, append(trees, subject("hierarchical", 4*256, 4)))
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		c.add(run.Operations, n, ticksT,
			subjects(manySlots, 4, "unordered", "simplewheel", "hashunsorted", "hierarchical"))
	}
	c.add(run.Operations, fewTimers, fewTimers,
		append(subjects(manySlots, 4, harness.Names()[:7]...), byKeySubject(manySlots)))
	const middle = 10_000
	hashes := subjects(hashSlots, 0, "hashunsorted", "hashunsorted-absolute", "hashunsorted-mulhash")
	c.add(run.Operations, middle, timedT, append(hashes, subject("hashunsorted", hashSlots-3, 0)))
	c.lifetimes(2*middle, subjects(heapSlots, 0, "hashsorted", "hashunsorted"))
	levelled := subjects(256, 0, "hashunsorted")
	for _, m := range []int{4, 8, 32} { // intervals up to 37,000 ticks need 3, 4 and 6 of them
		levelled = append(levelled, subject("hierarchical", 256, m))
	}
	c.add(run.Operations, 2*middle, timedT, levelled)
	c.instructions()
	return c.groups
}

// cases collects the workloads for claims alone.
type cases struct {
	operations int
	seed       uint64
	groups     []run.Group
}

// instructions adds the cells in which retired instructions are counted.
func (c *cases) instructions() {
	six := subjects(manySlots, 0, "hashunsorted")
	c.add(run.Instructions, 1, ticksT, six)
	c.add(run.Instructions, fewTimers, fewTimers, six)
	for _, mode := range []run.Mode{run.Operations, run.Instructions} {
		c.add(mode, visitT, visitT, subjects(visitT, 0, "hashunsorted"))
	}
}

// lifetimes adds a workload on which whole runs are timed.
func (c *cases) lifetimes(n int, subjects []run.Subject) {
	spec := workload.Spec{N: n, T: timedT, Dist: workload.LogUniform(), Seed: c.seed}
	c.group(run.Lifetimes, run.Lasting(spec, max(c.operations, n), subjects), subjects)
}

// add adds a workload on which single operations are timed or counted.
func (c *cases) add(mode run.Mode, n int, T schemes.Tick, subjects []run.Subject) {
	spec, operations := workload.Spec{N: n, T: T, Dist: workload.LogUniform(), Seed: c.seed}, c.operations
	if n == fewTimers { // intervals that scheme 4 reaches, most of which are stopped
		spec.Dist, spec.Stop, spec.StopAt = workload.Uniform(), 0.9, 0.5
	}
	if n < 100 {
		operations /= 8
	}
	c.group(mode, longLaps(spec, operations, subjects), subjects)
}

func (c *cases) group(mode run.Mode, spec workload.Spec, subjects []run.Subject) {
	for i := range subjects {
		subjects[i].Tag = ownSet
	}
	c.groups = append(c.groups, run.Group{Mode: mode, Spec: spec, Subjects: subjects})
}

// longLaps is run.Batched with longer batches, at the price of a number of timers that varies more.
// Only the times of single operations are read.
func longLaps(w workload.Spec, lifetimes int, subjects []run.Subject) workload.Spec {
	batched := run.Batched(w, lifetimes, subjects)
	if w.N == fewTimers {
		batched.Every = w.T / 2 // for laps of STOPs that are long enough
	} else if w.N >= 2*lapStarts {
		batched.Every = max(batched.Every, w.T*lapStarts/schemes.Tick(w.N))
	}
	return batched
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

// cellSet reports whether a cell is in a set.
type cellSet func(results.Key) bool

// setsOfCells are those that comparisons of times are made on, by the names in claims.txt.
var setsOfCells = map[string]cellSet{
	"few":        isFew,
	"single":     isSingle,
	"oneOrTwo":   both(isTicks, timersFrom(1, 2)),
	"trees":      IsTrees,
	"trees10k":   both(IsTrees, timersFrom(10_000, 100_000)),
	"hash":       ownSlots(hashSlots),
	"curve100k":  both(notOwn, timersFrom(100_000, 100_000)),
	"levels":     both(forLevels, func(k results.Key) bool { return strings.Count(k.Levels, "x") < 5 }),
	"levels4":    both(forLevels, func(k results.Key) bool { return strings.Count(k.Levels, "x") == 3 }),
	"everyN":     func(results.Key) bool { return true },
	"n≥100k":     timersFrom(100_000, 1<<62),
	"n10k..100k": timersFrom(10_000, 100_000),
	"n=1M":       timersFrom(1_000_000, 1_000_000),
}

// The cells of each workload of Cases, which differ in T.
var (
	isTicks, isFew, isVisit = ownT(ticksT), ownT(fewTimers), ownT(visitT)

	isSingle  = both(isTicks, timersFrom(1, 1)) // next to no timers
	forLevels = both(ownSlots(256), timersFrom(20_000, 20_000))
)

// ownSet is the key by which cells are known that only claims read: curves and the
// choice between 6 and 7 are drawn from others.
const ownSet = "/set=claims"

// Own reports whether only claims read this cell.
func Own(k results.Key) bool { return strings.Contains(k.Rest, ownSet) }

func notOwn(k results.Key) bool { return !Own(k) }

// IsTrees reports whether the cell compares trees and wheels by lifetimes.
func IsTrees(k results.Key) bool {
	return ownT(timedT)(k) && k.Op == lifetime && k.Slots != results.FormatCount(heapSlots)
}

func ownT(T uint64) cellSet {
	return func(k results.Key) bool { return Own(k) && k.T == results.FormatCount(T) }
}

// ownSlots keeps the cells with M slots of the workloads that have longer intervals.
func ownSlots(slots uint64) cellSet {
	return both(ownT(timedT), func(k results.Key) bool { return k.Slots == results.FormatCount(slots) })
}

// timersFrom keeps the cells with n from least to most.
func timersFrom(least, most uint64) cellSet {
	return func(k results.Key) bool { return timersOf(k) >= least && timersOf(k) <= most }
}

// both keeps what two sets keep.
func both(a, b cellSet) cellSet {
	return func(k results.Key) bool { return a(k) && b(k) }
}
