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

// operation is the name of a scenario, and what is timed in it.
type operation struct{ Name, About string }

// scenarios are those of package peers.
var scenarios = []operation{
	{"PairHot", "a start and the stop of the same timer"},
	{"PairCold", "a stop of a random timer and a start"},
	{"Restart", "a stop of a random timer and its start, at once"},
	{"Hold", "a lifetime in the steady state: start, migrations, ticks, expiry"},
	{"Churn", "a restart, with the ticks and expiries that go with it"},
}

// isScenario reports whether a cell is of a scenario: its name has no distribution.
func isScenario(k results.Key) bool {
	return k.Dist == "" && slices.ContainsFunc(scenarios, func(s operation) bool { return s.Name == k.Op })
}

const ourChunked, ourLinked = "hierarchical-chunked", "hierarchical"

// peersPage is what the page of other people's timers says.
type peersPage struct {
	Closest  results.Key      // the cell of a third party in Go that comes closest to ours
	Ratio    results.Estimate // of ours to it; of no samples if nothing is compared
	Slower   float64          // its inverse
	Heap     []float64        // ratios of ours to our best heap, in every cell of both
	HeapMean results.Estimate // their geometric mean, and the least and the greatest of them
	Targets  Targets
	Measured []operation // the scenarios
	Sections []section   // by size
	Machine  *Table
	Missing  []MissingGroup
}

// PeersPage compares our forms with other people's timers and with lower bounds.
// made is the command that makes it again.
func PeersPage(t *results.Table, made string) *Page {
	p := NewPage("Other timers on the same workloads", fileTemplate("peers.tmpl"), newPeersPage(t), made, t.Sources...)
	p.Lists = []List{CellList("peers", t, Every)}
	return p
}

func newPeersPage(t *results.Table) (d peersPage) {
	d = peersPage{Targets: Judge(t, peersTargets), Machine: MachineTable(t), Missing: MissingCells(t)}
	d.Closest, d.Ratio, _ = closest(t)
	d.Slower = 1 / d.Ratio.Median
	for _, k := range t.Keys {
		if k.Scheme == units.ValueHeap {
			if e, err := t.Ratio(scenarioKey(k.Op, ourChunked, k.N, k.T), k, units.NsPerOp); err == nil {
				d.Heap = append(d.Heap, e.Median)
			}
		}
	}
	if len(d.Heap) > 0 {
		d.HeapMean = results.Estimate{Median: stat.GeometricMean(d.Heap, nil), Lo: slices.Min(d.Heap), Hi: slices.Max(d.Heap)}
	}
	pivots := map[string]*Pivot[timer, string]{}
	var titles []string
	for _, s := range scenarios {
		for i, k := range cellsOf(t, s.Name) {
			if i == 0 {
				d.Measured = append(d.Measured, s)
			}
			title, row := sizeOf(k), timer{k.Scheme, k.Slots}
			if pivots[title] == nil {
				pivots[title] = &Pivot[timer, string]{Corner: "timer"}
				titles = append(titles, title)
			}
			pivots[title].Set(row, k.Op, medianCell(t, k, units.NsPerOp, units.FormatNanos))
		}
	}
	slices.SortStableFunc(titles, func(a, b string) int { // the sizes with the most operations first
		return len(pivots[b].Columns) - len(pivots[a].Columns)
	})
	for _, title := range titles {
		p := pivots[title]
		slices.SortStableFunc(p.Rows, func(a, b timer) int {
			return cmp.Or(placeOf(a.scheme)-placeOf(b.scheme), strings.Compare(a.String(), b.String()))
		})
		p.Bold(func(row timer) bool {
			return placeOf(row.scheme) != lowerBound && !strings.HasSuffix(row.scheme, units.Again)
		})
		d.Sections = append(d.Sections, section{Title: title, Tables: []*Table{p.Table()}})
	}
	return d
}

// timer is a row of a table.
type timer struct{ scheme, slots string }

func (t timer) String() string {
	if t.slots == "" {
		return t.scheme
	}
	return t.scheme + ", M = " + t.slots
}

func sizeOf(k results.Key) string { return fmt.Sprintf("n = %s, T = %s", k.N, k.T) }

// ours are our timers in the order of rows. Third parties come after them, then lower bounds.
var ours = []string{ourChunked, "hashunsorted-chunked", ourLinked, "hashunsorted", units.ValueHeap}

const thirdParty, lowerBound = 100, 101 // places, after ours

// placeOf returns the place of a timer among the rows. The second of an A/A pair is with the first.
func placeOf(scheme string) int {
	scheme = strings.TrimSuffix(scheme, units.Again)
	if i := slices.Index(ours, scheme); i >= 0 {
		return i
	}
	if scheme == units.Lean {
		return lowerBound
	}
	return thirdParty
}

func scenarioKey(scenario, scheme, n, T string) results.Key {
	return results.Key{Op: scenario, Scheme: scheme, N: n, T: T}
}

// below is a target for the ratio of two timers' times.
func below(bound float64, what, scenario, over, under, n, T string) Target {
	return Target{
		What:  fmt.Sprintf("%s, n = %s, T = %s: %s over %s", what, n, T, over, under),
		Bound: bound, Show: units.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Ratio(scenarioKey(scenario, over, n, T), scenarioKey(scenario, under, n, T), units.NsPerOp)
		},
	}
}

var peersTargets = []Target{
	below(0.15, "steady state", "Hold", ourChunked, units.ValueHeap, "1M", "10k"),
	below(0.25, "steady state", "Hold", ourChunked, units.ValueHeap, "1M", "1M"),
	below(0.12, "steady state", "Hold", ourChunked, units.ValueHeap, "10M", "10k"),
	below(0.35, "steady state", "Hold", ourChunked, ourLinked, "10M", "10k"),
	below(0.35, "random stop and start", "PairCold", ourChunked, units.ValueHeap, "1M", "10k"),
	below(0.5, "steady state", "Hold", ourLinked, units.ValueHeap, "1k", "10k"),
	below(0.5, "steady state", "Hold", ourLinked, units.ValueHeap, "100k", "10k"),
	below(1.25, "steady state", "Hold", ourChunked, ourLinked, "1k", "10k"),
	below(1.25, "steady state", "Hold", ourChunked, ourLinked, "100k", "10k"),
	{What: "closest third party in Go, every cell from n = 100k", Bound: 0.2, Show: units.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) { _, e, err := closest(t); return e, err }},
}

// closest returns the cell of a third party with the largest ratio of our
// chunked form to it, over all cells of the scenarios on which they are compared.
func closest(t *results.Table) (cell results.Key, worst results.Estimate, err error) {
	err = results.ErrNoSamples
	for _, k := range t.Keys {
		if !isScenario(k) || placeOf(k.Scheme) != thirdParty || k.N == "1k" {
			continue
		}
		e, ratioErr := t.Ratio(scenarioKey(k.Op, ourChunked, k.N, k.T), k, units.NsPerOp)
		if ratioErr == nil && e.Median > worst.Median {
			cell, worst, err = k, e, nil
		}
	}
	return cell, worst, err
}
