package claims

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"timerlab/harness/figures"
)

//go:embed figures.txt
var figuresText string

// Drawings makes the runs of the figures that the claims name, of predictions and what was counted, several at once.
// They are the same on every machine.
func Drawings(ctx context.Context, results []Result) ([]figures.XY, error) {
	texts := slices.DeleteFunc(stanzas(figuresText), func(text stanza) bool {
		return !slices.ContainsFunc(results, func(r Result) bool { return r.Figure == text.Get("Name") })
	})
	return parallel(ctx, len(texts), func(i int) (figures.XY, error) {
		c := &chart{}
		_, err := count(func(counts *counter) {
			c.counter = counts
			c.draw(texts[i])
		})
		return c.XY, err
	})
}

type chart struct {
	figures.XY
	*counter
	counts [][]figures.Point // of the series
	bounds [][]figures.Point
}

func (c *chart) draw(text stanza) {
	c.Name, c.XLabel, c.YLabel, c.Caption = text.Get("Name"), text.Get("X"), text.Get("Y"), []string{text.Get("Caption")}
	c.X = figures.Axis{Unit: figures.Count, Log: strings.Contains(text.Get("Log"), "X")}
	c.Y = figures.Axis{Unit: figures.Count, Log: strings.Contains(text.Get("Log"), "Y")}
	c.series(text)
	title, err := template.New("title").Funcs(template.FuncMap{
		"y":     func(series, point int) float64 { return c.counts[series][point].Y },
		"bound": func(bound, point int) float64 { return c.bounds[bound][point].Y },
		"div":   func(x, y float64) float64 { return x / y },
	}).Parse(text.Get("Title"))
	c.check(err)
	var b strings.Builder
	c.check(title.Execute(&b, nil))
	c.Title = b.String()
}

// parse parses a formula of a figure.
func (c *chart) parse(formula string) expression {
	x, err := parseExpression(formula)
	c.check(err)
	return x
}

// series draws the series of a figure, and its bounds along the runs of the first.
func (c *chart) series(text stanza) {
	at := c.parse(text.Get("At"))
	var along []*experiment
	for i, series := range text["Series"] {
		name, lines, _ := strings.Cut(series, "|")
		all, err := parseLines(lines)
		c.check(err)
		name = strings.TrimSpace(name)
		var predicted, counted []figures.Point
		for _, l := range all {
			for _, r := range l.runs {
				x := at.of(r.over)
				predicted = append(predicted, figures.Point{X: x, Y: l.predicted.of(r.over)})
				found := c.found(l, r)
				counted = append(counted, figures.Point{X: x, Y: found.Mean, Lo: found.Lo, Hi: found.Hi})
				if i == 0 {
					along = append(along, r.over)
				}
			}
		}
		style := cmp.Or(name, all[0].runs[0].over.scheme)
		c.Series = append(c.Series, figures.Series{Name: name, Style: style, Points: predicted},
			figures.Series{Name: name, Style: style, Points: counted, Kind: figures.Measured})
		c.counts = append(c.counts, counted)
	}
	for _, bound := range text["Bound"] {
		parts := append(strings.Split(bound, "|"), "") // the style may be missing
		y, points := c.parse(parts[1]), []figures.Point{}
		for _, e := range along {
			points = append(points, figures.Point{X: at.of(e), Y: y.of(e)})
		}
		c.bounds = append(c.bounds, points)
		c.Series = append(c.Series, figures.Series{Name: strings.TrimSpace(parts[0]), Style: strings.TrimSpace(parts[2]),
			Points: points})
	}
}
