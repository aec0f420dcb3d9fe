package choice

import (
	"maps"
	"math"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// step is a cell in which a lifetime takes some steps: wasted visits or migrations.
type step struct {
	group string // of cells that differ in nothing else that costs time
	steps float64
	ns    map[int]float64 // by round
}

// measureSteps sets C6, C7 and their ratio: slopes of ns over steps, by the cells with StepDist drawn intervals. A slope
// is of one M, as wide wheels cost cache misses that no step causes. It holds the cache misses of a step.
//
// The levels of scheme 7 differ at one M, and with them its migrations, on one and the same workload. The visits of scheme
// 6 differ by T, and so do its ticks: M/n for each visit. The time of the null scheme, less which is counted, has the
// harness's part of a tick. What is left is what an empty slot costs, about 1 ns, and c6 is too high by M/n of it: at the
// least M of the grid, which is read alone, by 0.3 ns at n = 1k and M = 256, and by a hundredth of that at n = 100k.
//
// Wheels whose slots are no power of two divide, which would count as a step's cost: they are left out.
func (c *Choice) measureSteps(r *Regime) {
	least := math.MaxInt
	for _, k := range c.table.Keys {
		if r.has(k, 6) && k.Dist == StepDist.String() {
			least = min(least, c.table.Cell(k).Slots)
		}
	}
	var six, seven []step
	for _, k := range c.table.Keys {
		cell := c.table.Cell(k)
		switch {
		case k.Dist != StepDist.String() || odd(cell.Levels):
		case r.has(k, 6) && cell.Slots == least:
			null, ns := k, map[int]float64{}
			null.Scheme = "null"
			harness := c.table.ByRound(null, units.NsPerOp)
			for round, all := range c.table.ByRound(k, units.NsPerOp) {
				if part, ok := harness[round]; ok {
					ns[round] = all - part
				}
			}
			visits, _ := c.table.Count(k, units.VisitsPerOp) // a cell without counts has no times either
			six = append(six, step{k.Stop, visits - workload.NumbersOf(1, c.livesOf(cell.Spec)).Expired, ns})
		case r.has(k, 7):
			migrations, _ := c.table.Count(k, units.MigrationsPerOp)
			seven = append(seven, step{k.T + " " + k.Stop + " " + k.Slots, migrations, c.table.ByRound(k, units.NsPerOp)})
		}
	}
	c6, c7 := slopes(six), slopes(seven)
	var ratios []float64
	for round, visit := range c6 {
		if migration, ok := c7[round]; ok {
			// Where c6 is not above 0, nothing bounds the ratio: it is infinite. So is an end of its interval if that
			// is so in a few rounds, and it has no median, NaN, if it is so in most.
			ratios = append(ratios, migration/max(visit, 0))
		}
	}
	r.C6, r.C7 = results.Summarize(slices.Collect(maps.Values(c6))), results.Summarize(slices.Collect(maps.Values(c7)))
	r.Ratio = results.Summarize(ratios)
}

// slopes returns the slope of ns over steps, by least squares within the groups, in each round that has all cells. The
// errors of times are relative, so a group has the weight of its mean.
func slopes(cells []step) map[int]float64 {
	groups, measured := map[string][]step{}, map[int]int{}
	for _, s := range cells {
		groups[s.group] = append(groups[s.group], s)
		for round := range s.ns {
			measured[round]++
		}
	}
	slopes := map[int]float64{}
	for round, n := range measured {
		if n < len(cells) {
			continue
		}
		var xy, xx float64
		for _, name := range slices.Sorted(maps.Keys(groups)) { // in one order, for the same sums in every run
			n := float64(len(groups[name]))
			var x, y float64 // means
			for _, s := range groups[name] {
				x, y = x+s.steps/n, y+s.ns[round]/n
			}
			for _, s := range groups[name] {
				xy, xx = xy+(s.steps-x)*(s.ns[round]-y)/y/y, xx+(s.steps-x)*(s.steps-x)/y/y
			}
		}
		if xx > 0 {
			slopes[round] = xy / xx
		}
	}
	return slopes
}
