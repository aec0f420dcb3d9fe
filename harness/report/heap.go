package report

import (
	"slices"

	"timerlab/harness/drive"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes/ordered"
)

// heapOrWheel is what a timer costs by n, in heaps, lists and wheels on the virtual clock, and in Go's timers on the real one.
type heapOrWheel struct {
	Tables []*Table // by workload
	Figure figures.XY

	Ends  []crossing
	Equal []float64 // regret of a list for each interval where all are equal, by n
	Go    bool      // the figure has Go's timers
}

// crossing says from which n on the better wheel costs less than the better heap at all n that were measured, 0 if there is
// none, and by how much the heap costs more at most where n is less, in ns.
type crossing struct {
	What  string // the workload
	From  int
	Fewer bool // some n below From were measured
	Below float64
}

const heapSet = "heap"

func newHeapOrWheel(t *results.Table, command string) *heapOrWheel {
	keys := ofSet(t, units.LifetimeOp, heapSet)
	if len(keys) == 0 {
		return nil
	}
	h := &heapOrWheel{}
	var workloads []results.Key
	for _, k := range keys {
		workloads = appendNew(workloads, conditionsOf(withoutSlots(k)))
	}
	var first *Pivot[string, atN]
	for _, w := range workloads {
		p := Pivot[string, atN]{Corner: "scheme"}
		for _, k := range keys {
			if conditionsOf(withoutSlots(k)) == w {
				p.Set(k.Scheme, atN(t.Cell(k).Spec.N), medianCell(t, k, units.NsPerOp, units.FormatNanos))
			}
		}
		p.Bold(func(scheme string) bool { return scheme != drive.Null.Name })
		table := p.Table()
		table.Title = heapWords(w) + "."
		h.Tables = append(h.Tables, table)
		if w.Dist == workload.Const.String() {
			for _, n := range p.Columns {
				if own := best(&p, n, []string{ordered.Durations.Name}); own.N > 0 {
					h.Equal = append(h.Equal, max(0, own.Median/best(&p, n, slices.Concat(heaps, wheels)).Median-1))
				}
			}
		} else {
			h.Ends = append(h.Ends, crossingOf(&p, map[bool]string{true: "all expire", false: "most are stopped"}[w.Stop == "0"]))
		}
		if first == nil {
			first = &p
		}
	}
	h.Figure = h.draw(first, t, command)
	return h
}

func withoutSlots(k results.Key) results.Key {
	k.Slots = ""
	return k
}

func heapWords(k results.Key) string {
	k.Rest, k.Slots = "", "16,384 in scheme 6, four wheels of 256 in scheme 7"
	return inWords(k)
}

// crossingOf compares the better heap with the better wheel at each n.
func crossingOf(p *Pivot[string, atN], what string) crossing {
	c, less := crossing{What: what}, true // the wheel takes less at all n so far
	for _, n := range slices.Backward(slices.Sorted(slices.Values(p.Columns))) {
		heap, wheel := best(p, n, heaps), best(p, n, wheels)
		switch {
		case heap.N == 0 || wheel.N == 0:
		case less && wheel.Hi < heap.Lo:
			c.From = int(n)
		default:
			less, c.Fewer, c.Below = false, true, max(c.Below, heap.Median-wheel.Median)
		}
	}
	return c
}

var (
	heaps  = []string{"tree-4ary", "tree-lazy"}
	wheels = []string{"hashunsorted", "hierarchical", "hashunsorted-chunked", "hierarchical-chunked"}
)

// best returns the least median of some schemes at n.
func best(p *Pivot[string, atN], n atN, schemes []string) results.Estimate {
	cells := p.measured(n, func(scheme string) bool { return slices.Contains(schemes, scheme) })
	if len(cells) == 0 {
		return results.Estimate{}
	}
	return cells[0].estimate()
}

// draw draws a pivot and, if the table has them, Go's timers.
func (h *heapOrWheel) draw(p *Pivot[string, atN], t *results.Table, command string) figures.XY {
	f := figures.XY{Name: "timer-over-n", Command: command, XLabel: "timers outstanding, n", YLabel: "CPU time per timer, start to end, median",
		X: logarithmic, Y: figures.Axis{Log: true}, Title: phrase("title of timer-over-n", h)}
	for _, scheme := range p.Rows {
		s := figures.Series{Style: scheme, Kind: figures.Both}
		for _, n := range p.Columns {
			if c, _ := p.get(scheme, n); c.estimate().N > 0 && scheme != drive.Null.Name {
				s.Points = append(s.Points, pointOf(float64(n), c.estimate()))
			}
		}
		f.Series = append(f.Series, s)
	}
	services := map[string]int{}
	for _, k := range cellsOf(t, units.LifetimeOp) {
		if e, err := t.Median(k, units.NsPerOp); err == nil && k.Service != "" {
			i, ok := services[k.Service]
			if !ok {
				i, services[k.Service] = len(f.Series), len(f.Series)
				f.Series = append(f.Series, figures.Series{Name: k.Service, Kind: figures.Both})
			}
			f.Series[i].Points = append(f.Series[i].Points, pointOf(float64(t.Cell(k).Spec.N), e))
		}
	}
	h.Go = len(services) > 0
	f.Caption = []string{phrase("caption of timer-over-n", h)}
	f.Series = slices.DeleteFunc(f.Series, func(s figures.Series) bool { return len(s.Points) == 0 })
	return f
}
