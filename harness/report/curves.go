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
	op, unit, file, label string
	axis                  figures.Unit
}

var curves = []curve{
	{"Start", "ns/op", "start", "START: time per Start, median", figures.Nanoseconds},
	{"Stop", "ns/op", "stop", "STOP: time per Stop, median", figures.Nanoseconds},
	{"PerTick", "ns/op", "per-tick", "PER_TICK: time per PerTick, median", figures.Nanoseconds},
	{"Memory", results.BytesPerTimer, "bytes", "bytes per outstanding timer, slots included", figures.Bytes},
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

func (c curve) figure(t *results.Table, w workloadOf, command string) figures.Curves {
	series := c.series(t, w)
	f := figures.Curves{
		Frame:  figures.Frame{Title: c.finding(series), Caption: c.caption(t, w), Command: command},
		YLabel: c.label,
		Unit:   c.axis,
		Series: series,
	}
	if c.axis == figures.Nanoseconds {
		f.Growth = []figures.Growth{figures.Constant, figures.Logarithmic, figures.Linear}
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
		i := slices.IndexFunc(all, func(s figures.Series) bool { return s.Scheme == k.Scheme && s.Label == label })
		if i < 0 {
			i = len(all)
			all = append(all, figures.Series{Scheme: k.Scheme, Label: label})
		}
		all[i].Points = append(all[i].Points, point(float64(n), e))
	}
	for _, s := range all {
		slices.SortFunc(s.Points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
	}
	slices.SortStableFunc(all, func(a, b figures.Series) int { return cmp.Compare(drawn(a.Scheme), drawn(b.Scheme)) })
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
func nameOf(s figures.Series) string { return cmp.Or(s.Label, s.Scheme) }

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
// apart at the largest n that all reach.
func (c curve) finding(series []figures.Series) string {
	op := c.op
	if c.axis == figures.Bytes {
		op = "Memory"
	}
	at, low, high := widest(series)
	if at == 0 {
		return op
	}
	show := ns
	if c.axis == figures.Bytes {
		show = func(v float64) string { return fmt.Sprintf("%.0f bytes", v) }
	}
	return fmt.Sprintf("%s at n = %s: %s takes %s, %s takes %s, %.3g times as much",
		op, figures.Exact(at), low.scheme, show(low.y), high.scheme, show(high.y), high.y/low.y)
}

type named struct {
	scheme string
	y      float64
}

// widest returns the cheapest and the dearest scheme at the largest n that all
// schemes reach.
func widest(series []figures.Series) (at float64, low, high named) {
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
	for _, s := range series {
		for _, p := range s.Points {
			if p.X != at || s.Scheme == harness.Null.Name {
				continue
			}
			if low.scheme == "" || p.Y < low.y {
				low = named{nameOf(s), p.Y}
			}
			if p.Y > high.y {
				high = named{nameOf(s), p.Y}
			}
		}
	}
	return at, low, high
}

// caption tells the workload, and which cells are not there and why.
func (c curve) caption(t *results.Table, w workloadOf) []string {
	lines := []string{w.String() + ". Scheme 7 has its M slots in equal wheels. Bars: 95 % intervals of the median."}
	var cells []string
	divided := severalLevels(t, w)
	for _, m := range t.Missing {
		if shared(m.Key) != w || m.Key.Op != results.OperationsOp {
			continue
		}
		why := m.Why
		if m.Fail {
			why = "WRONG OUTCOME"
		}
		cell := fmt.Sprintf("%s at n = %s (%s)", cmp.Or(labelOf(m.Key, divided), m.Key.Scheme), m.Key.N, why)
		if !slices.Contains(cells, cell) { // a cell may fail in several rounds
			cells = append(cells, cell)
		}
	}
	if len(cells) > 0 {
		lines = append(lines, "Skipped: "+strings.Join(cells, ", ")+".")
	}
	return lines
}
