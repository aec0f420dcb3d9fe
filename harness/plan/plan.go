// Package plan has every cell that the main job measures: a sweep of all schemes over n, the cells by which schemes 6 and
// 7 are compared, which package choice judges, and the cells that claims and single tables read. Cells are known by the
// keys of their names, so no judge imports this package.
package plan

import (
	"math"
	"slices"
	"time"

	"timerlab/harness"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/ordered"
)

// Size is how much the main job measures.
type Size struct {
	rounds int
	more   int // rounds of the cells that only claims read, which take a part of the time
	passes int
	limits run.Limits

	// The sweep: cost against n for all schemes.
	sizes      []int // n
	operations int   // lifetimes timed in a run, about

	choice Grid   // of schemes 6 and 7
	others []Grid // of schemes 6 and 7 at other n
	free   *Free  // sizes of schemes 6 and 7
	byN    []int  // n of heaps against wheels, and of operations of schemes 6 and 7

	trees []int // n of the trees against wheels
	large []int // n of the longest tick by the lowest wheel, and of an application that uses the caches
}

// Quick is what the main job measures unless the user asks for more.
var Quick = Size{
	rounds:     7, // an interval needs 6; the first command is to end within 150 s on two cores
	passes:     4, // as many as these 150 s allow
	limits:     run.Limits{Run: 200 * time.Millisecond, Memory: 2 << 30},
	sizes:      []int{100, 1_000, 10_000, 100_000},
	operations: 10_000,
	choice: Grid{
		N: 10_000, Slots: []int{256, 4096}, Levels: []int{2, 4}, Turns: 1, Most: 100_000,
		Chunked: 0.5, // the zone in which the form decides
		Means:   []schemes.Tick{128, 512, 1024, 2048, 8192},
	},
	byN:   []int{10, 100, 1_000, 10_000, 100_000},
	trees: []int{1_000, 10_000, 100_000},
}

// Full has more sizes, both forms of schemes 6 and 7 at four n, and what only tables read.
var Full = Size{
	rounds:     8,  // Full is to take at most 150 minutes on two cores
	more:       20, // START and STOP of lists differ by little (S1-3), as do heaps at two n (Z-2)
	passes:     2,
	limits:     run.Limits{Run: 5 * time.Second, Memory: 8 << 30},
	sizes:      []int{100, 1_000, 10_000, 100_000, 1_000_000},
	operations: 100_000,
	choice: Grid{
		N: 10_000, Slots: []int{256, 1024, 4096, 16384}, Levels: []int{2, 4}, Turns: 2, Most: 1_000_000,
		Chunked: math.Inf(1), Means: []schemes.Tick{64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536},
	},
	others: []Grid{otherN(1_000, 128_000, 1.2, 1.7, 64), otherN(100_000, 2_000_000, 1.2, 1.7, 64), otherN(1_000_000, 2_000_000)},
	free:   &freeGrid,
	byN:    []int{10, 100, 1_000, 10_000, 100_000, 1_000_000, tenMillion},
	trees:  []int{1_000, 10_000, 100_000, 1_000_000},
	large:  []int{100_000, 1_000_000},
}

// Machine is for comparing machines: what the answers read, in 25 minutes on two cores.
var Machine = func() Size {
	z, free := Full, freeGrid
	free.Workloads, free.Drawn = 12, 4
	z.rounds, z.more, z.free = 6, 0, &free
	z.choice = Quick.choice
	z.choice.Chunked = math.Inf(1)
	z.others, z.large = nil, nil
	z.byN = []int{10, 100, 1_000, 10_000, 100_000, 1_000_000}
	return z
}()

// Smoke is so small that it only shows that everything works.
var Smoke = Size{
	rounds:     2,
	limits:     run.Limits{Run: 20 * time.Millisecond, Memory: 1 << 30},
	sizes:      []int{100, 1_000},
	operations: 2_000,
	choice: Grid{
		N: 1_000, Slots: []int{64, 256}, Levels: []int{2, 4}, Turns: 1,
		Means: []schemes.Tick{64, 512, 2048},
	},
	trees: []int{100, 1_000},
}

