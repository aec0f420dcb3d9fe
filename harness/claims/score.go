package claims

import (
	"cmp"
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// winner returns the cheaper scheme of a ratio of 6 to 7 if its interval leaves 1 out and its
// median leaves the noise band.
func winner(ratio results.Estimate, noise float64) cost.Winner {
	switch {
	case ratio.Hi < 1 && ratio.Median < 1/(1+noise):
		return 6
	case ratio.Lo > 1 && ratio.Median > 1+noise:
		return 7
	}
	return Tie
}

// noise returns the noise band of the grid.
func noise(t *results.Table, n string) float64 {
	band, _ := t.NoiseBand(func(k results.Key) bool {
		return inGrid(k, n, sixName+results.Again, fitDist) || inGrid(k, n, sixName+results.Again, judgeDist)
	})
	return band
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
func (cell ChoiceCell) Model() cost.Winner { return cost.Cheaper(cell.Model6, cell.Model7) }

// StartRatio compares START of scheme 7 with that of scheme 6 on one workload.
// The paper expects scheme 7 to cost more: it must find the level (section 6.2).
type StartRatio struct {
	Key   results.Key // of scheme 7
	Six   results.Estimate
	Seven results.Estimate
	Ratio results.Estimate // 7 over 6, round by round
	Noise results.Estimate // the A/A pair's ratio on this workload
}

// Starts returns the comparison at every workload measured, by n.
func Starts(t *results.Table) (all []StartRatio) {
	for _, k := range (&timings{measuredTimes: &measuredTimes{Table: t}}).cells("Start", sevenName, notOwn) {
		s, six := StartRatio{Key: k}, sixKey(k)
		var err error
		if s.Ratio, err = t.Ratio(k, six, nsPerOp); err != nil {
			continue
		}
		s.Six, _ = t.Median(six, nsPerOp)
		s.Seven, _ = t.Median(k, nsPerOp)
		again := six
		again.Scheme += results.Again
		s.Noise, _ = t.Ratio(again, six, nsPerOp)
		all = append(all, s)
	}
	return all
}

// Verdict says whether scheme 7's START costs more: "costs more", "costs less",
// or "undecided" if the interval holds 1 or the A/A pair differs as much.
func (s StartRatio) Verdict() string {
	noise := max(s.Noise.Hi, 1/s.Noise.Lo) - 1
	// The ratio is of 7 to 6, so what winner takes for scheme 6 is 7.
	return map[Winner]string{7: "costs more", 6: "costs less", Tie: "undecided"}[winner(s.Ratio, noise)]
}

// cross finds the crossovers of the judged grid, cell by cell in order of T.
func (c *Choice) cross() {
	for i := 0; i < len(c.Cells); {
		end := i + 1
		for end < len(c.Cells) && bySeries(c.Cells[i], c.Cells[end]) == 0 {
			end++
		}
		c.Crossovers = append(c.Crossovers, c.crossing(c.Cells[i:end]))
		i = end
	}
}

// bySeries orders cells by all but T.
func bySeries(a, b ChoiceCell) int {
	return cmp.Or(cmp.Compare(a.Slots, b.Slots), cmp.Compare(len(a.Levels), len(b.Levels)), cmp.Compare(a.Stop, b.Stop))
}

func (c *Choice) crossing(series []ChoiceCell) Crossing {
	first, last := series[0], series[len(series)-1]
	x := Crossing{N: first.N, Slots: first.Slots, Levels: first.Levels, Stop: first.Stop, Refined: math.NaN()}
	x.Paper = cost.PaperCrossover(c.Ratio.Median, x.Slots, len(x.Levels))
	if share, part, err := results.ParseFraction(x.Stop); err == nil {
		spec := stoppedAt(hold(1, 0, judgeDist), share, part)
		x.Refined = refinedCrossover(c.Ratio.Median, spec, x.Slots, x.Levels, levelRules[0], 4*last.T)
	}
	var T, median, lo, hi []float64
	for _, cell := range series {
		T, median = append(T, float64(cell.T)), append(median, cell.Ratio.Median)
		lo, hi = append(lo, cell.Ratio.Lo), append(hi, cell.Ratio.Hi)
	}
	x.Measured, x.Lo, x.Hi = crosses(T, median, 1), crosses(T, hi, 1), crosses(T, lo, 1)
	switch {
	case !math.IsNaN(x.Measured):
	case last.Ratio.Median <= 1:
		x.Note = fmt.Sprintf("above %d", last.T)
	default:
		x.Note = fmt.Sprintf("below %d", first.T)
	}
	return x
}

// refinedCrossover solves wasted visits = c7/c6 · migrations for the T of a workload.
func refinedCrossover(
	ratio float64, spec workload.Spec, slots int, levels []int, rule levelRule, longest schemes.Tick,
) float64 {
	return cost.Crossover(func(T schemes.Tick) float64 {
		spec.T = T
		lives := spec.Lives()
		return cost.Wasted6(lives, slots) - ratio*rule.migrations(lives, levels)
	}, longest)
}

// crosses returns the x at which y last rises above a level, between two points by
// interpolation of logarithms; NaN if it does not.
func crosses(xs, ys []float64, level float64) float64 {
	for i := len(xs) - 1; i > 0 && ys[i] > level; i-- {
		if ys[i-1] <= level {
			part := math.Log(level/ys[i-1]) / math.Log(ys[i]/ys[i-1])
			return xs[i-1] * math.Pow(xs[i]/xs[i-1], part)
		}
	}
	return math.NaN()
}
