package claims

import (
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/harness/workload"
)

// Figures of lists, trees and simulators' wheels.

// drawPassed: the share of an ordered list that a start passes.
func drawPassed(l *lab) figures.XY {
	f := figures.XY{
		XLabel: "distribution of intervals", YLabel: "share of the list that a start passes",
		X: linear, Y: linear,
	}
	f.Caption = caption("n = %d. Levels: predicted, E[min(J1, J2)]/E[J] from the head, the rest from the rear; "+
		"with stops, the chance that a timer found outstanding expires first. Markers: counted. The paper's "+
		"text: one transcription.", passingN)
	for _, dist := range passingDists() {
		f.X.Names = append(f.X.Names, dist.String())
	}
	for _, kind := range []struct {
		name        string
		stops, rear bool
	}{{"from the head", false, false}, {"from the rear", false, true}, {"from the head, 90 % stopped at 5 %",
		true, false}} {
		law, counts := pair(kind.name, kind.name)
		for i, dist := range passingDists() {
			p := passing{dist, kind.stops, kind.rear}
			add(&law, float64(i), exact(p.predicted(passingN)))
			add(&counts, float64(i), p.share(l, passingN))
		}
		f.Series = append(f.Series, law, counts)
	}
	text := figures.Series{Name: "the paper's text, from the head", Kind: figures.Measured}
	text.Points = []figures.Point{{X: 0, Y: 2. / 3}, {X: 1, Y: 1. / 2}}
	f.Series = append(f.Series, text)
	head := f.Series[1].Points
	f.Title = fmt.Sprintf("A start passes %.2f of the list if intervals are exponential, %.2f if uniform: the "+
		"paper's names are interchanged", head[0].Y, head[1].Y)
	return f
}

// drawDepth: the timers that START of an unbalanced tree passes.
func drawDepth(l *lab) figures.XY {
	f := figures.XY{
		XLabel: "timers outstanding, n", YLabel: "timers that a start passes in an unbalanced tree",
		X: logarithmic, Y: logarithmic,
	}
	f.Caption = caption("One start a tick, no stops, after three mean stays. Markers: counted. Lines: n - 1, √n, " +
		"1.3 log2 n.")
	sizes := []int{100, 300, 1_000, 3_000, 10_000}
	for _, kind := range []struct {
		dist workload.Dist
		law  func(float64) float64
		most int
		name string
	}{
		{workload.Const(), func(n float64) float64 { return n - 1 }, 3_000, "equal intervals"},
		{workload.Uniform(), math.Sqrt, 10_000, "uniform intervals"},
		{workload.Exp(), func(n float64) float64 { return 1.3 * math.Log2(n) }, 10_000, "exponential intervals"},
	} {
		law, counts := pair(kind.name, kind.name)
		for _, n := range sizes {
			add(&law, float64(n), exact(kind.law(float64(n))))
			if n <= kind.most {
				e := treeRun("tree-bst", n, kind.dist, false)
				if kind.dist == workload.Const() {
					e.each /= 16
				}
				add(&counts, float64(n), l.run(e).per(starting, started))
			}
		}
		f.Series = append(f.Series, law, counts)
	}
	if l.err == nil {
		uniform, exp := f.Series[3].Points, f.Series[5].Points
		f.Title = fmt.Sprintf("An unbalanced tree of 10,000 is %.0f deep with uniform intervals, %.0f with "+
			"exponential ones, and a list with equal ones", uniform[4].Y, exp[4].Y)
	}
	return f
}

// drawOverflow: the starts that the wheels of simulators put aside.
func drawOverflow(l *lab) figures.XY {
	f := figures.XY{XLabel: "interval, in M", YLabel: "share of starts that overflow", X: linear, Y: linear}
	f.Caption = caption("Constant intervals of j ticks, M = %d, starts at any phase. Markers: counted. Lines: "+
		"j/M, (2j - M)/M above M/2, and 0.", overflowSlots)
	for _, wheel := range []struct {
		scheme, name string
		law          func(float64) float64
	}{
		{"simplewheel-tegas", "TEGAS-2: refilled once a cycle", func(x float64) float64 { return min(1, x) }},
		{"simplewheel-decsim", "DECSIM: rotated by half", func(x float64) float64 { return min(1, max(0, 2*x-1)) }},
		{"simplewheel", "scheme 4: rotated every tick", func(float64) float64 { return 0 }},
	} {
		law, counts := pair(wheel.name, wheel.scheme)
		for x := 0.0; x <= 1; x += 0.125 {
			add(&law, x, exact(wheel.law(x)))
		}
		for _, j := range overflowing {
			add(&counts, float64(j)/overflowSlots, overflows(l, wheel.scheme, workload.Const(), j, 0).Measured)
		}
		f.Series = append(f.Series, law, counts)
	}
	if l.err == nil {
		last := len(overflowing) - 1
		f.Title = fmt.Sprintf("At intervals of %.2f M, %.0f %% of starts overflow a TEGAS-2 wheel, %.0f %% "+
			"DECSIM's, none scheme "+
			"4",
			float64(overflowing[last])/overflowSlots, 100*f.Series[1].Points[last].Y, 100*f.Series[3].Points[last].Y)
	}
	return f
}

// drawLazy: what lazy stops hold.
func drawLazy(l *lab) figures.XY {
	f := figures.XY{
		XLabel: "share of timers stopped, at 5 % of their interval", YLabel: "records held for each live timer",
		X: linear, Y: logarithmic,
	}
	f.Caption = caption("Exponential intervals, n = 1000. Markers: counted. Line: E[J]/E[S], mean interval over " +
		"mean stay.")
	law, counts := pair("", "hashunsorted-lazy")
	for share := 0.0; share < 0.985; share += 0.02 {
		add(&law, share, exact(cost.HeldPerLive(lazySpec(share).Lives())))
	}
	add(&law, 0.99, exact(cost.HeldPerLive(lazySpec(0.99).Lives())))
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99} {
		add(&counts, share, lazily(l, share, 2))
	}
	f.Series = []figures.Series{law, counts}
	if l.err == nil {
		f.Title = fmt.Sprintf("Lazy stops hold %.1f records for each live timer if 90 %% are stopped early, %.0f "+
			"if 99 %%", counts.Points[4].Y, counts.Points[6].Y)
	}
	return f
}
