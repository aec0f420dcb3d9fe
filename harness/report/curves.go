package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness"
	"timerlab/harness/claims"
	"timerlab/harness/figures"
)

// curve is one kind of figure over n.
type curve struct {
	op, unit, file, subject, label string
	axis                           figures.Unit
}

var curves = []curve{
	{"Start", "ns/op", "start", "START", "START: time per Start, median", figures.Nanoseconds},
	{"Stop", "ns/op", "stop", "STOP", "STOP: time per Stop, median", figures.Nanoseconds},
	{"PerTick", "ns/op", "per-tick", "PER_TICK", "PER_TICK: time per PerTick, median", figures.Nanoseconds},
	{"Memory", results.BytesPerTimer, "bytes", "Memory", "bytes per outstanding timer, slots included", figures.Bytes},
}

// workloadOf is what the points of one curve share.
type workloadOf struct{ Slots, T, Dist, Stop, Rest string }

func shared(k results.Key) workloadOf { return workloadOf{k.Slots, k.T, k.Dist, k.Stop, k.Rest} }

func (w workloadOf) String() string {
	return fmt.Sprintf("M = %s, T = %s, %s intervals, stop = %s", w.Slots, w.T, w.Dist, w.Stop) + strings.ReplaceAll(w.Rest, "/", ", ")
}

// curveFigures returns the cost against n, a figure for each operation and
// workload that was measured at two sizes or more.
func curveFigures(t *results.Table, command string) []Named {
	var all []Named
	for _, c := range curves {
		groups := sizesMeasured(t, c)
		for i, g := range groups {
			name := c.file
			if len(groups) > 1 {
				name = fmt.Sprintf("%s-%d", c.file, i+1)
			}
			f := c.figure(t, g, command)
			all = append(all, Named{name, f, f.Frame})
		}
	}
	return all
}

// sizesMeasured returns the workloads with at least two n, in the order measured.
func sizesMeasured(t *results.Table, c curve) []workloadOf {
	sizes := map[workloadOf][]string{}
	var order []workloadOf
	for _, k := range t.Keys {
		if k.Op != c.op || claims.Own(k) {
			continue
		}
		w := shared(k)
		if sizes[w] == nil {
			order = append(order, w)
		}
		if !slices.Contains(sizes[w], k.N) {
			sizes[w] = append(sizes[w], k.N)
		}
	}
	return slices.DeleteFunc(order, func(w workloadOf) bool { return len(sizes[w]) < 2 })
}

func (c curve) figure(t *results.Table, w workloadOf, command string) figures.XY {
	series := c.series(t, w)
	f := figures.XY{
		Frame:  figures.Frame{Title: c.finding(series), Caption: c.caption(t, w), Command: command},
		XLabel: "timers outstanding, n",
		YLabel: c.label,
		X:      figures.Axis{Log: true, Unit: figures.Count},
		Y:      figures.Axis{Log: true, Unit: c.axis},
		Series: series,
		Slopes: c.axis == figures.Nanoseconds,
	}
	return f
}

// series returns the points of each scheme, by n. Wheels that are divided into
// levels in several ways are as many series.
func (c curve) series(t *results.Table, w workloadOf) []figures.Series {
	var all []figures.Series
	divided := severalLevels(t, w)
	for _, k := range t.Keys {
		if k.Op != c.op || shared(k) != w || strings.HasSuffix(k.Scheme, results.Again) {
			continue
		}
		e, err := t.Median(k, c.unit)
		n, errN := results.ParseCount(k.N)
		if err != nil || errN != nil {
			continue
		}
		label := labelOf(k, divided)
		i := slices.IndexFunc(all, func(s figures.Series) bool { return s.Style == k.Scheme && s.Name == label })
		if i < 0 {
			i = len(all)
			all = append(all, figures.Series{Style: k.Scheme, Name: label, Kind: figures.Both})
		}
		all[i].Points = append(all[i].Points, point(float64(n), e))
	}
	for _, s := range all {
		slices.SortFunc(s.Points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
	}
	slices.SortStableFunc(all, func(a, b figures.Series) int { return cmp.Compare(drawn(a.Style), drawn(b.Style)) })
	return all
}

// severalLevels reports whether a scheme has a workload's slots in different
// levels.
func severalLevels(t *results.Table, w workloadOf) bool {
	levels := map[string]string{} // by scheme
	for _, k := range t.Keys {
		if shared(k) != w || k.Levels == "" {
			continue
		}
		if known, ok := levels[k.Scheme]; ok && known != k.Levels {
			return true
		}
		levels[k.Scheme] = k.Levels
	}
	return false
}

// labelOf returns what tells a series from others of its scheme, if divided: else
// "", for the scheme's own label.
func labelOf(k results.Key, divided bool) string {
	if !divided || k.Levels == "" {
		return ""
	}
	return k.Scheme + ", m = " + k.Levels
}

// nameOf returns what tables and titles call a series.
func nameOf(s figures.Series) string { return cmp.Or(s.Name, s.Style) }

// point returns an estimate at x, without a bar where the interval is unknown.
func point(x float64, e results.Estimate) figures.Point {
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return figures.Point{X: x, Y: e.Median}
	}
	return figures.Point{X: x, Y: e.Median, Lo: e.Lo, Hi: e.Hi}
}

