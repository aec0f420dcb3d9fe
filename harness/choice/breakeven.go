package choice

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/results"
)

// Series is the cells of one regime, M, m, distribution of intervals and share of stops, over T.
type Series struct {
	First, Last Cell             // of the least and the greatest T of its grid
	Even        results.Estimate // T*, up to which scheme 6 costs less; see End. An end beyond the grid is infinite
	End         End
}

// PerT returns J over T.
func (s Series) PerT() float64 { return s.First.J / float64(s.First.Spec.T) }

// End says on which side of its grid a series has its T*.
type End int

// Ends.
const (
	Inside End = iota
	Below      // scheme 7 is ahead at First already: T* < First
	Above      // scheme 6 is still ahead at Last: T* > Last
)

// InM returns the J in M where both cost the same or, where the grid does not hold it, the J that bounds it. A series
// has one share of stops, so J is a multiple of T in it.
func (s Series) InM() results.Estimate {
	m := s.PerT() / float64(s.First.Slots)
	switch s.End {
	case Below:
		return results.Estimate{Median: float64(s.First.Spec.T) * m}
	case Above:
		return results.Estimate{Median: float64(s.Last.Spec.T) * m}
	}
	return results.Estimate{Median: s.Even.Median * m, Lo: s.Even.Lo * m, Hi: s.Even.Hi * m, N: s.Even.N, Level: s.Even.Level}
}

// leastSeries is how many T a series must have for a T* to be looked for.
const leastSeries = 3

// cross sorts the judged cells by series and T and finds the T* of each series.
func (c *Choice) cross() {
	slices.SortFunc(c.Cells, func(a, b Cell) int { return cmp.Or(bySeries(a, b), cmp.Compare(a.Spec.T, b.Spec.T)) })
	for rest := c.Cells; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(cell Cell) bool { return bySeries(rest[0], cell) != 0 })
		if n < 0 {
			n = len(rest)
		}
		if n >= leastSeries {
			c.Series = append(c.Series, seriesOf(rest[:n]))
		}
		rest = rest[n:]
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
	s := Series{First: cells[0], Last: cells[len(cells)-1]}
	s.Even = results.Estimate{N: s.First.Ratio.N, Level: s.First.Ratio.Level,
		Median: crosses(cells, func(e results.Estimate) float64 { return e.Median }),
		Lo:     crosses(cells, func(e results.Estimate) float64 { return e.Hi }),
		Hi:     crosses(cells, func(e results.Estimate) float64 { return e.Lo })}
	switch {
	case math.IsInf(s.Even.Median, -1):
		s.End = Below
	case math.IsInf(s.Even.Median, 1):
		s.End = Above
	}
	return s
}

// crosses returns the T at which a part of the ratio last rises above 1, between two cells by interpolation of
// logarithms. It is -Inf if the part is above 1 from the first T on, and +Inf if it is not at the last.
func crosses(cells []Cell, part func(results.Estimate) float64) float64 {
	last := len(cells) - 1
	if part(cells[last].Ratio) <= 1 {
		return math.Inf(1)
	}
	for i := last; i > 0; i-- {
		if y := part(cells[i-1].Ratio); y <= 1 {
			at := math.Log(1/y) / math.Log(part(cells[i].Ratio)/y)
			T := float64(cells[i-1].Spec.T)
			return T * math.Pow(float64(cells[i].Spec.T)/T, at)
		}
	}
	return math.Inf(-1)
}
