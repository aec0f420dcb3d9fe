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
	return parallel(ctx, len(texts), func(i int) (f figures.XY, err error) {
		_, err = count(func(c *counter) { f = c.draw(texts[i]) })
		return f, err
	})
}

// draw returns a figure: its series, and its bounds along the runs of the first.
func (c *counter) draw(text stanza) figures.XY {
	f := figures.XY{
		Name: text.Get("Name"), Caption: []string{text.Get("Caption")}, XLabel: text.Get("X"), YLabel: text.Get("Y"),
		X: figures.Axis{Unit: figures.Count, Log: strings.Contains(text.Get("Log"), "X")},
		Y: figures.Axis{Unit: figures.Count, Log: strings.Contains(text.Get("Log"), "Y")},
	}
	parse := func(formula string) expression {
		x, err := parseExpression(formula)
		c.check(err)
		return x
	}
	at := parse(text.Get("At"))
	var along []*experiment
	var counts, bounds [][]figures.Point // of the title
	for i, series := range text["Series"] {
		name, lines, _ := strings.Cut(series, "|")
		all, err := parseLines(lines)
		c.check(err)
		name = strings.TrimSpace(name)
		var predicted, counted []figures.Point
		for _, l := range all {
			for _, r := range l.runs {
				x, found := at.of(r.over), c.found(l, r)
				predicted = append(predicted, figures.Point{X: x, Y: l.predicted.of(r.over)})
				counted = append(counted, figures.Point{X: x, Y: found.Mean, Lo: found.Lo, Hi: found.Hi})
				if i == 0 {
					along = append(along, r.over)
				}
			}
		}
		style := cmp.Or(name, all[0].runs[0].over.Scheme)
		f.Series = append(f.Series, figures.Series{Name: name, Style: style, Points: predicted},
			figures.Series{Name: name, Style: style, Points: counted, Kind: figures.Measured})
		counts = append(counts, counted)
	}
	for _, bound := range text["Bound"] {
		parts := append(strings.Split(bound, "|"), "") // the style may be missing
		y, points := parse(parts[1]), []figures.Point{}
		for _, e := range along {
			points = append(points, figures.Point{X: at.of(e), Y: y.of(e)})
		}
		bounds = append(bounds, points)
		f.Series = append(f.Series, figures.Series{Name: strings.TrimSpace(parts[0]), Style: strings.TrimSpace(parts[2]),
			Points: points})
	}
	title, err := template.New("title").Funcs(template.FuncMap{
		"y":     func(series, point int) float64 { return counts[series][point].Y },
		"bound": func(bound, point int) float64 { return bounds[bound][point].Y },
		"div":   func(x, y float64) float64 { return x / y },
	}).Parse(text.Get("Title"))
	c.check(err)
	var b strings.Builder
	c.check(title.Execute(&b, nil))
	f.Title = b.String()
	return f
}
