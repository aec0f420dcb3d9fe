package claims

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"timerlab/harness/figures"
)

//go:embed figures.txt
var figuresText string

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
		c := &chart{}
		_, err := count(func(counts *counter) {
			c.counter = counts
			c.draw(texts[i])
		})
		return Drawing{texts[i].Get("Name"), c.XY}, err
	})
}

type chart struct {
	figures.XY
	*counter
	counts  [][]figures.Point // of the series
	bounds  [][]figures.Point
	results []float64 // the deviations of spreads, for the title
}

func (c *chart) draw(text stanza) {
	c.XLabel, c.YLabel, c.Caption = text.Get("X"), text.Get("Y"), []string{text.Get("Caption")}
	c.X = figures.Axis{Unit: figures.Count, Log: strings.Contains(text.Get("Log"), "X"),
		Names: strings.Fields(text.Get("Names"))}
	c.Y = figures.Axis{Unit: figures.Count, Log: strings.Contains(text.Get("Log"), "Y")}
	c.series(text)
	title, err := template.New("title").Funcs(template.FuncMap{
		"y":      func(series, point int) float64 { return c.counts[series][point].Y },
		"bound":  func(bound, point int) float64 { return c.bounds[bound][point].Y },
		"result": func(i int) float64 { return c.results[i] },
		"mul":    func(x, y float64) float64 { return x * y },
		"div":    func(x, y float64) float64 { return x / y },
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

// named splits "name | lines".
func (c *chart) named(text string) (name string, all []*line) {
	name, lines, _ := strings.Cut(text, "|")
	all, err := parseLines(lines)
	c.check(err)
	return strings.TrimSpace(name), all
}

// series draws the series of a figure, its bounds along the curve of the first, and its marks.
func (c *chart) series(text stanza) {
	at := expression{}
	if text.Get("At") != "" {
		at = c.parse(text.Get("At"))
	}
	var along []*experiment
	for _, series := range text["Series"] {
		name, all := c.named(series)
		first := all[0].runs[0].over
		style := cmp.Or(name, first.scheme)
		var predicted, counted []figures.Point
		for _, l := range all {
			for _, r := range l.runs {
				x := float64(len(counted))
				if at.of != nil {
					x = at.value(r.over)
				}
				predicted = append(predicted, figures.Point{X: x, Y: l.predicted.value(r.over)})
				counted = append(counted, pointOf(x, c.found(l, r)))
			}
		}
		if text.Get("Curve") != "" {
			curve, err := first.curve(text.Get("Curve"))
			c.check(err)
			if along == nil {
				along = curve
			}
			predicted = pointsOf(curve, at, all[0].predicted)
		}
		c.Series = append(c.Series, figures.Series{Name: name, Style: style, Points: predicted},
			figures.Series{Name: name, Style: style, Points: counted, Kind: figures.Measured})
		c.counts = append(c.counts, counted)
	}
	for _, bound := range text["Bound"] {
		name, formula, _ := strings.Cut(bound, "|")
		points := pointsOf(along, at, c.parse(formula))
		c.bounds = append(c.bounds, points)
		c.Series = append(c.Series, figures.Series{Name: strings.TrimSpace(name), Points: points})
	}
	for _, spread := range text["Spread"] {
		name, all := c.named(spread)
		var values []float64
		c.run(all[0].runs[0].over.eachTick(func(b batch) { values = append(values, b[all[0].num]) }))
		slices.Sort(values)
		s, last := figures.Series{Name: name}, 0.
		for i, v := range values { // the share falls right of each value that occurs
			if share := float64(len(values)-i) / float64(len(values)); v > last {
				s.Points = append(s.Points, figures.Point{X: max(1, last), Y: share}, figures.Point{X: v, Y: share})
				last = v
			}
		}
		c.Series = append(c.Series, s)
		c.results = append(c.results, relativeDeviation(values))
	}
	for _, marks := range text["Marks"] {
		name, points, _ := strings.Cut(marks, "|")
		s := figures.Series{Name: strings.TrimSpace(name), Kind: figures.Measured}
		for _, point := range strings.Fields(points) {
			var p figures.Point
			_, err := fmt.Sscanf(point, "%g,%g", &p.X, &p.Y)
			c.check(err)
			s.Points = append(s.Points, p)
		}
		c.Series = append(c.Series, s)
	}
}

// curve returns the runs that differ from e in the values of a key: "T 16..4096*1.04" or "n 1,2,4".
func (e *experiment) curve(text string) (all []*experiment, err error) {
	key, values, _ := strings.Cut(text, " ")
	list := strings.FieldsFunc(values, func(r rune) bool { return r == ',' || r == ' ' })
	var from, to, factor float64
	if _, wrong := fmt.Sscanf(strings.NewReplacer("..", " ", "*", " ").Replace(values), "%g %g %g", &from, &to,
		&factor); wrong == nil && factor > 1 {
		list = nil
		for x := from; x < to; x *= factor {
			list = append(list, strconv.Itoa(int(x)))
		}
		list = append(list, strconv.Itoa(int(to)))
	}
	for _, value := range list {
		words := maps.Clone(e.words)
		words[key] = value
		if key == "T" { // enough to evaluate formulas
			delete(words, "warm")
			delete(words, "each")
		}
		with, err := newExperiment(words)
		if err != nil {
			return nil, err
		}
		all = append(all, with)
	}
	return all, nil
}

func pointsOf(curve []*experiment, at, y expression) (points []figures.Point) {
	for _, e := range curve {
		points = append(points, figures.Point{X: at.value(e), Y: y.value(e)})
	}
	return points
}

// pointOf returns the point of a measurement, without a bar where it is exact.
func pointOf(x float64, v Value) figures.Point {
	if v.Lo == v.Hi {
		return figures.Point{X: x, Y: v.Mean}
	}
	return figures.Point{X: x, Y: v.Mean, Lo: v.Lo, Hi: v.Hi}
}
