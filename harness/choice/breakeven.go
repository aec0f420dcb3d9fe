package choice

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/results"
)

// Series is the cells of one regime, M, m, distribution of intervals and share of stops, over T.
type Series struct {
	*Regime
	Slots        int
	Levels       []int
	Dist, Stop   string
	First, Last  float64          // the T of its grid, in ticks
	Even         results.Estimate // T*, up to which scheme 6 costs less; see End. An end that is beyond the grid is infinite
	TieLo, TieHi float64          // the T between which the noise decides; infinite likewise
	End          End
}

// End says on which side of its grid a series has its T*.
type End int

// Ends.
const (
	Inside End = iota
	Below      // scheme 7 is ahead at First already: T* < First
	Above      // scheme 6 is still ahead at Last: T* > Last
)

// InM returns T* in M or, where the grid does not hold it, the T in M that bounds it.
func (s Series) InM() results.Estimate {
	m := float64(s.Slots)
	switch s.End {
	case Below:
		return results.Estimate{Median: s.First / m}
	case Above:
		return results.Estimate{Median: s.Last / m}
	}
	return results.Estimate{Median: s.Even.Median / m, Lo: s.Even.Lo / m, Hi: s.Even.Hi / m, N: s.Even.N}
}

// Range is where the T* of some series are, in M. Those beyond their grid count with the T that bounds them.
type Range struct {
	Series         int
	Below, Above   int              // beyond their grids
	Lo, Hi         results.Estimate // the least and the greatest; only bounds if OpenLo or OpenHi
	OpenLo, OpenHi bool
}

// RangeOf returns the range of some series. A T* below the grid may be anywhere there, so it opens the low end
// whatever other series have; above likewise.
func RangeOf(all []Series) (r Range) {
	for i, s := range all {
		at := s.InM()
		if i == 0 || at.Median < r.Lo.Median {
			r.Lo = at
		}
		if i == 0 || at.Median > r.Hi.Median {
			r.Hi = at
		}
		switch s.End {
		case Below:
			r.Below++
		case Above:
			r.Above++
		}
	}
	r.Series, r.OpenLo, r.OpenHi = len(all), r.Below > 0, r.Above > 0
	return r
}

// leastSeries is how many T a series must have for a T* to be looked for.
const leastSeries = 3

// cross finds the series of the judged cells, which are in order of T.
func (c *Choice) cross() {
	for i := 0; i < len(c.Cells); {
		end := i + 1
		for end < len(c.Cells) && bySeries(c.Cells[i], c.Cells[end]) == 0 {
			end++
		}
		if end-i >= leastSeries {
			c.Series = append(c.Series, seriesOf(c.Cells[i:end]))
		}
		i = end
	}
}

// bySeries orders cells by all but T.
func bySeries(a, b Cell) int {
	return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.N, b.N), cmp.Compare(a.Key.Dist, b.Key.Dist),
		cmp.Compare(a.Slots, b.Slots), cmp.Compare(len(a.Levels), len(b.Levels)), slices.Compare(a.Levels, b.Levels),
		cmp.Compare(a.Stop, b.Stop))
}

// seriesOf finds T*: where the medians of the ratio of 6 to 7 last rise above 1. Its interval is where the ends of
// their intervals do so.
func seriesOf(cells []Cell) Series {
	first, last := cells[0], cells[len(cells)-1]
	s := Series{Regime: first.Regime, Slots: first.Slots, Levels: first.Levels, Dist: first.Key.Dist,
		Stop: first.Stop, First: float64(first.Spec.T), Last: float64(last.Spec.T)}
	rises := func(value func(results.Estimate) float64, level float64) float64 {
		var xs, ys []float64
		for _, cell := range cells {
			xs, ys = append(xs, float64(cell.Spec.T)), append(ys, value(cell.Ratio))
		}
		return Crosses(xs, ys, level)
	}
	median := func(r results.Estimate) float64 { return r.Median }
	s.Even = results.Estimate{Median: rises(median, 1), N: first.Ratio.N,
		Lo: rises(func(r results.Estimate) float64 { return r.Hi }, 1),
		Hi: rises(func(r results.Estimate) float64 { return r.Lo }, 1)}
	s.TieLo, s.TieHi = min(s.Even.Lo, rises(median, 1/(1+s.Noise))), max(s.Even.Hi, rises(median, 1+s.Noise))
	switch {
	case math.IsInf(s.Even.Median, -1):
		s.End = Below
	case math.IsInf(s.Even.Median, 1):
		s.End = Above
	}
	return s
}

// Crosses returns the x at which y last rises above a level, between two points by interpolation of logarithms. It is
// -Inf if y is above the level from the first x on, and +Inf if y is not above it at the last.
func Crosses(xs, ys []float64, level float64) float64 {
	last := len(xs) - 1
	if ys[last] <= level {
		return math.Inf(1)
	}
	for i := last; i > 0; i-- {
		if ys[i-1] <= level {
			part := math.Log(level/ys[i-1]) / math.Log(ys[i]/ys[i-1])
			return xs[i-1] * math.Pow(xs[i]/xs[i-1], part)
		}
	}
	return math.Inf(-1)
}
