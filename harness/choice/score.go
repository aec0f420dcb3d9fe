package choice

import (
	"cmp"
	"fmt"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/results"
)

// Winner is the number of the cheaper scheme, or Tie.
type Winner int

// Tie is the winner where an interval holds 1, and what a rule says that names no scheme.
const Tie Winner = 0

// Other returns the scheme that is not w.
func (w Winner) Other() Winner { return 6 + 7 - w }

// winner returns the cheaper scheme of a ratio of 6 to 7 if its interval excludes 1.
func winner(ratio results.Estimate) Winner {
	switch {
	case !ratio.Excludes(1):
		return Tie
	case ratio.Median < 1:
		return 6
	}
	return 7
}

// The rules that are scored, by their places in Choice.Scores. None has a constant that was fitted to what it judges; see
// migrationsPerVisit for ByCounts.
const (
	Always6 = iota
	Always7
	TheRule  // see Rule
	ByCounts // asks for counts of a run, and for no clock
	PaperBound
)

var rules = []struct {
	name string
	says func(Cell) Winner
}{
	Always6: {"always 6", func(Cell) Winner { return 6 }},
	Always7: {"always 7", func(Cell) Winner { return 7 }},
	TheRule: {fmt.Sprintf("6 if lists, J ≤ M/%d, M ≤ %d n; else 7", slotsPerJ, slotsPerTimer), Cell.ByRule},
	ByCounts: {fmt.Sprintf("6 if lists, %d·wasted ≤ migrations, M ≤ %d n; else 7 (by counts)", migrationsPerVisit, slotsPerTimer),
		Cell.ByCounts},
	PaperBound: {"7 if T > m·M·c7/c6, the paper's bound", Cell.Bound},
}

// TheRule returns the score of Rule.
func (c *Choice) TheRule() Score { return c.Scores[TheRule] }

// AlwaysSeven returns the score of a choice that asks for nothing.
func (c *Choice) AlwaysSeven() Score { return c.Scores[Always7] }

// bySeries orders cells by all but T: the cells of a series differ in it alone.
func bySeries(a, b Cell) int {
	return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.N, b.N), cmp.Compare(a.Key.Dist, b.Key.Dist),
		cmp.Compare(a.Slots, b.Slots), cmp.Compare(len(a.Levels), len(b.Levels)), slices.Compare(a.Levels, b.Levels),
		cmp.Compare(a.Stop, b.Stop))
}

// Bound is what the paper's expressions say: scheme 7's is an upper bound, so it names 7 where that is
// below the cost of scheme 6, and none elsewhere. c7/c6 is the upper end of its interval: an error of what a step costs
// is none of the bound. It names none if that is infinite, or was not measured.
func (c Cell) Bound() Winner {
	if ratio := c.Regime.Ratio.Hi; ratio > 0 && float64(c.Spec.T) > cost.PaperCrossover(ratio, c.Slots, len(c.Levels)) {
		return 7
	}
	return Tie
}

// Regret returns the extra cost of a chosen scheme over the cheaper one, as a share of the latter's. The ratio is the
// cost of scheme 6 over the cost of scheme 7.
func Regret(ratio float64, chosen Winner) float64 {
	if chosen == 7 {
		ratio = 1 / ratio
	}
	return max(ratio, 1) - 1
}

// Score is how good a rule is on the cells that have a winner.
type Score struct {
	Rule    string           // "" if Judge does not score it
	Decided int              // cells with a winner
	Named   int              // decided cells in which the rule names a scheme
	Right   int              // named cells in which it names the winner
	Mean    results.Estimate // regret over Named
	Other   float64          // mean regret over Named of the other scheme
	Worst   results.Estimate // the largest regret, with the interval of its cell, not of a maximum
}

// RightShare returns the share of the cells in which the rule names a scheme that it names the winner.
func (s Score) RightShare() float64 { return float64(s.Right) / float64(max(1, s.Named)) }

// ScoreOf scores what a rule says on some cells. The intervals of means are of whole series resampled: neighbours in T,
// and cells that share a cell of scheme 6, are not independent.
func ScoreOf(says func(Cell) Winner, cells []Cell) (s Score) {
	type group struct{ n, regret float64 } // sums over cells that are not independent
	var groups []group
	index := map[string]int{}
	for _, cell := range cells {
		if cell.Winner == Tie {
			continue
		}
		s.Decided++
		chosen := says(cell)
		if chosen == Tie {
			continue
		}
		s.Named++
		id := fmt.Sprint(cell.Form, cell.N, cell.Key.Dist, cell.Slots, cell.Stop)
		if _, ok := index[id]; !ok {
			index[id] = len(groups)
			groups = append(groups, group{})
		}
		g := &groups[index[id]]
		g.n++
		s.Other += Regret(cell.Ratio.Median, chosen.Other())
		if chosen == cell.Winner {
			s.Right++
			continue
		}
		r := Regret(cell.Ratio.Median, chosen)
		g.regret += r
		if r > s.Worst.Median {
			a, b := Regret(cell.Ratio.Lo, chosen), Regret(cell.Ratio.Hi, chosen)
			s.Worst = cell.Ratio
			s.Worst.Median, s.Worst.Lo, s.Worst.Hi = r, min(a, b), max(a, b)
		}
	}
	if len(groups) == 0 {
		return s
	}
	s.Other /= float64(s.Named)
	s.Mean = results.Bootstrap(groups, 1000, func(groups []group) float64 {
		var sum, n float64
		for _, g := range groups {
			sum, n = sum+g.regret, n+g.n
		}
		return sum / n
	})
	return s
}
