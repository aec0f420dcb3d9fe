package claims

import (
	"context"
	"fmt"
	"slices"

	"timerlab/harness/figures"
)

// drawn lists the figures whose runs are counted; others are timed.
var drawn = []struct {
	name string
	draw func(*lab) figures.XY
}{
	{"passed", drawPassed},
	{"tree-depth", drawDepth},
	{"overflow", drawOverflow},
	{"lazy", drawLazy},
	{"visits", drawVisits},
	{"per-tick-hash", drawBursts},
	{"migrations", drawMigrations},
	{"crossover", drawCrossover},
	{"precision", drawPrecision},
	{"interrupts", drawInterrupts},
}

// Drawing is one figure: predictions of claims, and what was counted.
type Drawing struct {
	Name string // of its file, as in Claim.Figure
	figures.XY
}

// Drawings makes the runs of the figures that the claims name, several at once. They
// are the same on every machine.
func Drawings(ctx context.Context, results []Result) ([]Drawing, error) {
	var names []string
	var jobs []func(*lab) figures.XY
	for _, d := range drawn {
		if slices.ContainsFunc(results, func(r Result) bool { return r.Figure == d.name }) {
			names, jobs = append(names, d.name), append(jobs, d.draw)
		}
	}
	return parallel(ctx, len(jobs), func(i int) (Drawing, error) {
		l := &lab{}
		d := Drawing{names[i], jobs[i](l)}
		return d, l.err
	})
}

// Axes of counts.
var (
	linear      = figures.Axis{Unit: figures.Count}
	logarithmic = figures.Axis{Log: true, Unit: figures.Count}
)

// caption is one paragraph.
func caption(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }

// pair returns the series of a prediction and of its counts, which share a look.
func pair(name, style string) (law, counts figures.Series) {
	law = figures.Series{Name: name, Style: style}
	counts = law
	counts.Kind = figures.Measured
	return law, counts
}

// add appends a value at x to a series, without a bar where it is exact.
func add(s *figures.Series, x float64, v Value) {
	p := figures.Point{X: x, Y: v.Mean}
	if v.Lo != v.Hi {
		p.Lo, p.Hi = v.Lo, v.Hi
	}
	s.Points = append(s.Points, p)
}

// steps returns the numbers from lo to hi, each greater than the one before by a factor: enough for
// a curve that is drawn as a line.
func steps(lo, hi, factor float64) (all []float64) {
	for x := lo; x < hi*(1-1e-9); x *= factor {
		all = append(all, x)
	}
	return append(all, hi)
}
