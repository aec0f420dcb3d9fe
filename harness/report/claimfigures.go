package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
)

// treesFigure draws lifetimes of trees and wheels against n, if they were timed at
// two n or more.
func treesFigure(t *results.Table) (Named, bool) {
	byScheme := map[string][]figures.Point{}
	var schemes []string
	for _, k := range t.Keys {
		n, errN := results.ParseCount(k.N)
		e, err := t.Median(k, "ns/op")
		if !claims.IsTrees(k) || strings.HasSuffix(k.Scheme, results.Again) || errN != nil || err != nil {
			continue
		}
		if byScheme[k.Scheme] == nil {
			schemes = append(schemes, k.Scheme)
		}
		byScheme[k.Scheme] = append(byScheme[k.Scheme], point(float64(n), e))
	}
	f := figures.XY{
		Frame: figures.Frame{
			Title:   treesTitle(byScheme),
			Caption: []string{"Log-uniform intervals, T = 4000, no stops. Scheme 7 has four wheels of 256 slots, schemes 5 and 6 have 16384 slots. Bars: 95 % intervals of the median. Schemes too slow for an n are left out there."},
			Command: t.Sources[len(t.Sources)-1].Command,
		},
		XLabel: "timers outstanding, n", YLabel: "time per timer, start to expiry, median",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	sizes := 0
	slices.SortFunc(schemes, func(a, b string) int { return cmp.Compare(drawn(a), drawn(b)) })
	for _, scheme := range schemes {
		points := byScheme[scheme]
		slices.SortFunc(points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
		f.Series = append(f.Series, figures.Series{Style: scheme, Kind: figures.Both, Points: points})
		sizes = max(sizes, len(points))
	}
	return Named{"trees", f, f.Frame}, sizes > 1 && f.Title != ""
}

// treesTitle compares heap and wheels at the largest n of both.
func treesTitle(byScheme map[string][]figures.Point) string {
	at, heap, wheels := 0.0, math.NaN(), math.NaN()
	for _, h := range byScheme["tree"] {
		for _, w := range byScheme["hierarchical"] {
			if h.X == w.X && h.X > at {
				at, heap, wheels = h.X, h.Y, w.Y
			}
		}
	}
	if at == 0 {
		return ""
	}
	return "At n = " + figures.Exact(at) + " a timer costs " + ns(heap) + " in a binary heap, " + ns(wheels) + " in four wheels of 256"
}
