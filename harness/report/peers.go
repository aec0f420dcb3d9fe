package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// isPeer reports whether a cell is of the timers of several libraries: their workloads are the schemes', but
// not their clock.
func isPeer(k results.Key) bool { return k.Value("set") == units.PeersSet }

// compared are the operations by which others' timers are compared with ours. The tables have peerColumns; a tick
// is part of a lifetime.
var (
	compared    = []string{units.LifetimeOp, units.PairHotOp, "Start", "Stop", "Restart"}
	peerColumns = append(slices.Clip(compared), units.TickOp, "Memory")
)

// oursOver returns the ratio of our chunked form to another timer in a cell.
func oursOver(t *results.Table, k results.Key) (results.Estimate, error) {
	if !isPeer(k) || !slices.Contains(compared, k.Op) {
		return results.Estimate{}, results.ErrNoSamples
	}
	return t.Ratio(beside(k, ourChunked), k, units.NsPerOp)
}

// beside returns the cell of another timer, without a choice of slots, on the same workload.
func beside(k results.Key, scheme string) results.Key {
	k.Scheme, k.Slots = scheme, ""
	return k
}

// peersPage is what the page of other people's timers says.
type peersPage struct {
	Closest  results.Key      // the cell of a third party in Go that comes closest to ours
	Ratio    results.Estimate // of ours to it; of no samples if nothing is compared
	Slower   float64          // its inverse
	Heap     results.Estimate // of ours to our best heap: the cells of both, and the geometric mean, least and greatest ratio
	Targets  Targets
	Sections []section // by workload
	Machine  *Table
	Missing  []MissingGroup
}

// PeersPage compares our forms with other people's timers and with yardsticks.
// made is the command that makes it again.
func PeersPage(t *results.Table, made string) *Page {
	p := NewPage("Other timers on the same workloads", fileTemplate("peers.tmpl"), newPeersPage(t), made, t.Sources...)
	p.Lists = []List{CellList("peers", t, nil)}
	return p
}

func newPeersPage(t *results.Table) (d peersPage) {
	d = peersPage{Targets: Judge(t, peersTargets), Sections: peerTables(t), Machine: MachineTable(t), Missing: MissingCells(t)}
	d.Closest, d.Ratio, _ = closest(t)
	d.Slower = 1 / d.Ratio.Median
	var heap []float64
	for _, k := range t.Keys {
		if e, err := oursOver(t, k); err == nil && k.Scheme == units.ValueHeap {
			heap = append(heap, e.Median)
		}
	}
	if len(heap) > 0 {
		d.Heap = results.Estimate{N: len(heap), Median: stat.GeometricMean(heap, nil), Lo: slices.Min(heap), Hi: slices.Max(heap)}
	}
	return d
}

// peerTables returns a table for each workload, of timers by operation.
func peerTables(t *results.Table) (sections []section) {
	pivots := map[string]*Pivot[subject, string]{} // by title
	for _, op := range peerColumns {
		unit, show := units.NsPerOp, units.FormatNanos
		if op == "Memory" {
			unit, show = units.BytesPerTimer, units.FormatBytes
		}
		for _, k := range slices.DeleteFunc(cellsOf(t, op), func(k results.Key) bool { return !isPeer(k) }) {
			title := fmt.Sprintf("n = %s, T = %s, stops %s, restarts %s", k.N, k.T, k.Stop, cmp.Or(k.Restart, "0"))
			if pivots[title] == nil {
				pivots[title] = &Pivot[subject, string]{Corner: "timer"}
				sections = append(sections, section{Title: title})
			}
			pivots[title].Set(subject{scheme: k.Scheme, slots: k.Slots}, op, medianCell(t, k, unit, show))
		}
	}
	for i, s := range sections {
		p := pivots[s.Title]
		slices.SortStableFunc(p.Rows, func(a, b subject) int {
			return cmp.Or(placeOf(a.scheme)-placeOf(b.scheme), cmp.Compare(a.String(), b.String()))
		})
		p.Bold(func(row subject) bool { return row.scheme != units.Lean && !strings.HasSuffix(row.scheme, units.Again) })
		sections[i].Tables = []*Table{p.Table()}
	}
	return sections
}

const ourChunked, ourLinked = "hierarchical-chunked", "hierarchical"

// places are the timers in the order of rows. Third parties are in the place of "".
var places = []string{ourChunked, "hashunsorted-chunked", ourLinked, "hashunsorted", units.ValueHeap, "", units.Lean}

const thirdParty = 5 // the index of ""

// placeOf returns the place of a timer. The second of an A/A pair is with the first.
func placeOf(scheme string) int {
	if i := slices.Index(places, strings.TrimSuffix(scheme, units.Again)); i >= 0 {
		return i
	}
	return thirdParty
}

// below is a target for the ratio of two timers' times. Of lifetimes, all end by expiry.
func below(bound float64, op, over, under, n, T string) Target {
	return Target{
		What:  fmt.Sprintf("%s, n = %s, T = %s: %s over %s", op, n, T, over, under),
		Bound: bound, Show: units.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			for _, k := range t.Keys {
				if isPeer(k) && k.Op == op && k.Scheme == over && k.N == n && k.T == T && (k.Restart == "" || op == "Restart") {
					return t.Ratio(k, beside(k, under), units.NsPerOp)
				}
			}
			return results.Estimate{}, results.ErrNoSamples
		},
	}
}

var peersTargets = []Target{
	below(0.15, units.LifetimeOp, ourChunked, units.ValueHeap, "1M", "10k"),
	below(0.25, units.LifetimeOp, ourChunked, units.ValueHeap, "1M", "1M"),
	below(0.12, units.LifetimeOp, ourChunked, units.ValueHeap, "10M", "10k"),
	below(0.35, units.LifetimeOp, ourChunked, ourLinked, "10M", "10k"),
	below(0.35, "Restart", ourChunked, units.ValueHeap, "1M", "10k"),
	below(0.5, units.LifetimeOp, ourLinked, units.ValueHeap, "1k", "10k"),
	below(0.5, units.LifetimeOp, ourLinked, units.ValueHeap, "100k", "10k"),
	below(1.25, units.LifetimeOp, ourChunked, ourLinked, "1k", "10k"),
	below(1.25, units.LifetimeOp, ourChunked, ourLinked, "100k", "10k"),
	{What: "closest third party in Go, every cell from n = 100k", Bound: 0.2, Show: units.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) { _, e, err := closest(t); return e, err }},
}

// closest returns the cell of a third party, from n = 100k, with the largest ratio of our chunked form to it.
func closest(t *results.Table) (cell results.Key, worst results.Estimate, err error) {
	err = results.ErrNoSamples
	for _, k := range t.Keys {
		e, ratioErr := oursOver(t, k)
		if ratioErr == nil && placeOf(k.Scheme) == thirdParty && t.Cell(k).Spec.N >= 100_000 && e.Median > worst.Median {
			cell, worst, err = k, e, nil
		}
	}
	return cell, worst, err
}
