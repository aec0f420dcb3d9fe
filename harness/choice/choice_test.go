package choice

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// cellOf returns a cell of 64 slots without stops, in which J is T.
func cellOf(r *Regime, T schemes.Tick, lo, median, hi float64, won Winner) Cell {
	c := Cell{Regime: r, J: float64(T), Ratio: results.Estimate{Median: median, Lo: lo, Hi: hi, N: 8}, Winner: won}
	c.Slots, c.Levels, c.Spec.T, c.Stop = 64, workload.Levels{32, 32}, T, "0"
	return c
}

// A rule is scored by what it costs where it is wrong. The bound can fail.
func TestScores(t *testing.T) {
	r := &Regime{Ratio: results.Estimate{Median: 1, Hi: 1, N: 8}}
	of := func(T schemes.Tick, ratio float64, won Winner) Cell {
		return cellOf(r, T, 0.9*ratio, ratio, 1.1*ratio, won)
	}
	cells := []Cell{of(60, 0.5, 6), of(100, 0.99, Tie), of(150, 2, 7), of(200, 0.8, 6)}
	bound := ScoreOf(Cell.Bound, cells)
	assert.Equal(t, [3]int{3, 2, 1}, [3]int{bound.Decided, bound.Named, bound.Right}, "m·M = 128; a tie is not decided")
	assert.InDelta(t, 0.25, bound.Worst.Median, 1e-9)
	assert.InDelta(t, 1/(0.8*1.1)-1, bound.Worst.Lo, 1e-9)
	six := ScoreOf(rules[Always6].says, cells)
	assert.InDelta(t, 1./3, six.Mean.Median, 1e-9, "twice as much in one of three")
	assert.False(t, six.Mean.Bounded(), "one group of cells says nothing of others")
	stopped := of(150, 2, 7)
	stopped.Stop = "0.9@0.05"
	assert.Equal(t, 2, ScoreOf(rules[Always6].says, append(cells, stopped)).Mean.N, "a series has one share of stops")
	r.Ratio = results.Estimate{}
	assert.Equal(t, Tie, cells[2].Bound(), "without c7/c6")
	assert.Equal(t, Tie, winner(results.Estimate{Median: 1.5, Lo: 0.9, Hi: 2}), "the interval holds 1")
	assert.Equal(t, Winner(6), winner(results.Estimate{Median: 0.98, Lo: 0.97, Hi: 0.99, N: 8}), "no band decides")
	assert.Equal(t, Winner(7), winner(results.Estimate{Median: 1.02, Lo: 1.01, Hi: 1.03, N: 8}))
}

// The rule asks for J, not T, and for the form. Its zones divide all cells.
func TestRule(t *testing.T) {
	c := &Choice{table: &results.Table{}}
	for _, form := range []Form{Linked, Chunked} {
		for _, J := range []schemes.Tick{32, 33, 128, 129} {
			for _, n := range []int{7, 8} {
				cell := cellOf(&Regime{Form: form, N: n}, J, 2, 2, 2, 7)
				cell.Spec.T = 1
				assert.Equal(t, form == Linked && J == 32 && n == 8, cell.ByRule() == 6, cell)
				c.Cells = append(c.Cells, cell)
			}
		}
	}
	var named []int
	for _, z := range c.Zones() {
		named = append(named, z.Named)
		assert.Equal(t, z.Choose == 7, z.Right == z.Named, z.Name)
		assert.InDelta(t, map[Winner]float64{6: 1, 7: 0}[z.Choose], z.Mean.Median, 1e-9)
		assert.InDelta(t, map[Winner]float64{6: 0, 7: 1}[z.Choose], z.Other, 1e-9)
	}
	assert.Equal(t, []int{4, 8, 1, 2, 1}, named)
	j, _ := c.BreakEven()
	assert.Zero(t, j, "no zone has a time")
}

// Counts name scheme 6 where twice its wasted visits are no more than the migrations of scheme 7.
func TestByCounts(t *testing.T) {
	for i, r := range []Regime{{N: 8}, {N: 8}, {N: 7}, {N: 8, Form: Chunked}} {
		cell := cellOf(&r, 1000, 2, 2, 2, 7)
		cell.Visits, cell.Migrated = []float64{0.5, 0.51, 0.5, 0.5}[i], 1
		assert.Equal(t, i == 0, cell.ByCounts() == 6, r)
	}
}

// What was registered of the rule is missed where the interval of its regret is above, and open where it is wide.
func TestExpected(t *testing.T) {
	for ends, outcome := range map[[2]float64]string{{0.0021, 0.007}: "missed", {0.001, 0.007}: "met", {0, 0}: "met",
		{0.001, 0.01}: "open", {math.Inf(-1), math.Inf(1)}: "open"} {
		assert.Equal(t, outcome, expected(results.Estimate{Lo: ends[0], Hi: ends[1], N: 23}).Outcome, ends)
	}
	assert.Equal(t, "open", expected(results.Estimate{}).Outcome, "no cell is decided")
}
