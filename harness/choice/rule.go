package choice

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
		z.Score = ScoreOf(func(c Cell) Winner {
			if z.in(c) {
				return z.Choose
			}
			return Tie
		}, c.Cells)
		if z.Named > 0 {
			all = append(all, z)
		}
	}
	return all
}

// Free is a workload for which sizes may be chosen: in one form, the cheapest of those measured.
type Free struct {
	Cell               // four wheels of the most slots, which Rule chooses
	Six, Seven float64 // ns of each scheme at its best sizes
	Fixed      float64 // ns of four wheels of 256 slots; 0: not measured
}

// Regret returns what a choice with the most slots costs more than the best of all sizes: four wheels, or scheme 6.
func (f Free) Regret(chosen Winner) float64 {
	ns := f.Cell.Seven.Median
	if chosen == 6 {
		ns = f.Cell.Six.Median
	}
	return ns/min(f.Six, f.Seven) - 1
}

// Free returns the workloads that were measured with several M, four wheels of the most slots among them.
func (c *Choice) Free() (all []Free) {
	byWorkload := map[string][]Cell{}
	var order []string
	for _, cell := range c.Cells {
		id := fmt.Sprint(cell.Form, cell.N, cell.Spec)
		if byWorkload[id] == nil {
			order = append(order, id)
		}
		byWorkload[id] = append(byWorkload[id], cell)
	}
	for _, id := range order {
		cells := byWorkload[id]
		f := Free{Cell: cells[0], Six: math.Inf(1), Seven: math.Inf(1)}
		least := cells[0].Slots
		for _, cell := range cells {
			f.Six, f.Seven = min(f.Six, cell.Six.Median), min(f.Seven, cell.Seven.Median)
			least = min(least, cell.Slots)
			if slices.Equal(cell.Levels, schemes.DefaultLevels()) {
				f.Fixed = cell.Seven.Median
			}
			if cmp.Or(cmp.Compare(cell.Slots, f.Slots), cmp.Compare(len(cell.Levels), len(f.Levels))) > 0 {
				f.Cell = cell
			}
		}
		if len(f.Levels) == 4 && f.Slots > least {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Free) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.J, b.J)) })
	return all
}

// SizesFree has, of one regime, the regrets in each workload for which sizes may be chosen.
type SizesFree struct {
	*Regime
	Six, Seven, Fixed []float64 // of scheme 6 and of four wheels, both with the most slots, and of four wheels of 256
}

// SizesFree returns the regrets in each regime that has workloads with several sizes.
func (c *Choice) SizesFree() (all []SizesFree) {
	free := c.Free()
	for _, r := range c.Regimes {
		f := SizesFree{Regime: r}
		for _, w := range free {
			if w.Regime != r {
				continue
			}
			f.Six, f.Seven = append(f.Six, w.Regret(6)), append(f.Seven, w.Regret(7))
			if w.Fixed > 0 {
				f.Fixed = append(f.Fixed, w.Fixed/min(w.Six, w.Seven)-1)
			}
		}
		if len(f.Seven) > 0 {
			all = append(all, f)
		}
	}
	return all
}
