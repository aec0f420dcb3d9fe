package claims

import (
	"cmp"
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/results"
)

// Crossing is the T up to which scheme 6 is cheaper, T*, for one form, n, M, m, distribution and share
// of stops.
type Crossing struct {
	*Fit
	Slots      int
	Levels     []int
	Dist, Stop string
	Measured   float64          // NaN if the grid does not hold it
	Lo, Hi     float64          // where the interval of the ratio crosses 1; NaN: the grid does not hold it
	From, To   float64          // the T between which the noise decides: a tie; NaN likewise
	Note       string           // why Measured is NaN
	Model      results.Estimate // T* by the model, between the same T; NaN: the grid does not hold it
}

// leastSeries is how many T a series must have for a T* to be looked for.
const leastSeries = 3

// cross finds the crossovers of the judged grid, cell by cell in order of T.
func (c *Choice) cross() {
	for i := 0; i < len(c.Cells); {
		end := i + 1
		for end < len(c.Cells) && bySeries(c.Cells[i], c.Cells[end]) == 0 {
			end++
		}
		if end-i >= leastSeries {
			c.Crossovers = append(c.Crossovers, crossingOf(c.Cells[i:end]))
		}
		i = end
	}
}

// bySeries orders cells by all but T.
func bySeries(a, b ChoiceCell) int {
	return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.N, b.N), cmp.Compare(a.Dist, b.Dist),
		cmp.Compare(a.Slots, b.Slots), cmp.Compare(len(a.Levels), len(b.Levels)), cmp.Compare(a.Stop, b.Stop))
}

// crossingOf measures and predicts T* of a series, in order of T.
func crossingOf(series []ChoiceCell) Crossing {
	first, last := series[0], series[len(series)-1]
	x := Crossing{Fit: first.Fit, Slots: first.Slots, Levels: first.Levels, Dist: first.Dist, Stop: first.Stop}
	var T []float64
	for _, cell := range series {
		T = append(T, float64(cell.T))
	}
	rises := func(value func(results.Estimate) float64, level float64) float64 {
		var values []float64
		for _, cell := range series {
			values = append(values, value(cell.Ratio))
		}
		return crosses(T, values, level)
	}
	median := func(r results.Estimate) float64 { return r.Median }
	x.Measured = rises(median, 1)
	x.Lo = rises(func(r results.Estimate) float64 { return r.Hi }, 1)
	x.Hi = rises(func(r results.Estimate) float64 { return r.Lo }, 1)
	x.From, x.To = min(x.Lo, rises(median, 1/(1+x.Noise))), max(x.Hi, rises(median, 1+x.Noise))
	x.Model = x.estimate(func(m cost.Model) float64 {
		var ratios []float64
		for _, cell := range series {
			ratios = append(ratios, m.Six.Of(cell.Load6)/m.Seven.Of(cell.Load7))
		}
		return crosses(T, ratios, 1)
	})
	switch {
	case !math.IsNaN(x.Measured):
	case last.Ratio.Median <= 1:
		x.Note = fmt.Sprintf("above %d", last.T)
	default:
		x.Note = fmt.Sprintf("below %d", first.T)
	}
	return x
}

// Agreement is how well a model's T* agree with measured ones.
type Agreement struct {
	Series, Within int     // series with both, and those in which they are within 20 %
	Factor         float64 // geometric mean of how many times they differ
}

// Agree compares T* where both are there and keep accepts the series.
func (c *Choice) Agree(keep func(Crossing) bool) (a Agreement) {
	const within = 1.2
	logs := 0.0
	for _, x := range c.Crossovers {
		off := math.Abs(math.Log(x.Model.Median / x.Measured))
		if math.IsNaN(off) || !keep(x) {
			continue
		}
		a.Series++
		logs += off
		if math.Exp(off) <= within {
			a.Within++
		}
	}
	a.Factor = math.Exp(logs / float64(a.Series))
	return a
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
