package plan

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// Grid is where schemes 6 and 7 are compared: at every M and T, with and without stops, at equal total slots.
type Grid struct {
	N       int            // timers outstanding
	Slots   []int          // M, ascending: the same in all wheels of scheme 7 together
	Levels  []int          // m of scheme 7, ascending
	Means   []schemes.Tick // T
	PerSlot []float64      // further T, in M
	Stops   []workload.Stops
	Dist    workload.Dist
	Chunked float64 // J in M up to which chunked forms take part beside linked ones
	Turns   int     // length of a run, in T, at least
	Most    int     // lifetimes in a run, at most; 0: 32 N
	AllM    []int   // M of all cells on the same workloads, whose runs are one; nil: Slots
	Seed    uint64
}

// Steps returns the grid that gives C6 and C7 of a Regime: the least and the greatest M of g on the same workloads.
func (g Grid) Steps() Grid {
	g.Slots = []int{g.Slots[0], g.Slots[len(g.Slots)-1]}
	g.Means, g.PerSlot = []schemes.Tick{700, 3_000, 11_000}, nil
	g.Stops = []workload.Stops{{}}
	g.Dist = choice.StepDist
	g.Seed++
	return g
}

// Judging returns g with the distribution and the stops that are judged.
func (g Grid) Judging() Grid {
	g.Stops = []workload.Stops{{}, {Share: 0.9, At: 0.05}}
	g.Dist = workload.Exp
	return g
}

// Groups returns the grid's cells. Each has the null scheme and the A/A pair of scheme 6, and the
// hierarchies that reach their steady state within the run.
func (g Grid) Groups() (groups []run.Group) {
	for _, slots := range g.Slots {
		means := slices.Clone(g.Means)
		for _, part := range g.PerSlot {
			means = append(means, schemes.Tick(part*float64(slots)))
		}
		for _, T := range means {
			for _, stops := range g.Stops {
				groups = append(groups, g.group(slots, T, stops))
			}
		}
	}
	return groups
}

func (g Grid) group(slots int, T schemes.Tick, stops workload.Stops) run.Group {
	spec := workload.Spec{N: g.N, T: T, Dist: g.Dist, Stop: stops.Share, StopAt: stops.At, Seed: g.Seed}
	lives := spec.Lives()
	spec.Ticks = g.ticks(T, lives)
	group := run.Group{Mode: run.Lifetimes, Spec: spec}
	for _, form := range []struct {
		six, seven, ahead *schemes.Info
	}{
		{&hashunsorted.Info, &hierarchical.Info, &hierarchical.Ahead},
		{&hashunsorted.Chunked, &hierarchical.Chunked, &hierarchical.AheadChunked},
	} {
		six := run.NewSubject(form.six, slots, 0)
		controls := run.Controls(six)
		if len(group.Subjects) > 0 { // the null scheme, which is the first, takes part once
			controls = controls[1:]
		}
		group.Subjects = append(append(group.Subjects, controls...), six)
		for _, m := range g.Levels {
			seven := run.NewSubject(form.seven, slots, m)
			if g.Dist == choice.StepDist || steadyIn(cost.Descents7(lives, seven.Levels), spec.Ticks) {
				group.Subjects = append(group.Subjects, seven)
				if m == choice.AheadLevels && g.Dist != choice.StepDist {
					ahead := run.NewSubject(form.ahead, slots, m)
					ahead.Tag = choice.AheadSet
					group.Subjects = append(group.Subjects, ahead)
				}
			}
		}
		if workload.NumbersOf(1, lives).Interval > g.Chunked*float64(slots) {
			break
		}
	}
	return group
}

// steadyIn reports whether scheme 7 migrates about as often in a run of some ticks as in the long run:
// within half of the tolerance of a judge, as the counts of a run also vary by chance.
func steadyIn(descents []cost.Descent, ticks schemes.Tick) bool {
	steady := cost.MigrationsIn(descents, math.MaxInt64)
	return math.Abs(cost.MigrationsIn(descents, ticks)-steady) <= choice.Tolerance(steady)/2
}

// leastLifetimes is how many a run has at least: fewer would differ by chance.
const leastLifetimes = 10_000

// ticks returns the shortest run, of all lengths between Turns and Most, in which the most hierarchies
// of the grid reach their steady state: workloads are the same for all M, so that all share a trace.
func (g Grid) ticks(T schemes.Tick, lives []workload.Life) schemes.Tick {
	least := T * schemes.Tick(max(g.Turns, (leastLifetimes+g.N-1)/g.N))
	most := schemes.Tick(float64(T) * float64(cmp.Or(g.Most, 32*g.N)) / float64(g.N))
	var hierarchies [][]cost.Descent
	slots := g.AllM
	if slots == nil {
		slots = g.Slots
	}
	for _, slots := range slots {
		for _, m := range g.Levels {
			hierarchies = append(hierarchies, cost.Descents7(lives, run.NewSubject(&hierarchical.Info, slots, m).Levels))
		}
	}
	return lengthOf(least, most, hierarchies, steadyIn)
}

// lengthOf returns the shortest run, of at least least and about most ticks, in which the most hierarchies are steady.
func lengthOf(least, most schemes.Tick, hierarchies [][]cost.Descent, steady func([]cost.Descent, schemes.Tick) bool) schemes.Tick {
	lengths := []schemes.Tick{least}
	for _, descents := range hierarchies {
		for _, d := range descents {
			first := (least + d.Width - 1) / d.Width * d.Width
			for i := schemes.Tick(0); i < 256 && first+i*d.Width <= most; i++ {
				lengths = append(lengths, first+i*d.Width)
			}
		}
	}
	slices.Sort(lengths)
	best, reached := least, -1
	for _, ticks := range slices.Compact(lengths) {
		n := 0
		for _, descents := range hierarchies {
			if steady(descents, ticks) {
				n++
			}
		}
		if n > reached {
			best, reached = ticks, n
		}
	}
	return best
}

// Sparse is a fraction of a full factorial: of n, M, T in M, stops and distributions.
type Sparse struct {
	Grids []Grid // one for each n
	Slots []int
	Parts []float64 // T in M
	Stops []workload.Stops
	Dists []workload.Dist
}

// Groups returns cells of the factorial in random order: each has a pair of values of two factors that none before it
// has, and all together have every pair.
func (s Sparse) Groups(seed uint64) (groups []run.Group) {
	sizes := []int{len(s.Dists), len(s.Stops), len(s.Parts), len(s.Slots), len(s.Grids)}
	type pair struct{ factor, value, other, otherValue int }
	covered := map[pair]bool{}
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(combin.Card(sizes)) {
		row, fresh := combin.SubFor(nil, i, sizes), false
		for f := range row {
			for o := range f {
				p := pair{f, row[f], o, row[o]}
				fresh = fresh || !covered[p]
				covered[p] = true
			}
		}
		if fresh {
			g := s.Grids[row[4]]
			g.Slots, g.AllM, g.Means, g.PerSlot = s.Slots[row[3]:][:1], s.Slots, nil, s.Parts[row[2]:][:1]
			g.Stops, g.Dist = s.Stops[row[1]:][:1], s.Dists[row[0]]
			groups = append(groups, g.Groups()...)
		}
	}
	return groups
}
