package choice

import (
	"fmt"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Rule chooses between schemes 6 and 7 by what a user knows before running anything. It has no fitted constant, and was
// written down here, on November 23, 2026, before the measurements that are to judge it. Older ones were known.
// J is the mean interval asked for, M all slots, n the timers.
var Rule = fmt.Sprintf("6 if slots are lists, J ≤ M/%d and M ≤ %d n; else 7; with sizes free, 7 with four wheels",
	slotsPerJ, slotsPerTimer)

const (
	slotsPerJ     = 2 // slots for a tick of J, from which Rule may choose 6
	slotsPerTimer = 8 // slots for a timer, up to which it does
	farJ          = 2 // J in M: beyond it there is little doubt, so these cells are a zone of their own
)

// Expectation is what was registered with Rule: what older data had shown on a machine by another vendor (2^k slots, n
// from 1k to 100k, none and 90 % stopped, both forms, 271 decided cells).
type Expectation struct {
	Right, Mean, Worst, AlwaysSeven float64 // share of cells in which it is right; regrets; mean regret of always 7
	Outcome                         string  // of Mean: met, missed or open
}

// expected returns what a measured mean regret says of what was registered. It is missed if the interval is above. It is
// open if the interval is so wide that it does not tell Rule from always 7, or infinite.
func expected(mean results.Estimate) Expectation {
	e := Expectation{Right: 0.98, Mean: 0.0012, Worst: 0.09, AlwaysSeven: 0.0091, Outcome: "open"}
	switch {
	case mean.N == 0 || !mean.Bounded():
	case mean.Lo > e.Mean:
		e.Outcome = "missed"
	case mean.Hi < e.AlwaysSeven:
		e.Outcome = "met"
	}
	return e
}

// short reports whether J is so short that Rule may choose 6.
func (c Cell) short() bool { return slotsPerJ*c.J <= float64(c.Slots) }

// sixIf returns 6 if a condition holds, slots are lists and M is at most slotsPerTimer n; else 7.
func (c Cell) sixIf(condition bool) Winner {
	if condition && c.Form == Linked && c.Slots <= slotsPerTimer*c.N {
		return 6
	}
	return 7
}

// ByRule returns what Rule says at the sizes of the cell.
func (c Cell) ByRule() Winner { return c.sixIf(c.short()) }

// migrationsPerVisit is how many migrations of scheme 7 ByCounts takes to cost as much as a wasted visit of scheme 6. It
// was chosen on data that were known: the 97.2 % right and the mean regret of 0.29 % that it has there, where Rule has
// 96.3 % and 0.43 %, are a fit. Only younger data score it.
const migrationsPerVisit = 2

// ByCounts returns what the counts of a run say without a clock.
func (c Cell) ByCounts() Winner { return c.sixIf(migrationsPerVisit*c.Visits <= c.Migrated) }

// Zone is a part of the cells, by what Rule asks, in which it always chooses the same. A ratio of a zone is the geometric
// mean over its cells in each round, and the median and the interval of these means over rounds. It is zero if no
// round has all cells.
type Zone struct {
	Name        string
	Choose      Winner
	Cells       int
	Ratio       results.Estimate // of 6 to 7
	Control     results.Estimate // of the A/A pairs on the workloads of the cells; zero if there are none
	Winner      Winner           // by Ratio
	SixByCounts int              // cells in which ByCounts says 6
	Score                        // of Rule, over the decided cells
	in          func(Cell) bool
}

var zones = []Zone{
	{Name: fmt.Sprintf("J > %d M", farJ), Choose: 7, in: func(c Cell) bool { return c.InM() > farJ }},
	{Name: fmt.Sprintf("M/%d < J ≤ %d M", slotsPerJ, farJ), Choose: 7,
		in: func(c Cell) bool { return !c.short() && c.InM() <= farJ }},
	{Name: fmt.Sprintf("J ≤ M/%d, slots are lists, M ≤ %d n", slotsPerJ, slotsPerTimer), Choose: 6,
		in: func(c Cell) bool { return c.ByRule() == 6 }},
	{Name: fmt.Sprintf("J ≤ M/%d, slots are arrays", slotsPerJ), Choose: 7,
		in: func(c Cell) bool { return c.short() && c.Form == Chunked }},
	{Name: fmt.Sprintf("J ≤ M/%d, slots are lists, M > %d n", slotsPerJ, slotsPerTimer), Choose: 7,
		in: func(c Cell) bool { return c.short() && c.Form == Linked && c.ByRule() == 7 }},
}

// Zones returns the zones that have cells.
func (c *Choice) Zones() (all []Zone) {
	for _, z := range zones {
		cells := slices.DeleteFunc(slices.Clone(c.Cells), func(c Cell) bool { return !z.in(c) })
		if len(cells) == 0 {
			continue
		}
		var pairs []results.Pair
		for _, cell := range cells {
			pairs = append(pairs, results.Pair{Over: cell.six, Under: cell.Key})
			if cell.ByCounts() == 6 {
				z.SixByCounts++
			}
		}
		controls := c.table.Controls(func(k results.Key) bool {
			first, _ := k.Control()
			return slices.ContainsFunc(cells, func(c Cell) bool { return first == c.six || first == c.Key })
		})
		z.Cells, z.Score = len(cells), ScoreOf(Cell.ByRule, cells)
		z.Ratio, _ = c.table.GeometricMean(pairs, units.NsPerOp)
		z.Control, _ = c.table.GeometricMean(controls, units.NsPerOp)
		z.Winner = winner(z.Ratio)
		all = append(all, z)
	}
	return all
}

// ByCounts returns the scheme that Cell.ByCounts returns in all cells of the zone, or Tie.
func (z Zone) ByCounts() Winner { return map[int]Winner{z.Cells: 6, 0: 7}[z.SixByCounts] }

// BreakEven returns the J in M up to which scheme 6 costs less on lists, and beyond which scheme 7 does, and the M in n up to
// which that holds: those of Rule, if the zones on both sides of this J were measured and agree, else 0.
func (c *Choice) BreakEven() (j, slots float64) {
	agree := 0
	for _, z := range c.Zones() {
		if (z.Name == zones[1].Name || z.Name == zones[2].Name) && z.Winner == z.Choose {
			agree++
		}
	}
	if agree < 2 {
		return 0, 0
	}
	return 1. / slotsPerJ, slotsPerTimer
}
