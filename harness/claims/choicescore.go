package claims

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/results"
)

// Winner is the number of the cheaper scheme, or Tie.
type Winner int

// Tie is the winner where the noise decides, and what a rule says that names no scheme.
const Tie Winner = 0

// cheaper names the scheme with the lower cost; 6 if they are equal, none if one is NaN.
func cheaper(cost6, cost7 float64) Winner {
	switch {
	case cost6 <= cost7:
		return 6
	case cost6 > cost7:
		return 7
	}
	return Tie
}

// winner returns the cheaper scheme of a ratio of 6 to 7 if its interval leaves 1 out and its
// median leaves the noise band.
func winner(ratio results.Estimate, noise float64) Winner {
	switch {
	case ratio.Hi < 1 && ratio.Median < 1/(1+noise):
		return 6
	case ratio.Lo > 1 && ratio.Median > 1+noise:
		return 7
	}
	return Tie
}

// rule names a scheme for a cell, or none.
type rule struct {
	name string
	says func(ChoiceCell) Winner
}

// Names of rules.
const (
	Always6     = "always 6"
	Always7     = "always 7"
	PapersBound = "the paper's bound: 7 where c6·T/M > c7·m, else none"
)

// rules are those that are scored, from crude to fine.
func (c *Choice) rules() []rule {
	plain, stopped := c.constants()
	return []rule{
		{Always6, func(ChoiceCell) Winner { return 6 }},
		{Always7, func(ChoiceCell) Winner { return 7 }},
		{PapersBound, ChoiceCell.Bound},
		{fmt.Sprintf("two constants: 6 while T ≤ %s M without stops, %s M with", factor(plain), factor(stopped)),
			func(cell ChoiceCell) Winner {
				limit := stopped.Median
				if cell.Stop == "0" {
					limit = plain.Median
				}
				return cheaper(cell.stayInM(), limit)
			}},
		{"the counts rule: 6 while c6·wasted visits ≤ c7·migrations", func(cell ChoiceCell) Winner {
			return cheaper(cell.Wasted, cell.Fit.Ratio.Median*cell.Migrations)
		}},
		{"the model", ChoiceCell.Model},
	}
}

// factor writes a constant with its interval.
func factor(e results.Estimate) string {
	return fmt.Sprintf("%.2g (%.2g to %.2g)", e.Median, e.Lo, e.Hi)
}

// Bound is what the paper's expressions say: scheme 7's is an upper bound, so it names 7 where that is
// below the cost of scheme 6, and none elsewhere.
func (cell ChoiceCell) Bound() Winner {
	if float64(cell.T) > cost.PaperCrossover(cell.Fit.Ratio.Median, cell.Slots, len(cell.Levels)) {
		return 7
	}
	return Tie
}

// Model names the scheme that the model makes cheaper.
func (cell ChoiceCell) Model() Winner { return cheaper(cell.Model6, cell.Model7) }

func (cell ChoiceCell) stayInM() float64 { return float64(cell.T) / float64(cell.Slots) }

// Regret returns what it costs to choose a scheme, as a share of the cheaper one's cost.
func (cell ChoiceCell) Regret(chosen Winner) float64 {
	r := cell.Ratio.Median // of 6 to 7
	if chosen == 7 {
		r = 1 / r
	}
	return max(r, 1) - 1
}

// constants returns the T/M up to which scheme 6 is the better choice on the fitted cells: without
// stops, and with.
func (c *Choice) constants() (plain, stopped results.Estimate) {
	var without, with []ChoiceCell
	for _, cell := range c.Fitted {
		if cell.Stop == "0" {
			without = append(without, cell)
		} else {
			with = append(with, cell)
		}
	}
	return threshold(without), threshold(with)
}

