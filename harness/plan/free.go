package plan

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Free is where the sizes of schemes 6 and 7 are free: at each n the same number of workloads, and on each the
// configurations that advice names beside some that are drawn of all. Every value of a factor occurs as often as the
// others, as nearly as its number allows.
type Free struct {
	Timers     []int // n
	Workloads  int   // at each n
	Drawn      int   // configurations on each
	Means      []schemes.Tick
	Stops      []workload.Stops
	Dists      []workload.Dist
	Lowest     []int // slots of the lowest wheel of scheme 7
	Levels     []int // m
	SlotsATime int   // M of scheme 6, from 256 to 4 n, grows by this factor
}

// freeGrid is what the main job measures. It was written down before it was measured.
var freeGrid = Free{
	Timers: []int{1_000, 10_000, 20_000, 50_000, 100_000, 1_000_000}, Workloads: 30, Drawn: 6,
	Means:  []schemes.Tick{96, 384, 1536, 6144, 24_576, 98_304}, // of no other grid, whose runs have other lengths
	Stops:  []workload.Stops{{}, {Share: 0.5, At: 0.3}, {Share: 0.9, At: 0.05}, {Share: 0.99, At: 0.05}},
	Dists:  []workload.Dist{workload.Exp, workload.Const, workload.Pareto},
	Lowest: []int{64, 256, 1024, 4096, 16_384, 65_536}, Levels: []int{2, 3, 4}, SlotsATime: 4,
}

// Groups returns the cells, a group for each workload.
func (f Free) Groups(seed uint64) (groups []run.Group) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, n := range f.Timers {
		configs := f.configurations(n)
		rng.Shuffle(len(configs), func(i, j int) { configs[i], configs[j] = configs[j], configs[i] })
		for _, spec := range f.workloads(n, rng) {
			spec.Seed = seed
			groups, configs = append(groups, f.group(&spec, configs)), rotated(configs, f.Drawn)
		}
	}
	return groups
}

func rotated[T any](all []T, by int) []T {
	return append(slices.Clone(all[by%len(all):]), all[:by%len(all)]...)
}

// workloads draws combinations of T, stops and intervals, no value of which more often than its share.
func (f Free) workloads(n int, rng *rand.Rand) (all []workload.Spec) {
	sizes := []int{len(f.Means), len(f.Stops), len(f.Dists)}
	for len(all) < f.Workloads { // again, if what is left over has only values that are used up
		all = nil
		drawn := map[[2]int]int{} // how often, by factor and value
		for _, i := range rng.Perm(combin.Card(sizes)) {
			row := combin.SubFor(nil, i, sizes)
			often := len(all) == f.Workloads
			for factor, value := range row {
				often = often || drawn[[2]int{factor, value}]*sizes[factor] >= f.Workloads
			}
			if often {
				continue
			}
			for factor, value := range row {
				drawn[[2]int{factor, value}]++
			}
			stops := f.Stops[row[1]]
			all = append(all, workload.Spec{N: n, T: f.Means[row[0]], Stop: stops.Share, StopAt: stops.At, Dist: f.Dists[row[2]]})
		}
	}
	return all
}

// configuration is a scheme before its workload is known: M of scheme 6, or the lowest wheel and m of scheme 7.
type configuration struct {
	scheme        string
	slots, levels int
}

func (f Free) configurations(n int) (all []configuration) {
	for _, form := range []choice.Form{choice.Linked, choice.Chunked} {
		for slots := 256; slots <= 4*n; slots *= f.SlotsATime {
			all = append(all, configuration{"hashunsorted" + string(form), slots, 0})
		}
		for _, lowest := range f.Lowest {
			for _, m := range f.Levels {
				all = append(all, configuration{"hierarchical" + string(form), lowest, m},
					configuration{"hierarchical-ahead" + string(form), lowest, m})
			}
		}
	}
	return all
}

// subject returns the configuration for intervals up to longest: the wheels above the lowest are equal, and reach it.
func (c configuration) subject(longest schemes.Tick) run.Subject {
	if c.levels == 0 {
		return subject(c.scheme, c.slots, 0)
	}
	const leastBits = 6 // a wheel of fewer slots saves nothing
	left := bits.Len64(uint64(longest)) - bits.TrailingZeros(uint(c.slots))
	levels := []int{c.slots}
	for m := c.levels - 1; m > 0; m-- {
		b := max(leastBits, (left+m-1)/m)
		levels, left = append(levels, 1<<b), left-b
	}
	return wheels(c.scheme, levels...)
}

// group returns the cells of a workload, whose length it sets: the forms that advice names, and of the configurations
// the first that are in their steady state.
func (f Free) group(spec *workload.Spec, configs []configuration) run.Group {
	lives := spec.Lives()
	numbers := workload.NumbersOf(spec.N, lives)
	var all []run.Subject
	for _, c := range choice.Advised(spec.N, numbers.Interval) {
		s := subject(c.Scheme, c.Slots, 0)
		if len(c.Levels) > 0 {
			s = wheels(c.Scheme, c.Levels...)
		}
		all = append(all, s)
	}
	advised := len(all)
	for _, c := range configs {
		if s := c.subject(numbers.Longest); len(s.Levels) == 0 || slices.Max(s.Levels) <= slices.Max(f.Lowest) {
			all = append(all, s)
		}
	}
	var descents [][]cost.Descent
	for _, s := range all {
		descents = append(descents, cost.Descents7(lives, s.Levels))
	}
	least := spec.T * schemes.Tick((leastLifetimes+spec.N-1)/spec.N)
	spec.Ticks = lengthOf(least, spec.T*schemes.Tick(max(4, 1_000_000/spec.N)), descents[:min(len(all), advised+f.Drawn)], almostSteady)
	group, names := run.Group{Mode: run.Lifetimes}, map[string]bool{}
	for i, s := range all {
		if name := s.String(); !names[name] && (i < advised || almostSteady(descents[i], spec.Ticks)) && len(names) < advised+f.Drawn {
			group.Subjects, names[name] = append(group.Subjects, s), true
		}
	}
	group.Spec = *spec
	for i := range group.Subjects {
		group.Subjects[i].Tag = choice.FreeSet
	}
	return group
}

// almostSteady reports whether a run of some ticks is within a tenth of a migration for each timer of the long run: some
// hundredths of what a lifetime costs.
func almostSteady(descents []cost.Descent, ticks schemes.Tick) bool {
	return math.Abs(cost.MigrationsIn(descents, ticks)-cost.MigrationsIn(descents, math.MaxInt64)) <= 0.1
}
