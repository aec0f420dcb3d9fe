package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"timerlab/harness/choice"
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
		c.compare(dist.String()+" intervals", dist.String(),
			predictedPoints(curve, func(x float64) float64 {
				return cost.PerTick6(n, hashM, workload.Spec{N: n, T: schemes.Tick(x * hashM), Dist: dist}.Lives())
			}),
			countedPoints(counted, func(x float64) Value {
				e := c.lab.experiment("hashunsorted M=%d n=%d T=%v dist=%v warm=T each=%v", hashM, n, x*hashM, dist,
					4*max(1, x)*hashM)
				return c.lab.run(e).ratio(vaxInstructions, ticks)
			}))
	}
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
	// draw returns the deviation over the mean.
	draw := func(name string, e experiment) float64 {
		var values []float64
		e.tick = func(b batch) { values = append(values, b[visits]) }
		c.lab.run(e)
		c.add(name, figures.Predicted, shareAtLeast(values))
		return relativeDeviation(values)
	}
	spread := draw("spread over the slots", c.lab.experiment(burstSpread+" each=T"))
	one := draw("all in one slot", c.lab.experiment(burstInOne))
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
	for _, n := range interruptSizes {
		counted = append(counted, float64(n)/hashM)
	}
	c.compare("", "hashunsorted",
		predictedPoints(steps(4./hashM, 10_240./hashM, 1.15), func(x float64) float64 { return 1 - math.Exp(-x) }),
		countedPoints(counted, func(x float64) Value { return interrupts(c.lab, int(x*hashM)) }))
	c.title(100 * c.Series[1].Points[2].Y)
}

// Figures of scheme 7, and of 6 against 7.

// drawMigrations: migrations for each timer under both level rules.
func drawMigrations(c *chart) {
	levels := []int{64, 64, 64, 64}
	for _, rule := range levelRules {
		c.compare("", rule.scheme,
			predictedPoints(steps(8, 1<<20, math.Sqrt2), func(T float64) float64 {
				return rule.migrations(workload.Spec{N: 1, T: schemes.Tick(T), Dist: workload.Exp()}.Lives(), levels)
			}),
			countedPoints([]float64{16, 64, 256, 1024, 65_536}, func(T float64) Value {
				_, counted := migrationsPerTimer(c.lab, rule, schemes.Tick(T), false)
				return counted
			}))
	}
	c.title(c.Series[1].Points[2].Y, c.Series[3].Points[2].Y)
}

// drawCrossover: the T up to which scheme 6 is cheaper, by c7/c6.
func drawCrossover(c *chart) {
	ratios := []float64{0.5, 1, 2, 4}
	for _, m := range []int{2, 4} {
		x := crossing{workload.Spec{Dist: workload.Exp()}, m, levelRules[0]}
		T, counted := x.ladder(c.lab)
		name := fmt.Sprintf("m = %d", m)
		c.add("the paper's rule, "+name, figures.Predicted, predictedPoints(ratios, func(ratio float64) float64 {
			return cost.PaperCrossover(ratio, crossingSlots, m) / crossingSlots
		}))
		c.compare("refined rule and count, "+name, "refined "+name,
			predictedPoints(ratios, func(ratio float64) float64 { return x.predict(ratio) / crossingSlots }),
			predictedPoints(ratios, func(ratio float64) float64 { return choice.Crosses(T, counted, ratio) / crossingSlots }))
	}
	paper, counted := c.Series[3].Points, c.Series[5].Points // of m = 4
	c.title(paper[1].Y / counted[1].Y)
}

// ladder counts wasted visits over migrations at T from M/4 to 6.8 M, where two
// wheels of 128 still reach the longest interval, 9 T.
func (c crossing) ladder(l *lab) (Ts, costs []float64) {
	for T := 64.0; T <= 6.8*crossingSlots; T *= 1.3 {
		p := c.costs(l, schemes.Tick(T), 1, 1)
		Ts, costs = append(Ts, math.Trunc(T)), append(costs, p.Measured.Mean)
	}
	return Ts, costs
}

// drawPrecision: the error of the forms without migrations against the interval.
func drawPrecision(c *chart) {
	for _, form := range roundings {
		name := strings.TrimPrefix(form.scheme, "hierarchical-")
		bins := errorsOf(c.lab, form.scheme).bins()
		c.compare(name, name, binPoints(bins, func(bin requests) Value { return exact(form.meanOver(bin)) }),
			binPoints(bins, requests.mean))
	}
	c.add("once", figures.Measured, binPoints(errorsOf(c.lab, "hierarchical-once").bins(), requests.mean))
	worst := 0.0 // without migrations
	for _, s := range c.Series[:len(c.Series)-1] {
		worst = max(worst, highest(s.Points))
	}
	c.title(100*worst, 100*highest(c.Series[len(c.Series)-1].Points))
}

// binPoints returns the points of bins with an error.
func binPoints(bins []requests, measured func(requests) Value) (points []figures.Point) {
	for _, bin := range bins {
		if v := measured(bin); v.Mean != 0 {
			points = append(points, countedPoint(bin.middle(), v))
		}
	}
	return points
}

func highest(points []figures.Point) (y float64) {
	for _, p := range points {
		y = max(y, p.Y)
	}
	return y
}

// middle returns the geometric mean of the intervals, in ticks.
func (rs requests) middle() float64 {
	x := 0.0
	for _, r := range rs {
		x += math.Log(float64(r.interval)) / float64(len(rs))
	}
	return math.Exp(x)
}

// bins sorts requests into fifths of decades of the interval, empty ones left out.
func (rs requests) bins() (bins []requests) {
	byBin := map[int]requests{}
	for _, r := range rs {
		bin := int(5 * math.Log10(float64(r.interval)))
		byBin[bin] = append(byBin[bin], r)
	}
	for _, bin := range slices.Sorted(maps.Keys(byBin)) {
		bins = append(bins, byBin[bin])
	}
	return bins
}
