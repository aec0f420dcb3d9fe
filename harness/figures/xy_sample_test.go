package figures

import "math"

// sampleVisits has predictions and counts of the same things on two logarithmic axes.
func sampleVisits() XY {
	f := XY{
		Frame: Frame{
			Title:   "PER_TICK: schemes 5 and 6 visit what the formulas say within 5 % from 16 to 64k slots",
			Caption: []string{"Lines: predicted. Markers: counted, with 95 % intervals over 12 seeds; n = 10k, exponential intervals, T = 10k ticks."},
			Command: "bench claims --figures results/example",
		},
		XLabel: "slots, M", YLabel: "timers visited per tick",
		X: Axis{Log: true, Unit: Count}, Y: Axis{Log: true, Unit: Count},
	}
	for i, s := range []struct {
		like string
		cost func(m float64) float64
	}{
		{"unordered", func(float64) float64 { return 1e4 }},
		{"hashsorted", func(m float64) float64 { return 1 + 12/m }},
		{"hashunsorted", func(m float64) float64 { return 1e4 / m }},
		{"hierarchical", func(m float64) float64 { return 1 + 1.7*math.Exp(-m/9e3) }},
	} {
		var predicted, counted []Point
		for j, m := range []float64{16, 64, 256, 1024, 4096, 16384, 65536} {
			predicted = append(predicted, Point{X: m, Y: s.cost(m)})
			counted = append(counted, withBar(m, s.cost(m), i, j))
		}
		name := styleOf(s.like).label()
		f.Series = append(f.Series, Series{name, s.like, Predicted, predicted}, Series{name, s.like, Measured, counted})
	}
	return f
}

var sampleDists = []string{"const", "uniform", "erlang", "exp", "pareto", "bimodal"}

// sampleSpreads has categories, and more lines than fit beside them.
func sampleSpreads() XY {
	f := XY{
		Frame: Frame{
			Title:   "START on an ordered list: the distribution moves the search from 0.50 n to 0.94 n, as the residual life predicts",
			Caption: []string{"Levels: predicted. Markers: counted, with 95 % intervals; n = 1k, T = 10k ticks."},
			Command: "bench claims --figures results/example",
		},
		XLabel: "distribution of the intervals", YLabel: "timers compared with per Start, share of n",
		X: Axis{Names: sampleDists}, Y: Axis{Unit: Count},
	}
	share := []float64{0.94, 0.66, 0.61, 0.5, 0.53, 0.72}
	for i, s := range []string{"ordered", "ordered-rear", "hashsorted", "tree"} {
		var predicted, counted []Point
		for j := range sampleDists {
			y := share[j]
			switch s {
			case "ordered-rear":
				y = 1 - y
			case "hashsorted":
				y /= 4
			case "tree":
				y = 0.01
			}
			predicted = append(predicted, Point{X: float64(j), Y: y})
			counted = append(counted, withBar(float64(j), y, i, j))
		}
		f.Series = append(f.Series, Series{s + ", predicted", s, Predicted, predicted}, Series{s + ", counted", s, Measured, counted})
	}
	return f
}

// sampleMigrations has linear axes, two lines of one colour, and lines of no scheme.
func sampleMigrations() XY {
	f := XY{
		Frame: Frame{
			Title:   "A timer migrates 0.4 to 2.3 times for 2 to 6 levels: fewer than the bound of m − 1 in every case",
			Caption: []string{"Measured on the virtual clock; M = 4096, exponential intervals, T = 10k ticks. Bars: 95 % intervals."},
			Command: "bench claims --figures results/example",
		},
		XLabel: "levels, m", YLabel: "migrations per timer",
		X: Axis{Unit: Count}, Y: Axis{Unit: Count},
	}
	bound, digit, interval, stopped := Series{Name: "bound, m − 1"}, Series{Name: "7, by the digit", Kind: Both, Style: "hierarchical"},
		Series{Name: "7, by the interval", Kind: Both, Style: "hierarchical"}, Series{Name: "90 % stopped at 5 %", Kind: Measured}
	for m := 1.0; m <= 6; m++ {
		bound.Points = append(bound.Points, Point{X: m, Y: m - 1})
		digit.Points = append(digit.Points, withBar(m, 0.48*(m-1)*wobble(3, int(m)), 1, int(m)))
		interval.Points = append(interval.Points, withBar(m, 0.41*(m-1), 2, int(m)))
		stopped.Points = append(stopped.Points, withBar(m, 0.06*(m-1), 4, int(m)))
	}
	f.Series = []Series{bound, digit, interval, stopped}
	return f
}
