package claims

import (
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// cross finds the crossovers of the judged grid, cell by cell in order of T.
func (c *Choice) cross() {
	for i := 0; i < len(c.Cells); {
		end := i + 1
		for end < len(c.Cells) && sameSeries(c.Cells[i], c.Cells[end]) {
			end++
		}
		c.Crossovers = append(c.Crossovers, c.crossing(c.Cells[i:end]))
		i = end
	}
}

// sameSeries reports whether two cells differ in T alone.
func sameSeries(a, b ChoiceCell) bool {
	return a.Slots == b.Slots && len(a.Levels) == len(b.Levels) && a.Stop == b.Stop
}

func (c *Choice) crossing(series []ChoiceCell) Crossing {
	first, last := series[0], series[len(series)-1]
	x := Crossing{N: first.N, Slots: first.Slots, Levels: first.Levels, Stop: first.Stop}
	x.Paper = cost.PaperCrossover(c.Ratio.Median, x.Slots, len(x.Levels))
	x.Refined = refinedCrossover(c.Ratio.Median, x, 4*last.T)
	x.Measured = crossesOne(series, func(e results.Estimate) float64 { return e.Median })
	x.Lo = crossesOne(series, func(e results.Estimate) float64 { return e.Hi })
	x.Hi = crossesOne(series, func(e results.Estimate) float64 { return e.Lo })
	switch {
	case !math.IsNaN(x.Measured):
	case last.Ratio.Median <= 1:
		x.Note = fmt.Sprintf("above %d", last.T)
	default:
		x.Note = fmt.Sprintf("below %d", first.T)
	}
	return x
}

// refinedCrossover solves wasted visits = c7/c6 · migrations for T.
func refinedCrossover(ratio float64, x Crossing, longest schemes.Tick) float64 {
	share, at, err := results.ParseFraction(x.Stop)
	if err != nil {
		return math.NaN()
	}
	return cost.Crossover(func(T schemes.Tick) float64 {
		lives := workload.Spec{N: 1, T: T, Dist: judgeDist, Stop: share, StopAt: at}.Lives()
		return cost.Refined6(1, lives, x.Slots) - cost.Refined7(ratio, lives, x.Levels)
	}, longest)
}

// crossesOne returns the T at which the chosen end of the ratio's estimate last
// rises above 1, between two cells by interpolation of logarithms; NaN if it does
// not.
func crossesOne(series []ChoiceCell, of func(results.Estimate) float64) float64 {
	for i := len(series) - 1; i > 0; i-- {
		below, above := of(series[i-1].Ratio), of(series[i].Ratio)
		if above <= 1 {
			break
		}
		if below <= 1 {
			part := -math.Log(below) / (math.Log(above) - math.Log(below))
			return float64(series[i-1].T) * math.Pow(float64(series[i].T)/float64(series[i-1].T), part)
		}
	}
	return math.NaN()
}
