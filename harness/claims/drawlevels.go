package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Figures of scheme 7, and of 6 against 7.

// drawMigrations: migrations for each timer under both level rules.
func drawMigrations(c *chart) {
	levels := []int{64, 64, 64, 64}
	for _, rule := range levelRules {
		c.compare("", rule.scheme,
			predictedPoints(steps(8, 1<<20, math.Sqrt2), func(T float64) float64 {
				return rule.migrations(hold(1, schemes.Tick(T), workload.Exp()).Lives(), levels)
			}),
			countedPoints([]float64{16, 64, 256, 1024, 65_536}, func(T float64) Value {
				_, counted := migrationsPerTimer(c.lab, rule, schemes.Tick(T), false)
				return counted
			}))
	}
	c.caption()
	c.title(c.Series[1].Points[2].Y, c.Series[3].Points[2].Y)
}

// drawCrossover: the T up to which scheme 6 is cheaper, by c7/c6.
func drawCrossover(c *chart) {
	ratios := []float64{0.5, 1, 2, 4}
	for _, m := range []int{2, 4} {
		x := crossing{workload.Exp(), false, m, levelRules[0]}
		counted := x.ladder(c.lab)
		name := fmt.Sprintf("m = %d", m)
		c.add("the paper's rule, "+name, figures.Predicted, predictedPoints(ratios, func(ratio float64) float64 {
			return cost.PaperCrossover(ratio, crossingSlots, m) / crossingSlots
		}))
		c.compare("refined rule and count, "+name, "refined "+name,
			predictedPoints(ratios, func(ratio float64) float64 { return x.predict(ratio) / crossingSlots }),
			countedPoints(ratios, func(ratio float64) Value { return exact(crosses(counted.T, counted.cost, ratio) / crossingSlots) }))
	}
	c.caption(crossingSlots)
	paper, counted := c.Series[3].Points, c.Series[5].Points // of m = 4
	c.title(paper[1].Y / counted[1].Y)
}

// ladder is counted costs of both schemes at rising T.
type ladder struct{ T, cost []float64 }

// ladder counts wasted visits over migrations at T from M/4 to 6.8 M, where two
// wheels of 128 still reach the longest interval, 9 T.
func (c crossing) ladder(l *lab) (s ladder) {
	for T := 64.0; T <= 6.8*crossingSlots; T *= 1.3 {
		p := c.costs(l, schemes.Tick(T), 1, 1)
		s.T, s.cost = append(s.T, math.Trunc(T)), append(s.cost, p.Measured.Mean)
	}
	return s
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
	c.caption()
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
