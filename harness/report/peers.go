package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"
)

// PeersPage compares our forms with other people's timers and with lower bounds.
// made is the command that makes it again.
func PeersPage(t *results.Table, made string) *Page {
	p := &Page{Title: "Other timers on the same workloads", Findings: peersFinding(t), Made: made, Sources: t.Sources}
	p.Add(Section{
		Title: "Targets", Tables: []*Table{Targets(t, peersTargets)},
		Text: "Bounds that the fastest forms were built to reach, set before anything was measured. The " +
			"median decides.",
	})
	for _, s := range scenarios {
		p.Add(Section{Title: s.name, Text: s.text, Tables: []*Table{scenarioTable(t, s.name)}})
	}
	p.Add(MachineSection(t), MissingSection(t))
	return p
}

// isScenario reports whether a cell is of a scenario: its name has no distribution.
func isScenario(k results.Key) bool {
	return k.Dist == "" && slices.ContainsFunc(scenarios, func(s scenario) bool { return s.name == k.Op })
}

// scenario is a scenario of package peers, and what is measured in it.
type scenario struct{ name, text string }

var scenarios = []scenario{
	{"PairHot", "An operation is a start and the stop of the same timer."},
	{"PairCold", "An operation is a stop of a random timer and a start."},
	{"Restart", "An operation stops a random timer and starts it again at once."},
	{"Hold", "An operation is a lifetime: start, migrations, ticks, expiry."},
	{"Idle", "An operation is a tick."},
	{"Churn", "An operation is a restart, with the ticks and expiries that go with it."},
	{"Sparse", "An operation is 10^9 ticks with ten timers."},
	{"Memory", "The memory of the whole process per timer, the client's 16 bytes included; " +
		`"at most" is the peak while all timers restart twice.`},
	{"Worst", "The longest single call, in wall-clock time, and bytes per timer."},
}

// peersFinding compares our fastest form with the closest peer.
func peersFinding(t *results.Table) string {
	text := "Times are CPU time, medians with half of their 95 % interval; bold marks the best of a column, " +
		"lower bounds left out, " +
		"and all whose intervals overlap its own."
	k, e, err := closest(t)
	if err != nil {
		return text
	}
	return fmt.Sprintf("From n = 100k, the closest third-party timer in Go takes %s times as long as %s (%s, "+
		"%s, n = %s, T = %s). ",
		results.FormatNumber(1/e.Median), ourChunked, k.Scheme, k.Op, k.N, k.T) + text
}

// LowerBounds names what does a part of a timer's work, and is measured for comparison alone.
var LowerBounds = []string{floor, bareRing, nothing, lean}

const floor, bareRing, nothing, lean = "floor", "barering", "nothing", "lean"

const (
	ourChunked = "hierarchical-chunked"
	ourLinked  = "hierarchical"
	ourHeap    = "valueheap"
)

// isControl reports whether a row is measured for comparison alone: a lower bound, or the second
// of an A/A pair.
func isControl(row string) bool {
	return slices.Contains(LowerBounds, schemeOf(row)) || strings.HasSuffix(schemeOf(row), results.Again)
}

// ourTimers are in the order of rows.
var ourTimers = []string{ourChunked, "hashunsorted-chunked", ourLinked, "hashunsorted", ourHeap}

// thirdPartyRank is the rank of other people's timers.
var thirdPartyRank = len(ourTimers)

// rank puts ours first, then third parties, then controls.
func rank(row string) int {
	switch at := slices.Index(ourTimers, strings.TrimSuffix(schemeOf(row), results.Again)); {
	case at >= 0:
		return at
	case isControl(row):
		return thirdPartyRank + 1
	}
	return thirdPartyRank
}

// scenarioTable has a row for each timer and a column for each size.
func scenarioTable(t *results.Table, scenario string) *Table {
	p := Pivot{Corner: "timer"}
	for _, k := range cellsOf(t, scenario) {
		row, column := k.Scheme, fmt.Sprintf("n = %s, T = %s", k.N, k.T)
		if k.Slots != "" {
			row += ", M = " + k.Slots
		}
		p.Set(row, column, scenarioCell(t, k))
	}
	slices.SortStableFunc(p.Rows, func(a, b string) int { return rank(a) - rank(b) })
	p.Bold(func(row string) bool { return !isControl(row) })
	return p.Table()
}

// Units of the scenarios.
const (
	maxBytesPerTimer = "max-B/timer"
	longestStart     = "worst-start-ns"
	longestStop      = "worst-stop-ns"
	longestTick      = "worst-tick-ns"
)

