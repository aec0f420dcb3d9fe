package choice

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Rule chooses between schemes 6 and 7 by what a user knows before running anything. It has no fitted constant, and was
// written down here, on November 23, 2026, before the measurements that are to judge it. Older ones were known.
//
// On a machine by another vendor (2^k slots, n from 1k to 100k, none and 90 % stopped, both forms, 271 decided cells)
// it was right in 98 %, its mean regret was 0.12 %, the worst 9 %. Always 7 was right in 92 %, with 0.91 % and 30 %.
// J is the mean interval asked for, M all slots, n the timers.
var Rule = fmt.Sprintf("6 if slots are lists, J ≤ M/%d and M ≤ %d n; else 7; with sizes free, 7 with four wheels",
	slotsPerJ, slotsPerTimer)

const (
	slotsPerJ     = 2 // slots for a tick of J, from which Rule may choose 6
	slotsPerTimer = 8 // slots for a timer, up to which it does
	farJ          = 2 // J in M: beyond it there is little doubt, so these cells are a zone of their own
)

// short reports whether J is so short that Rule may choose 6.
func (c Cell) short() bool { return slotsPerJ*c.J <= float64(c.Slots) }

// ByRule returns what Rule says at the sizes of the cell.
func (c Cell) ByRule() Winner {
	if c.Form == Linked && c.short() && c.Slots <= slotsPerTimer*c.N {
		return 6
	}
	return 7
}

// Zone is a part of the cells, by what Rule asks, in which it always chooses the same.
type Zone struct {
	Name   string
	Choose Winner
	in     func(Cell) bool
	Score
}

var zones = []Zone{
	{Name: fmt.Sprintf("J > %d M", farJ), Choose: 7, in: func(c Cell) bool { return c.InM() > farJ }},
	{Name: fmt.Sprintf("M/%d < J ≤ %d M", slotsPerJ, farJ), Choose: 7,
		in: func(c Cell) bool { return !c.short() && c.InM() <= farJ }},
	{Name: fmt.Sprintf("J ≤ M/%d, slots are lists, M ≤ %d n", slotsPerJ, slotsPerTimer), Choose: 6,
		in: func(c Cell) bool { return c.ByRule() == 6 }},
	{Name: fmt.Sprintf("J ≤ M/%d, slots are arrays or M > %d n", slotsPerJ, slotsPerTimer), Choose: 7,
		in: func(c Cell) bool { return c.short() && c.ByRule() == 7 }},
}

// Zones scores Rule in each zone that has decided cells.
func (c *Choice) Zones() (all []Zone) {
	for _, z := range zones {
		z.Score = ScoreOf(Cell.ByRule, slices.DeleteFunc(slices.Clone(c.Cells), func(c Cell) bool { return !z.in(c) }))
		if z.Named > 0 {
			all = append(all, z)
		}
	}
	return all
}

// SizesFree has, of one regime, what choices cost more than the best of both schemes at all sizes: a share for each
// workload that was measured with several M, four wheels of the most slots among them.
type SizesFree struct {
	*Regime
	Six, Seven, Fixed []float64 // of scheme 6 and of four wheels, both with the most slots, and of four wheels of 256
}

// SizesFree returns the regrets in each regime that has workloads with several sizes.
func (c *Choice) SizesFree() (all []SizesFree) {
	for _, r := range c.Regimes {
		f, byWorkload := SizesFree{Regime: r}, map[workload.Spec][]Cell{}
		for _, cell := range c.Cells {
			if cell.Regime == r {
				byWorkload[cell.Spec] = append(byWorkload[cell.Spec], cell)
			}
		}
		for _, cells := range byWorkload {
			most, least := cells[0], cells[0].Slots
			best, fixed := math.Inf(1), math.NaN()
			for _, cell := range cells {
				best, least = min(best, cell.Six.Median, cell.Seven.Median), min(least, cell.Slots)
				if slices.Equal(cell.Levels, schemes.DefaultLevels()) {
					fixed = cell.Seven.Median
				}
				if cmp.Or(cmp.Compare(cell.Slots, most.Slots), cmp.Compare(len(cell.Levels), len(most.Levels))) > 0 {
					most = cell
				}
			}
			if len(most.Levels) != 4 || most.Slots == least {
				continue
			}
			f.Six, f.Seven = append(f.Six, most.Six.Median/best-1), append(f.Seven, most.Seven.Median/best-1)
			if !math.IsNaN(fixed) {
				f.Fixed = append(f.Fixed, fixed/best-1)
			}
		}
		for _, regrets := range [][]float64{f.Six, f.Seven, f.Fixed} {
			slices.Sort(regrets) // so that their mean does not depend on the order of the map
		}
		if len(f.Seven) > 0 {
			all = append(all, f)
		}
	}
	return all
}
