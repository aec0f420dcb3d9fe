package claims

import (
	"fmt"
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
func drawMigrations(l *lab) figures.XY {
	f := figures.XY{XLabel: "T, ticks", YLabel: "migrations for each timer", X: logarithmic, Y: linear}
	f.Caption = caption("Four wheels of 64, exponential intervals, no stops. Markers: counted. Lines: by the " +
		"digits of a random expiry. The paper's bound is m = 4.")
	levels := []int{64, 64, 64, 64}
	for _, rule := range levelRules {
		law, counts := pair("", rule.scheme)
		for _, T := range steps(8, 1<<20, math.Sqrt2) {
			add(&law, T, exact(rule.migrations(hold(1, schemes.Tick(T), workload.Exp()).Lives(), levels)))
		}
		for _, T := range []schemes.Tick{16, 64, 256, 1024, 65_536} {
			_, counted := migrationsPerTimer(l, rule, T, false)
			add(&counts, float64(T), counted)
		}
		f.Series = append(f.Series, law, counts)
	}
	if l.err == nil {
		f.Title = fmt.Sprintf("At T = 256 a timer migrates %.2f times, by the interval's level %.2f times; the "+
			"paper's bound is 4", f.Series[1].Points[2].Y, f.Series[3].Points[2].Y)
	}
	return f
}

// drawCrossover: the T up to which scheme 6 is cheaper, by c7/c6.
func drawCrossover(l *lab) figures.XY {
	f := figures.XY{XLabel: "c7/c6", YLabel: "T* over M: scheme 6 is cheaper up to there",
		X: logarithmic, Y: logarithmic}
	f.Caption = caption("M = %d in both schemes, exponential intervals, no stops. Markers: where counted visits "+
		"and migrations cost the same. Lines: E[ceil(J/M)] - 1 = c7/c6 · migrations, and the paper's "+
		"m·c7/c6.", crossingSlots)
	var factor float64
	for _, m := range []int{2, 4} {
		c := crossing{workload.Exp(), false, m, levelRules[0]}
		name := fmt.Sprintf("m = %d", m)
		paper := figures.Series{Name: "the paper's rule, " + name}
		law, counts := pair("refined rule and count, "+name, "refined "+name)
		counted := c.ladder(l)
		for _, ratio := range []float64{0.5, 1, 2, 4} {
			add(&paper, ratio, exact(cost.PaperCrossover(ratio, crossingSlots, m)/crossingSlots))
			add(&law, ratio, exact(c.predict(ratio)/crossingSlots))
			add(&counts, ratio, exact(counted.crosses(ratio)/crossingSlots))
		}
		factor = paper.Points[1].Y / counts.Points[1].Y
		f.Series = append(f.Series, paper, law, counts)
	}
	f.Title = fmt.Sprintf("With c7 = c6 and m = 4, scheme 7 pays off from a T that is %.1f times below the "+
		"paper's", factor)
	return f
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

// crosses returns the T at which the ratio of costs is as given, between two steps
// by interpolation of logarithms; NaN if it is at none.
func (s ladder) crosses(ratio float64) float64 {
	for i := len(s.T) - 1; i > 0; i-- {
		if s.cost[i-1] <= ratio && s.cost[i] > ratio {
			part := math.Log(ratio/s.cost[i-1]) / math.Log(s.cost[i]/s.cost[i-1])
			return s.T[i-1] * math.Pow(s.T[i]/s.T[i-1], part)
		}
	}
	return math.NaN()
}

// drawPrecision: the error of the forms without migrations against the interval.
func drawPrecision(l *lab) figures.XY {
	f := figures.XY{XLabel: "interval, seconds", YLabel: "mean error, as a part of the interval",
		X: logarithmic, Y: logarithmic}
	f.Caption = caption("Wheels of 60, 60, 24 and 100 slots; each marker is the mean over a fifth of a decade. " +
		"Lines: by formula. No error: intervals up to a minute and, with one migration, up to an hour.")
	for _, form := range roundings {
		name := strings.TrimPrefix(form.scheme, "hierarchical-")
		law, counts := pair(name, name)
		for _, bin := range errorsOf(l, form.scheme).bins() {
			predicted := 0.0
			for _, r := range bin {
				predicted += form.mean(r.interval, clock) / float64(r.interval) / float64(len(bin))
			}
			add(&law, bin.middle(), exact(predicted))
			add(&counts, bin.middle(), bin.mean())
		}
		f.Series = append(f.Series, law, counts)
	}
	once := figures.Series{Name: "once", Kind: figures.Measured}
	for _, bin := range errorsOf(l, "hierarchical-once").bins() {
		add(&once, bin.middle(), bin.mean())
	}
	f.Series = append(f.Series, once)
	worst := make([]float64, len(f.Series))
	for i, s := range f.Series {
		f.Series[i].Points = slices.DeleteFunc(s.Points, func(p figures.Point) bool { return p.Y == 0 })
		for _, p := range f.Series[i].Points {
			worst[i] = max(worst[i], p.Y)
		}
	}
	if l.err == nil {
		last := len(worst) - 1
		f.Title = fmt.Sprintf("Without migrations a timer is off by up to %.0f %% of its interval on average, "+
			"with one migration by at most %.1f %%", 100*slices.Max(worst[:last]), 100*worst[last])
	}
	return f
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
func (rs requests) bins() []requests {
	byBin := map[int]requests{}
	var order []int
	for _, r := range rs {
		bin := int(5 * math.Log10(float64(r.interval)))
		if byBin[bin] == nil {
			order = append(order, bin)
		}
		byBin[bin] = append(byBin[bin], r)
	}
	slices.Sort(order)
	var bins []requests
	for _, bin := range order {
		bins = append(bins, byBin[bin])
	}
	return bins
}