// drawn is the order of drawing: the null scheme below, the two that the paper
// recommends on top.
func drawn(scheme string) string {
	switch scheme {
	case harness.Null.Name:
		return "0"
	case "hashunsorted":
		return "8"
	case "hierarchical":
		return "9"
	}
	return "1" + scheme
}

// finding says what the curves show, with its number: how far the schemes are
// apart at the largest n that all reach, and which of them share the first place.
func (c curve) finding(series []figures.Series) string {
	at := commonSize(series)
	var all []named
	for _, s := range series {
		if p, ok := pointAt(s, at); ok && s.Style != harness.Null.Name {
			all = append(all, named{nameOf(s), p})
		}
	}
	if len(all) == 0 {
		return c.subject
	}
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(a.point.Y, b.point.Y) })
	show := ns
	if c.axis == figures.Bytes {
		show = func(v float64) string { return fmt.Sprintf("%.0f bytes", v) }
	}
	low, high := all[0], all[len(all)-1]
	tied := slices.IndexFunc(all, func(o named) bool { return !low.ties(o) })
	least := fmt.Sprintf("%s takes %s", low.scheme, show(low.point.Y))
	switch {
	case tied < 0:
		return fmt.Sprintf("%s at n = %s: all schemes take about %s", c.subject, figures.Exact(at), show(low.point.Y))
	case tied == 2:
		least = fmt.Sprintf("%s and %s take about %s", low.scheme, all[1].scheme, show(low.point.Y))
	case tied > 2:
		least = fmt.Sprintf("%d schemes take about %s", tied, show(low.point.Y))
	}
	return fmt.Sprintf("%s at n = %s: %s, %s takes %s, %s times as much",
		c.subject, figures.Exact(at), least, high.scheme, show(high.point.Y), times(high.point.Y/low.point.Y))
}

// named is a scheme's point.
type named struct {
	scheme string
	point  figures.Point
}

// ties reports whether o, which takes no less than n, takes hardly more: their intervals overlap or they
// differ by less than 2 %.
func (n named) ties(o named) bool {
	return o.point.Y <= 1.02*n.point.Y || o.point.Lo > 0 && n.point.Hi > 0 && o.point.Lo <= n.point.Hi
}

// commonSize returns the largest n that all schemes reach, or 0.
func commonSize(series []figures.Series) (at float64) {
	reached := map[float64]int{}
	for _, s := range series {
		for _, p := range s.Points {
			reached[p.X]++
		}
	}
	for x, n := range reached {
		if n == len(series) {
			at = max(at, x)
		}
	}
	return at
}

// caption describes the workload, and which cells are missing and why.
func (c curve) caption(t *results.Table, w workloadOf) []string {
	lines := []string{w.String() + ". Scheme 7 has its M slots in equal wheels. Bars: 95 % intervals of the median."}
	return append(lines, missingCells(t, w)...)
}

// missingCells returns a sentence for each reason why cells of a workload have no time.
func missingCells(t *results.Table, w workloadOf) (sentences []string) {
	type row struct{ reason, scheme string }
	var rows []row
	sizes := map[row][]string{}
	divided := severalLevels(t, w)
	for _, m := range t.Missing {
		if shared(m.Key) != w || m.Key.Op != results.OperationsOp {
			continue
		}
		r := row{reasonOf(m), cmp.Or(labelOf(m.Key, divided), m.Key.Scheme)}
		if sizes[r] == nil {
			rows = append(rows, r)
		}
		if !slices.Contains(sizes[r], m.Key.N) { // a cell may fail in several rounds
			sizes[r] = append(sizes[r], m.Key.N)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.reason, b.reason) })
	for i, r := range rows {
		cells := fmt.Sprintf("%s at n = %s", r.scheme, strings.Join(sizes[r], " and "))
		if i > 0 && rows[i-1].reason == r.reason {
			sentences[len(sentences)-1] += ", " + cells
		} else {
			sentences = append(sentences, r.reason+": "+cells)
		}
	}
	for i := range sentences {
		sentences[i] += "."
	}
	return sentences
}

// reasonOf says in short why a cell has no time. The page lists the limits and what was predicted.
func reasonOf(m results.Missing) string {
	switch {
	case m.Fail:
		return "WRONG OUTCOME"
	case strings.HasPrefix(m.Why, "predicted to take") && strings.Contains(m.Why, " MB"):
		return "Skipped as too large"
	case strings.HasPrefix(m.Why, "predicted to take"):
		return "Skipped as too slow"
	}
	return "Skipped, " + m.Why
}
