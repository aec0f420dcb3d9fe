package bench

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// page is what the page of timer services says. An Estimate of no samples was not measured.
type page struct {
	StartStop, Reset, Memory results.Estimate // Go's timers over sharded; memory sharded over Go's
	Reused, Owned            results.Estimate // CPU of start and stop: a *time.Timer over AfterFunc, over sharded's own
	Later                    results.Estimate // sharded less Go's timers, p99.9 without other load
	Targets                  report.Targets
	Operations, Lateness     *report.Table
	Machine                  *report.Table
	Missing                  []report.MissingGroup
}

// texts has the templates findings, the paragraph that opens the page, and body.
//
//go:embed page.tmpl
var texts string

// Page returns the page of a table. made is the command that makes it again.
func Page(t *results.Table, made string) *report.Page {
	p := report.NewPage("Timer services on the real clock", report.NewTemplate("systems", texts), newPage(t), made,
		t.Sources...)
	p.Findings = cmp.Or(p.Findings, "sharded was not measured beside time.AfterFunc.")
	p.Lists = []report.List{report.CellList("systems", t, nil)}
	return p
}

func newPage(t *results.Table) page {
	get := func(v value) results.Estimate {
		e, _ := v(t) // of no samples, if there is an error
		return e
	}
	return page{
		StartStop:  get(ratio(contendedStartStop, goTimers, ours, units.NsPerOp)),
		Reset:      get(ratio(contendedReset, goTimers, ours, units.NsPerOp)),
		Reused:     get(ratio(contendedStartStop, reused, goTimers, cpuPerOp)),
		Owned:      get(ratio(contendedStartStop, reused, owned, cpuPerOp)),
		Memory:     get(ratio(memoryCell, ours, goTimers, units.BytesPerTimer)),
		Later:      get(later(lateIdle)),
		Targets:    report.Judge(t, targets()),
		Operations: tableOf(t, operationColumns),
		Lateness:   tableOf(t, latenessColumns),
		Machine:    report.MachineTable(t),
		Missing:    report.MissingCells(t),
	}
}

// column is a value of each service.
type column struct{ head, cell, unit string }

var operationColumns = []column{
	{"start+stop", contendedStartStop, units.NsPerOp},
	{"CPU of start+stop", contendedStartStop, cpuPerOp},
	{"replace", contendedReplace, units.NsPerOp},
	{"reset", contendedReset, units.NsPerOp},
	{"B/timer", memoryCell, units.BytesPerTimer},
	{"CPU of one collection", memoryCell, "gc-cpu-ns"},
	{"300/s: CPU/timer", sparseCell, "cpu-ns/timer"},
	{"3,000/s: CPU/timer", denseCell, "cpu-ns/timer"},
}

var latenessColumns = []column{
	{"p50", lateIdle, "late-p50-ns"},
	{"p99", lateIdle, "late-p99-ns"},
	{"p99.9", lateIdle, latest},
	{"busy: p99", lateBusy, "late-p99-ns"},
	{"slow: p99", lateSlow, "late-p99-ns"},
	{"idle: CPU/s", idleCell, "cpu-ns/s"},
	{"idle: wake-ups/s", idleCell, "wakeups/s"},
	{"connections: CPU/s", connectionsCell, "cpu-ns/s"},
	{"connections: wake-ups/s", connectionsCell, "wakeups/s"},
}

// tableOf returns a row for each service that was measured, in their order. It is nil if nothing was.
func tableOf(t *results.Table, columns []column) *report.Table {
	names := namesOf(services)
	pivot := report.Pivot[string, string]{Corner: "service"}
	for _, c := range columns {
		for _, name := range names {
			show := units.FormatNumber
			if strings.Contains(c.unit, "ns") {
				show = units.FormatNanos
			}
			k := at(c.cell, name)
			if e, err := t.Median(k, c.unit); t.Failed(k) {
				pivot.Set(name, c.head, report.Wrong())
			} else if err == nil {
				pivot.Set(name, c.head, report.Median(e, show))
			}
		}
	}
	if len(pivot.Rows) == 0 {
		return nil
	}
	slices.SortFunc(pivot.Rows, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) })
	pivot.Bold(func(string) bool { return true })
	return pivot.Table()
}
