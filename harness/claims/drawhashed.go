package claims

import (
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Figures of scheme 6. Their M is a power of two, so that T = M x is exact.

// drawVisits: instructions a tick of scheme 6 against T/M.
func drawVisits(c *chart) {
	const n = 10_000
	curve, counted := visitsCurve(), steps(1./16, 16, 2)
	c.add("the paper's bound, 4 + 15 n/M", figures.Predicted,
		predictedPoints(curve, func(float64) float64 { return cost.PaperPerTick(n, hashM) }))
	for _, dist := range []workload.Dist{workload.Exp(), workload.Const()} {
		mix := func(x float64) workload.Spec { return hold(n, schemes.Tick(x*hashM), dist) }
		c.compare(dist.String()+" intervals", dist.String(),
			predictedPoints(curve, func(x float64) float64 { return cost.PerTick6(n, hashM, mix(x).Lives()) }),
			countedPoints(counted, func(x float64) Value { return instructionsOf(c.lab, mix(x)) }))
	}
	c.caption(hashM)
	c.title(c.Series[2].Points[slices.Index(counted, 0.25)].Y / cost.PaperPerTick(n, hashM))
}

// visitsCurve is T/M from 1/16 to 16 in steps that draw a curve, and both sides of each whole number,
// where the curve of constant intervals jumps.
func visitsCurve() (all []float64) {
	for _, T := range steps(16, 4096, 1.19) {
		all = append(all, math.Trunc(T)/hashM)
	}
	for T := hashM; T < 4096; T += hashM {
		all = append(all, float64(T)/hashM, float64(T+1)/hashM)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// drawBursts: how a tick's work is distributed under two hashes.
func drawBursts(c *chart) {
	const n, turns = 2048, 64
	// draw returns the deviation over the mean.
	draw := func(name string, e experiment) float64 {
		var values []float64
		e.tick = func(b batch) { values = append(values, b[visits]) }
		c.lab.run(e)
		c.add(name, figures.Predicted, shareAtLeast(values))
		return relativeDeviation(values)
	}
	const T = turns * hashM
	spread := draw("spread over the slots",
		expRun("hashunsorted", withSlots(hashM), n, T, T, T))
	one := draw("all in one slot", oneSlot("hashunsorted", n, turns))
	c.caption(n, hashM, turns, hashM)
	c.title(spread, one)
}

// shareAtLeast returns, for 1 and for each value above it, the share of values that are as large: the
// curve falls right of each value.
func shareAtLeast(values []float64) (points []figures.Point) {
	slices.Sort(values)
	share := func(from int) float64 { return float64(len(values)-from) / float64(len(values)) }
	last := 0.
	for i, v := range values {
		if v > last {
			points = append(points, figures.Point{X: max(1, last), Y: share(i)}, figures.Point{X: v, Y: share(i)})
			last = v
		}
	}
	return points
}

// drawInterrupts: how often a chip that steps through the slots interrupts the host.
func drawInterrupts(c *chart) {
	var counted []float64
	for _, n := range assistSizes {
		counted = append(counted, float64(n)/assistM)
	}
	c.compare("", "hashunsorted",
		predictedPoints(steps(4./assistM, 10_240./assistM, 1.15), func(x float64) float64 { return 1 - math.Exp(-x) }),
		countedPoints(counted, func(x float64) Value {
			return c.lab.run(assisted(int(x*assistM))).per(occupied, ticks)
		}))
	c.caption(assistM, assistT/assistM)
	c.title(100 * c.Series[1].Points[2].Y)
}
