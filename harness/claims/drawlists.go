package claims

import (
	"fmt"
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
)

// Drawings of lists, trees and simulators' wheels.

// drawPassed: the share of an ordered list that a start passes.
func drawPassed(l *lab) Drawing {
	d := Drawing{
		Name:   "passed",
		XLabel: "distribution of intervals", YLabel: "share of the list that a start passes",
		Caption: []string{fmt.Sprintf("n = %d. Levels: E[min(J1, J2)]/E[J] from the head, the rest from the rear; with stops, the chance that a timer found outstanding expires first. The paper's text: one transcription.", passingN)},
	}
	for _, dist := range passingDists() {
		d.Categories = append(d.Categories, dist.String())
	}
	for _, kind := range []struct {
		name        string
		stops, rear bool
	}{{"from the head", false, false}, {"from the rear", false, true}, {"from the head, 90 % stopped at 5 %", true, false}} {
		law, counts := pair(kind.name, kind.name)
		for i, dist := range passingDists() {
			p := passing{dist, kind.stops, kind.rear}
			law.add(float64(i), exact(p.predicted(passingN)))
			counts.add(float64(i), p.share(l, passingN))
		}
		d.Lines = append(d.Lines, law, counts)
	}
	d.Lines = append(d.Lines, Line{Name: "the paper's text, from the head", X: []float64{0, 1}, Y: []Value{exact(2. / 3), exact(1. / 2)}})
	head := d.Lines[1].Y
	d.Title = fmt.Sprintf("A start passes %.2f of the list if intervals are exponential, %.2f if uniform: the paper's names are interchanged", head[0].Mean, head[1].Mean)
	return d
}

// drawDepth: the timers that START of an unbalanced tree passes.
func drawDepth(l *lab) Drawing {
	d := Drawing{
		Name:   "tree-depth",
		XLabel: "timers outstanding, n", YLabel: "timers that a start passes in an unbalanced tree", LogX: true, LogY: true,
		Caption: []string{"One start a tick, no stops, after three mean stays. Lines: n - 1, √n, 1.3 log2 n."},
	}
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
			law.add(float64(n), exact(kind.law(float64(n))))
			if n <= kind.most {
				e := treeRun("tree-bst", n, kind.dist, false)
				if kind.dist == workload.Const() {
					e.each /= 16
				}
				counts.add(float64(n), l.run(e).per(starting, started))
			}
		}
		d.Lines = append(d.Lines, law, counts)
	}
	if l.err == nil {
		uniform, exp := d.Lines[3].Y, d.Lines[5].Y
		d.Title = fmt.Sprintf("An unbalanced tree of 10,000 is %.0f deep with uniform intervals, %.0f with exponential ones, and a list with equal ones", uniform[4].Mean, exp[4].Mean)
	}
	return d
}

// drawOverflow: the starts that the wheels of simulators put aside.
func drawOverflow(l *lab) Drawing {
	d := Drawing{
		Name:   "overflow",
		XLabel: "interval, in M", YLabel: "share of starts that overflow",
		Caption: []string{fmt.Sprintf("Constant intervals, M = %d, starts at any phase. Lines: j/M, and (2j - M)/M above M/2.", overflowSlots)},
	}
	for _, wheel := range []struct {
		scheme, name string
		law          func(float64) float64
	}{
		{"simplewheel-tegas", "TEGAS-2: refilled once a cycle", func(x float64) float64 { return min(1, x) }},
		{"simplewheel-decsim", "DECSIM: rotated by half", func(x float64) float64 { return min(1, max(0, 2*x-1)) }},
		{"simplewheel", "scheme 4: rotated every tick", func(float64) float64 { return 0 }},
	} {
		law, counts := pair(wheel.name, wheel.name)
		for x := 0.0; x <= 1; x += 0.125 {
			law.add(x, exact(wheel.law(x)))
		}
		for _, j := range overflowing {
			x := float64(j) / overflowSlots
			counts.add(x, overflows(l, wheel.scheme, workload.Const(), j, 0).Measured)
		}
		d.Lines = append(d.Lines, law, counts)
	}
	if l.err == nil {
		last := len(overflowing) - 1
		d.Title = fmt.Sprintf("At intervals of %.2f M, %.0f %% of starts overflow a TEGAS-2 wheel, %.0f %% DECSIM's, none scheme 4", float64(overflowing[last])/overflowSlots, 100*d.Lines[1].Y[last].Mean, 100*d.Lines[3].Y[last].Mean)
	}
	return d
}

// drawLazy: what lazy stops hold.
func drawLazy(l *lab) Drawing {
	d := Drawing{
		Name:   "lazy",
		XLabel: "share of timers stopped, at 5 % of their interval", YLabel: "records held for each live timer", LogY: true,
		Caption: []string{"Exponential intervals, n = 1000. Line: E[J]/E[S], mean interval over mean stay."},
	}
	law, counts := pair("hashunsorted-lazy", "hashunsorted")
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99} {
		law.add(share, exact(cost.HeldPerLive(lazySpec(share).Lives())))
		counts.add(share, lazily(l, share, 2))
	}
	d.Lines = []Line{law, counts}
	if l.err == nil {
		d.Title = fmt.Sprintf("Lazy stops hold %.1f records for each live timer if 90 %% are stopped early, %.0f if 99 %%", counts.Y[4].Mean, counts.Y[6].Mean)
	}
	return d
}
