package claims

import (
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/results"
)

// winner returns the scheme with the cheaper lifetime if the interval of the ratio leaves 1
// out and its median leaves the noise band.
func winner(ratio results.Estimate, noise float64) cost.Winner {
	switch {
	case ratio.Hi < 1 && ratio.Median < 1/(1+noise):
		return 6
	case ratio.Lo > 1 && ratio.Median > 1+noise:
		return 7
	}
	return Tie
}

// noise returns the band that the A/A pair's ratios keep to in 95 of 100 cells: a
// difference that the same scheme shows against itself says nothing.
func noise(t *results.Table, n string) float64 {
	var off []float64
	for _, k := range t.Keys {
		if !inGrid(k, n, sixName+results.Again, fitDist) && !inGrid(k, n, sixName+results.Again, judgeDist) {
			continue
		}
		once := k
		once.Scheme = sixName
		if r, err := t.Ratio(k, once, nsPerOp); err == nil {
			off = append(off, math.Abs(math.Log(r.Median)))
		}
	}
	if len(off) == 0 {
		return math.Inf(1)
	}
	slices.Sort(off)
	return math.Exp(off[int(math.Ceil(results.Confidence*float64(len(off))))-1]) - 1
}

// Score is how many cells have a winner, and in how many of them each rule names
// it.
type Score struct{ Decided, Paper, Refined, Model int }

// Score counts the cells that keep accepts.
func (c *Choice) Score(keep func(ChoiceCell) bool) Score {
	var s Score
	for _, cell := range c.Cells {
		if cell.Winner == Tie || !keep(cell) {
			continue
		}
		s.Decided++
		for _, rule := range []struct {
			says  cost.Winner
			right *int
		}{{cell.Paper, &s.Paper}, {cell.Refined, &s.Refined}, {cell.Model(), &s.Model}} {
			if rule.says == cell.Winner {
				*rule.right++
			}
		}
	}
	return s
}

// Model names the scheme that the fitted costs make cheaper: those of visits and
// migrations, as in the refined rule, and those of start, stop, expiry and ticks.
func (cell ChoiceCell) Model() cost.Winner {
	if cell.Model6 <= cell.Model7 {
		return 6
	}
	return 7
}