func scenarioCell(t *results.Table, k results.Key) Cell {
	switch k.Op {
	case "Memory":
		c := medianCell(t, k, results.BytesPerTimer, results.FormatBytes)
		if most, err := t.Median(k, maxBytesPerTimer); err == nil {
			c.Text += ", at most " + results.FormatBytes(most.Median)
		}
		return c
	case "Worst":
		c := medianCell(t, k, longestTick, results.FormatNanos)
		start, err := t.Median(k, longestStart)
		stop, _ := t.Median(k, longestStop)
		bytes, _ := t.Median(k, results.BytesPerTimer)
		if err == nil {
			c.Text = fmt.Sprintf("Start %s, Stop %s, PerTick %s; %s", results.FormatNanos(start.Median),
				results.FormatNanos(stop.Median), results.FormatNanos(c.estimate().Median),
				results.FormatBytes(bytes.Median))
		}
		return c
	}
	return medianCell(t, k, results.NsPerOp, results.FormatNanos)
}

func scenarioKey(scenario, scheme, n, T string) results.Key {
	return results.Key{Op: scenario, Scheme: scheme, N: n, T: T}
}

// below is a target for the ratio of two timers' times.
func below(bound float64, what, scenario, over, under, n, T string) Target {
	return Target{
		What:  fmt.Sprintf("%s, n = %s, T = %s: %s over %s", what, n, T, over, under),
		Bound: bound, Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Ratio(scenarioKey(scenario, over, n, T), scenarioKey(scenario, under, n, T), results.NsPerOp)
		},
	}
}

// smaller is a target for memory with ten million timers.
func smaller(bound float64, what, scheme, unit string) Target {
	return Target{
		What: fmt.Sprintf("%s, n = 10M: %s", what, scheme), Bound: bound, Show: results.FormatBytes,
		Value: func(t *results.Table) (results.Estimate, error) {
			return t.Median(scenarioKey("Memory", scheme, "10M", "10k"), unit)
		},
	}
}

var peersTargets = []Target{
	below(0.15, "steady state", "Hold", ourChunked, ourHeap, "1M", "10k"),
	below(0.25, "steady state", "Hold", ourChunked, ourHeap, "1M", "1M"),
	below(0.12, "steady state", "Hold", ourChunked, ourHeap, "10M", "10k"),
	below(0.35, "steady state", "Hold", ourChunked, ourLinked, "10M", "10k"),
	below(0.35, "random stop and start", "PairCold", ourChunked, ourHeap, "1M", "10k"),
	below(3, "start and stop", "PairHot", ourChunked, bareRing, "1M", "10k"),
	below(0.5, "steady state", "Hold", ourLinked, ourHeap, "1k", "10k"),
	below(0.5, "steady state", "Hold", ourLinked, ourHeap, "100k", "10k"),
	below(1.25, "steady state", "Hold", ourChunked, ourLinked, "1k", "10k"),
	below(1.25, "steady state", "Hold", ourChunked, ourLinked, "100k", "10k"),
	{What: "closest third party in Go, every cell from n = 100k", Bound: 0.2, Show: results.FormatRatio,
		Value: func(t *results.Table) (results.Estimate, error) { _, e, err := closest(t); return e, err }},
	smaller(33, "memory", ourLinked, results.BytesPerTimer),
	smaller(40, "memory", ourChunked, results.BytesPerTimer),
	smaller(72, "memory, at most while all restart twice", ourChunked, maxBytesPerTimer),
	{What: "idle tick, n = 1k, T = 1M: " + ourChunked + " less nothing", Bound: 2, Show: results.FormatNanos,
		Value: idleTick},
	below(0, "steady state", "Hold", ourChunked, floor, "1M", "10k"),
	below(0, "steady state", "Hold", ourChunked, floor, "10M", "10k"),
}

// closest returns the cell of a third party in Go with the largest ratio of our
// chunked form to it, over all cells of the scenarios on which they are compared.
func closest(t *results.Table) (cell results.Key, worst results.Estimate, err error) {
	err = results.ErrNoSamples
	for _, k := range t.Keys {
		jvm := strings.HasPrefix(k.Scheme, "netty-") || strings.HasPrefix(k.Scheme, "jdk-")
		compared := slices.Contains([]string{"PairHot", "PairCold", "Restart", "Hold", "Churn"}, k.Op)
		if !compared || rank(k.Scheme) != thirdPartyRank || k.N == "1k" || jvm {
			continue
		}
		e, ratioErr := t.Ratio(scenarioKey(k.Op, ourChunked, k.N, k.T), k, results.NsPerOp)
		if ratioErr == nil && e.Median > worst.Median {
			cell, worst, err = k, e, nil
		}
	}
	return cell, worst, err
}

// idleTick returns what a tick costs beyond the client's own part.
func idleTick(t *results.Table) (results.Estimate, error) {
	ours, base := scenarioKey("Idle", ourChunked, "1k", "1M"), scenarioKey("Idle", nothing, "1k", "1M")
	return t.Paired(ours, base, results.NsPerOp, func(a, b float64) float64 { return a - b })
}