// threshold returns the T/M at which to change from 6 to 7 with the least mean regret. Every value
// between two cells is as good: they are the interval.
func threshold(cells []ChoiceCell) (best results.Estimate) {
	slices.SortFunc(cells, func(a, b ChoiceCell) int { return cmp.Compare(a.stayInM(), b.stayInM()) })
	least := math.Inf(1)
	for i := 1; i < len(cells); i++ {
		lo, hi := cells[i-1].stayInM(), cells[i].stayInM()
		if lo == hi {
			continue
		}
		sum := 0.0
		for j, cell := range cells {
			sum += cell.Regret(map[bool]Winner{true: 6, false: 7}[j < i])
		}
		if sum < least {
			least, best = sum, results.Estimate{Median: math.Sqrt(lo * hi), Lo: lo, Hi: hi, N: len(cells)}
		}
	}
	return best
}

// Score is how good a rule is on the cells that have a winner.
type Score struct {
	Rule    string
	Decided int              // cells with a winner
	Named   int              // those in which the rule names a scheme
	Right   int              // those in which it names the winner
	Share   results.Estimate // Right of Named
	Mean    results.Estimate // regret over Named
	Worst   results.Estimate // the largest regret
	At      ChoiceCell       // where it is
}

// score scores the rules.
func (c *Choice) score() {
	for _, r := range c.rules() {
		c.Scores = append(c.Scores, scoreOf(r, c.Cells))
	}
}

// Always scores the choice of one scheme in the cells that keep accepts.
func (c *Choice) Always(chosen Winner, keep func(ChoiceCell) bool) Score {
	kept := slices.DeleteFunc(slices.Clone(c.Cells), func(cell ChoiceCell) bool { return !keep(cell) })
	return scoreOf(rule{says: func(ChoiceCell) Winner { return chosen }}, kept)
}

// scored is what a rule gets in one cell.
type scored struct {
	right, regret float64
	cell          ChoiceCell
}

func scoreOf(r rule, cells []ChoiceCell) Score {
	s := Score{Rule: r.name}
	var named []scored
	for _, cell := range cells {
		if cell.Winner == Tie {
			continue
		}
		s.Decided++
		says := r.says(cell)
		if says == Tie {
			continue
		}
		s.Named++
		x := scored{regret: cell.Regret(says), cell: cell}
		if says == cell.Winner {
			s.Right++
			x.right, x.regret = 1, 0
		}
		if x.regret >= s.Worst.Median {
			s.At, s.Worst = cell, cell.worst(says)
		}
		named = append(named, x)
	}
	s.Share = resampled(named, func(x scored) float64 { return x.right })
	s.Mean = resampled(named, func(x scored) float64 { return x.regret })
	return s
}

// worst returns the regret of a choice with the interval of the cell's ratio.
func (cell ChoiceCell) worst(chosen Winner) results.Estimate {
	at := func(ratio float64) float64 {
		cell.Ratio.Median = ratio
		return cell.Regret(chosen)
	}
	r := cell.Ratio
	a, b := at(r.Lo), at(r.Hi)
	return results.Estimate{Median: at(r.Median), Lo: min(a, b), Hi: max(a, b), N: r.N}
}

// resampled returns the mean of a value over cells. Neighbours in T, and those with the same cell of
// scheme 6, are not independent, so whole groups of them are drawn again for the interval.
func resampled(all []scored, value func(scored) float64) (e results.Estimate) {
	const draws, seed = 1000, 1
	type group struct{ sum, n float64 }
	var groups []group
	index := map[string]int{}
	for _, x := range all {
		id := fmt.Sprint(x.cell.Form, x.cell.N, x.cell.Dist, x.cell.Slots, x.cell.Stop)
		if _, ok := index[id]; !ok {
			index[id] = len(groups)
			groups = append(groups, group{})
		}
		groups[index[id]].sum += value(x)
		groups[index[id]].n++
		e.Median += value(x)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var means []float64
	for range min(draws, draws*len(groups)) {
		var drawn group
		for range groups {
			g := groups[r.IntN(len(groups))]
			drawn.sum, drawn.n = drawn.sum+g.sum, drawn.n+g.n
		}
		means = append(means, drawn.sum/drawn.n)
	}
	slices.Sort(means)
	if len(all) > 0 {
		e.Median /= float64(len(all))
		const tail = draws * 25 / 1000
		e.Lo, e.Hi, e.N = means[tail-1], means[draws-tail], len(groups)
	}
	return e
}
