package report

import (
	"slices"
	"strings"

	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// heapOrWheel is what a timer costs by n, in heaps, a list and wheels on the virtual clock, and in Go's timers on the real one.
type heapOrWheel struct {
	Table  *Table  // where all expire
	Extra  []extra // by workload
	Figure figures.XY
	Go     bool // the figure has Go's timers
}

// extra says what the better heap costs more than the better wheel on a workload: at most Most ns a timer up to n = Upto,
// where that is at most affordable at all n, and AtLast at the largest n that was measured. Upto is 0 if there is no such n.
type extra struct {
	What         string // the workload
	Upto, Last   int
	Most, AtLast float64
}

// affordable is what a timer may cost more in a heap, in ns: a twentieth of what a timer of Go's with its action's
// goroutine takes: too little to change the structure for.
const affordable = 50

const heapSet = "heap"

var (
	heaps  = []string{"tree-4ary", "tree-lazy"}
	wheels = []string{"hashunsorted", "hierarchical", "hashunsorted-chunked", "hierarchical-chunked"}
)

func newHeapOrWheel(t *results.Table, command string) *heapOrWheel {
	keys := ofSet(t, units.LifetimeOp, heapSet)
	if len(keys) == 0 {
		return nil
	}
	h := &heapOrWheel{}
	var pivots []*Pivot[subject, atN]
	for _, stop := range []string{"0", ""} { // all expire, and others
		p := &Pivot[subject, atN]{Corner: "scheme"}
		for _, k := range keys {
			if (k.Stop == "0") == (stop == "0") {
				p.Set(subject{scheme: k.Scheme}, atN(t.Cell(k).Spec.N), medianCell(t, k, units.NsPerOp, units.FormatNanos))
			}
		}
		slices.SortFunc(p.Rows, subject.compare)
		p.Bold(subject.competes)
		what := map[string]string{"0": "all expire", "": "99 % are stopped after 5 % of their interval"}[stop]
		h.Extra, pivots = append(h.Extra, extraOf(p, what)), append(pivots, p)
	}
	h.Table = pivots[0].Table()
	h.Table.Title = "All expire."
	h.draw(pivots[0], t, command)
	return h
}

func extraOf(p *Pivot[subject, atN], what string) extra {
	e, fits := extra{What: what}, true // at all n so far
	for _, n := range slices.Sorted(slices.Values(p.Columns)) {
		heap, wheel := best(p, n, heaps), best(p, n, wheels)
		if heap.N == 0 || wheel.N == 0 || !heap.Bounded() || !wheel.Bounded() { // fewer than six rounds say nothing
			continue
		}
		e.Last, e.AtLast = int(n), max(0, heap.Median-wheel.Median)
		if fits = fits && e.AtLast <= affordable; fits {
			e.Upto, e.Most = int(n), max(e.Most, e.AtLast)
		}
	}
	return e
}

// best returns the least median of some schemes at n.
func best(p *Pivot[subject, atN], n atN, schemes []string) results.Estimate {
	cells := p.measured(n, func(s subject) bool { return slices.Contains(schemes, s.scheme) })
	if len(cells) == 0 {
		return results.Estimate{}
	}
	return cells[0].estimate()
}

// draw draws a pivot and, if the table has them, Go's timers.
func (h *heapOrWheel) draw(p *Pivot[subject, atN], t *results.Table, command string) {
	f := &h.Figure
	*f = figures.XY{Name: "timer-over-n", Command: command, XLabel: "timers outstanding, n", YLabel: "CPU time per timer, start to end, median",
		X: logarithmic, Y: figures.Axis{Log: true}}
	for _, row := range slices.DeleteFunc(slices.Clone(p.Rows), func(s subject) bool { return !s.competes() }) {
		s := figures.Series{Style: row.scheme, Kind: figures.Both}
		for _, n := range p.Columns {
			if c, _ := p.get(row, n); c.estimate().N > 0 {
				s.Points = append(s.Points, pointOf(float64(n), c.estimate()))
			}
		}
		f.Series = append(f.Series, s)
	}
	services := map[string]int{}
	for _, k := range cellsOf(t, units.LifetimeOp) {
		if e, err := t.Median(k, units.NsPerOp); err == nil && k.Service != "" && !strings.HasSuffix(k.Service, units.Again) {
			i, ok := services[k.Service]
			if !ok {
				i, services[k.Service] = len(f.Series), len(f.Series)
				f.Series = append(f.Series, figures.Series{Name: k.Service, Kind: figures.Both})
			}
			f.Series[i].Points = append(f.Series[i].Points, pointOf(float64(t.Cell(k).Spec.N), e))
		}
	}
	h.Go = len(services) > 0
	f.Title, f.Caption = phrase("title of timer-over-n", h), []string{phrase("caption of timer-over-n", h)}
}
