package claims

import (
	"context"
	"errors"
	"slices"
)

// Drawing is the data of one figure: what claims predict beside what was counted.
type Drawing struct {
	Name           string // of the figure, as in Claim.Figure
	Title          string // a finding
	Caption        []string
	XLabel, YLabel string
	LogX, LogY     bool
	Categories     []string // names of X = 0, 1, 2, …; nil: X is a number
	Lines          []Line
}

// Line is one series of a drawing.
type Line struct {
	Name      string
	Like      string // series of the same Like share a colour: a prediction and its count
	Predicted bool   // else counted, with intervals
	X         []float64
	Y         []Value
}

func (l *Line) add(x float64, y Value) { l.X, l.Y = append(l.X, x), append(l.Y, y) }

// drawn lists the figures whose runs are counted; others are timed.
var drawn = []struct {
	name string
	draw func(*lab) Drawing
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

// Drawings makes the runs of the figures that the claims name, several at once. They
// are the same on every machine.
func Drawings(ctx context.Context, results []Result) ([]Drawing, error) {
	var jobs []func(*lab) Drawing
	for _, d := range drawn {
		if slices.ContainsFunc(results, func(r Result) bool { return r.Figure == d.name }) {
			jobs = append(jobs, d.draw)
		}
	}
	drawings, errs := make([]Drawing, len(jobs)), make([]error, len(jobs))
	finished := atOnce(ctx, len(jobs), func(i int) {
		l := &lab{}
		drawings[i], errs[i] = jobs[i](l), l.err
	})
	return keep(drawings, errs, finished), errors.Join(append(errs, ctx.Err())...)
}

// pair returns the lines of a prediction and of its counts.
func pair(name, like string) (law, counts Line) {
	return Line{Name: name, Like: like, Predicted: true}, Line{Name: name, Like: like}
}
