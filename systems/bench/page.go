package bench

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// page makes the page of timer services.
type page struct {
	*results.Table
	made string // the command that makes the page
}

// Page returns the page of a table. made is the command that makes it again.
func Page(t *results.Table, made string) *report.Page {
	p := page{t, made}
	out := &report.Page{
		Title: "Timer services on the real clock", Findings: p.findings(), Made: made, Sources: t.Sources,
	}
	out.Add(
		report.Section{Title: "Targets", Text: targetsText, Tables: []*report.Table{report.Targets(t, targets())}},
		report.Section{Title: "Comparison", Text: comparisonText, Tables: []*report.Table{p.comparison()}},
		report.Section{Title: "Throughput", Figures: p.throughputFigures()},
		report.Section{Title: "Lateness", Figures: p.latenessFigures()},
		report.Section{Title: "Idle cost and locks", Figures: append(p.idleFigure(), p.holdFigure()...)})
	for _, s := range tableSections() {
		section := report.Section{Title: s.title, Text: s.text}
		for _, t := range s.tables {
			section.Tables = append(section.Tables, p.table(t))
		}
		out.Add(section)
	}
	out.Add(report.MachineSection(t), report.MissingSection(t))
	return out
}

// findings is the paragraph that opens the page.
func (p page) findings() string {
	all := []string{
		p.ratio("With a million timers pending and 8 goroutines, sharded starts and stops %s times as many timers "+
			"a second as time.AfterFunc.",
			at(contendedStartStop, goTimers), at(contendedStartStop, ours), results.NsPerOp),
		p.ratio("sharded resets %s times as many timers.",
			at(contendedReset, goTimers), at(contendedReset, ours), results.NsPerOp),
		p.ratio("A timer of sharded takes %s times the memory of one of time.AfterFunc.",
			at(memoryCell, ours), at(memoryCell, goTimers), results.BytesPerTimer),
	}
	if e, err := later(loads[0])(p.Table); err == nil {
		all = append(all, "Actions of sharded run up to a tick (1 ms) late: p99.9 is "+results.FormatNanos(e.Median)+
			" above that of time.AfterFunc.")
	}
	all = append(all, p.ratio("While nothing is due, a worker that wakes up for every tick of 1 ms takes %s times "+
		"the CPU time of one that sleeps until the earliest timer.",
		at(idleCell, "multilevel"), at(idleCell, "kafka"), "cpu-ns/s"))
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " ")
}

// ratio returns a text with the ratio of two cells, or nothing if they were not measured.
func (p page) ratio(format string, over, under results.Key, unit string) string {
	e, err := p.Ratio(over, under, unit)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(format, results.FormatRatio(e.Median))
}

// table returns a row for each service and a column for each value that were measured.
func (p page) table(t table) *report.Table {
	pivot := report.Pivot{Corner: t.corner}
	names := p.names()
	for _, c := range t.columns {
		for _, name := range names {
			k := at(c.cell, name)
			if e, err := p.Median(k, c.unit); p.Failed(k) {
				pivot.Set(name, c.head, report.Wrong())
			} else if err == nil {
				pivot.Set(name, c.head, report.Median(e, formatOf(c.unit)))
			}
		}
	}
	slices.SortFunc(pivot.Rows, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) })
	pivot.Bold(func(row string) bool { return row != nothing.name })
	return pivot.Table()
}

// formatOf returns the format of values of a unit.
func formatOf(unit string) func(float64) string {
	if strings.Contains(unit, "ns") {
		return results.FormatNanos
	}
	return results.FormatNumber
}

// names returns the services of the table: those of this module in their order, then others.
func (p page) names() []string {
	names := namesOf(subjects)
	var others []string
	for _, k := range p.Keys {
		if k.Facility != "" && !slices.Contains(names, k.Facility) {
			others = append(others, k.Facility)
		}
	}
	slices.Sort(others)
	return append(names, slices.Compact(others)...)
}

// comparison is the table of this module's services and Go's timers.
func (p page) comparison() *report.Table {
	t := p.table(comparison)
	t.Rows = slices.DeleteFunc(t.Rows, func(row []report.Cell) bool {
		return !slices.Contains(namesOf(subjects), row[0].Text)
	})
	return t
}
