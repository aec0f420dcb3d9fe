package claims

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/figures"
)

//go:embed figures.txt
var figuresText string

// drawn makes the runs of the figures that are counted, by name; other figures are timed.
var drawn = map[string]func(*chart){
	"passed":        drawPassed,
	"tree-depth":    drawDepth,
	"overflow":      drawOverflow,
	"lazy":          drawLazy,
	"visits":        drawVisits,
	"per-tick-hash": drawBursts,
	"migrations":    drawMigrations,
	"crossover":     drawCrossover,
	"precision":     drawPrecision,
	"interrupts":    drawInterrupts,
}

// Drawing is one figure: predictions of claims, and what was counted.
type Drawing struct {
	Name string // of its file, as in Claim.Figure
	figures.XY
}

// Drawings makes the runs of the figures that the claims name, several at once. They
// are the same on every machine.
func Drawings(ctx context.Context, results []Result) ([]Drawing, error) {
	texts := slices.DeleteFunc(stanzas(figuresText), func(text stanza) bool {
		return !slices.ContainsFunc(results, func(r Result) bool { return r.Figure == text.Get("Name") })
	})
	return parallel(ctx, len(texts), func(i int) (Drawing, error) {
		c := &chart{text: texts[i]}
		c.XLabel, c.YLabel, c.Caption = c.text.Get("X"), c.text.Get("Y"), []string{c.text.Get("Caption")}
		c.X = figures.Axis{Unit: figures.Count, Log: strings.Contains(c.text.Get("Log"), "X")}
		c.Y = figures.Axis{Unit: figures.Count, Log: strings.Contains(c.text.Get("Log"), "Y")}
		name := c.text.Get("Name")
		_, err := attempt(func(l *lab) {
			c.lab = l
			drawn[name](c)
		})
		return Drawing{name, c.XY}, err
	})
}

// chart is a figure that is being drawn.
type chart struct {
	figures.XY
	lab  *lab
	text stanza
}

// title fills the title's format.
func (c *chart) title(args ...any) { c.Title = fmt.Sprintf(c.text.Get("Title"), args...) }

// add adds a series of predictions, or of counts.
func (c *chart) add(name string, kind figures.Kind, points []figures.Point) {
	c.Series = append(c.Series, figures.Series{Name: name, Kind: kind, Points: points})
}

// compare adds the line of a prediction and the markers of its counts, which share a look.
func (c *chart) compare(name, style string, predicted, counted []figures.Point) {
	c.Series = append(c.Series, figures.Series{Name: name, Style: style, Points: predicted},
		figures.Series{Name: name, Style: style, Points: counted, Kind: figures.Measured})
}

// predictedPoints returns the points of a formula.
func predictedPoints(xs []float64, formula func(x float64) float64) []figures.Point {
	return countedPoints(xs, func(x float64) Value { return exact(formula(x)) })
}

// countedPoints returns the points of measurements, without a bar where they are exact.
func countedPoints(xs []float64, measured func(x float64) Value) (points []figures.Point) {
	for _, x := range xs {
		points = append(points, countedPoint(x, measured(x)))
	}
	return points
}

func countedPoint(x float64, v Value) figures.Point {
	if v.Lo == v.Hi {
		return figures.Point{X: x, Y: v.Mean}
	}
	return figures.Point{X: x, Y: v.Mean, Lo: v.Lo, Hi: v.Hi}
}

// steps returns the numbers from lo to hi, each greater than the one before by a factor: enough for
// a curve that is drawn as a line.
func steps(lo, hi, factor float64) (all []float64) {
	for x := lo; x < hi*(1-1e-9); x *= factor {
		all = append(all, x)
	}
	return append(all, hi)
}