// The sweep's workload. M reaches the longest interval, 9.0 times the mean, which
// is 4/3 of T with these stops: so scheme 4 takes part.
const (
	sweepT      = 1_000
	sweepSlots  = 16_384
	sweepLevels = 4
	sweepStop   = 0.5
	sweepStopAt = 0.5
)

// Plan returns every cell of the size.
func (z Size) Plan(seed uint64) run.Plan {
	p := run.Plan{Rounds: z.rounds, Passes: z.passes, Seed: seed, Limits: z.limits}
	subjects := run.Controls(run.NewSubject(&hashunsorted.Info, sweepSlots, sweepLevels))
	for _, info := range harness.Schemes { // claimCells adds other variants
		if info.IsBase() || info == &ordered.Rear {
			subjects = append(subjects, run.NewSubject(info, sweepSlots, sweepLevels))
		}
	}
	for _, n := range z.sizes { // the operations apart, and the single PerTicks
		spec := workload.Spec{
			N: n, T: sweepT, Dist: workload.Exp, Stop: sweepStop, StopAt: sweepStopAt, Seed: seed,
		}
		p.Groups = append(p.Groups,
			run.Group{Mode: run.Operations, Spec: run.Batched(spec, z.operations, subjects), Subjects: subjects},
			run.Group{Mode: run.Latency, Spec: run.Lasting(spec, z.operations, subjects), Subjects: subjects})
	}
	grid := z.choice
	grid.Seed = seed
	p.Groups = append(p.Groups, grid.Steps().Groups()...)
	p.Groups = append(p.Groups, grid.Judging().Groups()...)
	p.Groups = append(p.Groups, z.otherGroups(grid)...)
	if z.free != nil {
		p.Groups = append(p.Groups, z.free.Groups(seed)...)
	}
	for _, g := range claimCells(z.trees, z.operations, seed) {
		g.More = z.more
		p.Groups = append(p.Groups, g)
	}
	for _, g := range append(HeapOrWheel(z.byN, z.operations, seed), orders(atLeast(z.byN, 1_000), z.operations, seed)...) {
		if g.Spec.N == tenMillion {
			g.More = fewer
		}
		p.Groups = append(p.Groups, g)
	}
	for _, n := range z.large {
		p.Groups = append(p.Groups, lowestWheels(n, seed))
	}
	if len(z.large) > 0 { // with as many timers as the caches hold
		p.Groups = append(p.Groups, coldLifetimes(z.large[0], seed))
	}
	return p
}

func atLeast(all []int, least int) []int {
	return slices.DeleteFunc(slices.Clone(all), func(n int) bool { return n < least })
}

// otherN returns the grid of schemes 6 and 7 at another n than the main one: T near the break-even, and far beyond it.
func otherN(n, most int, parts ...float64) Grid {
	return Grid{
		N: n, Slots: []int{256, 1024, 4096, 16384}, Levels: []int{2, 4}, Turns: 1, Most: most, Chunked: math.Inf(1),
		PerSlot: append(parts, 0.25, 0.5, 1, 1.4, 2, 8), Stops: []workload.Stops{{}}, Dist: workload.Exp,
	}
}

// otherGroups compares schemes 6 and 7 at other n: costs of steps are measured at each, T* is looked for without stops,
// and a fraction of all combinations of n, M, T, stops and intervals is measured.
func (z Size) otherGroups(main Grid) (groups []run.Group) {
	if len(z.others) == 0 {
		return nil
	}
	sparse := Sparse{
		Grids: []Grid{main}, Slots: main.Slots, Parts: []float64{0.125, 0.25, 0.5, 1, 2, 8},
		Stops: []workload.Stops{{}, {Share: 0.5, At: 0.3}, {Share: 0.9, At: 0.05}, {Share: 0.99, At: 0.05}},
		Dists: []workload.Dist{workload.Exp, workload.Const, workload.Pareto},
	}
	for _, g := range z.others {
		g.Seed = main.Seed
		groups = append(groups, g.Steps().Groups()...)
		groups = append(groups, g.Groups()...)
		sparse.Grids = append(sparse.Grids, g)
	}
	return append(groups, sparse.Groups(main.Seed)...)
}
