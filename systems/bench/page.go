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
	sections := []report.Section{
		{Title: "Targets", Text: targetsText, Tables: []*report.Table{report.Targets(t, targets)}},
		{Title: "Comparison", Text: comparisonText, Tables: []*report.Table{p.comparison()}},
		{Title: "Throughput", Figures: p.throughputFigures()},
		{Title: "Lateness", Figures: p.latenessFigures()},
		{Title: "Idle cost and locks", Figures: p.costFigures()},
	}
	sections = append(sections, p.throughputTables()...)
	sections = append(sections, p.otherTables()...)
	for _, s := range sections {
		s.Tables = slices.DeleteFunc(s.Tables, func(t *report.Table) bool { return len(t.Rows) == 0 })
		if len(s.Tables)+len(s.Figures) > 0 {
			out.Sections = append(out.Sections, s)
		}
	}
	if len(t.Machine) > 0 {
		out.Sections = append(out.Sections, report.MachineSection(t))
	}
	if missing, ok := report.MissingSection(t); ok {
		out.Sections = append(out.Sections, missing)
	}
	return out
}

// findings is the paragraph that opens the page.
func (p page) findings() string {
	all := []string{
		p.ratio("With a million timers pending and 8 goroutines, sharded starts and stops %s times as many timers "+
			"a second as time.AfterFunc.",
			contended("StartStop", goTimers), contended("StartStop", ours), results.NsPerOp),
		p.ratio("sharded resets %s times as many timers.",
			contended("Reset", goTimers), contended("Reset", ours), results.NsPerOp),
		p.ratio("A timer of sharded takes %s times the memory of one of time.AfterFunc.",
			memory(ours), memory(goTimers), results.BytesPerTimer),
	}
	if e, err := later("idle")(p.Table); err == nil {
		all = append(all, "Actions of sharded run up to a tick (1 ms) late: p99.9 is "+results.FormatNanos(e.Median)+
			" above that of time.AfterFunc.")
	}
	all = append(all, p.ratio("While nothing is due, a worker that wakes up for every tick of 1 ms takes %s times "+
		"the CPU time of one that sleeps until the earliest timer.", idle("multilevel"), idle("kafka"), "cpu-ns/s"))
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

// contended is the cell of an operation of 8 goroutines with a million timers pending.
func contended(op, name string) results.Key { return key(op, name, million, "/g=8") }

func memory(name string) results.Key { return key("Memory", name, million, "") }

func idle(name string) results.Key { return key("Idle", name, idleTimers, "") }

// column is a value of every facility in a table.
type column struct {
	head, op   string
	n          int
	rest, unit string
	show       func(float64) string
}

// table returns a row for each facility and a column for each value that were measured.
func (p page) table(corner string, columns ...column) *report.Table {
	pivot := report.Pivot{Corner: corner}
	names := p.names()
	for _, c := range columns {
		for _, name := range names {
			k := key(c.op, name, c.n, c.rest)
			if e, err := p.Median(k, c.unit); p.Failed(k) {
				pivot.Set(name, c.head, report.Wrong())
			} else if err == nil {
				pivot.Set(name, c.head, report.Median(e, c.show))
			}
		}
	}
	slices.SortFunc(pivot.Rows, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) })
	pivot.Bold(func(row string) bool { return row != nothing.name })
	return pivot.Table()
}

// names returns the facilities of the table: those of this module in their order, then others.
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

const comparisonText = "Medians ± half of the 95 % interval. Bold: the best of a column, and all whose intervals " +
	"overlap it. Operations and memory: a million timers pending, 8 goroutines together."

func (p page) comparison() *report.Table {
	t := p.table("service",
		column{"start+stop", "StartStop", million, "/g=8", results.NsPerOp, results.FormatNanos},
		column{"replace", "Replace", million, "/g=8", results.NsPerOp, results.FormatNanos},
		column{"reset", "Reset", million, "/g=8", results.NsPerOp, results.FormatNanos},
		column{"B/timer", "Memory", million, "", results.BytesPerTimer, results.FormatNumber},
		column{"late p99.9", "Late", lateTimers, "/load=idle", "late-p99.9-ns", results.FormatNanos},
		column{"late p99, slow actions", "Late", lateTimers, "/load=slow", "late-p99-ns", results.FormatNanos},
		column{"burst of 1M: late max", "Burst", million, "", "late-max-ns", results.FormatNanos},
		column{"idle: wake-ups/s", "Idle", idleTimers, "", "wakeups/s", results.FormatNumber},
	)
	t.Rows = slices.DeleteFunc(t.Rows, func(row []report.Cell) bool {
		return !slices.Contains(namesOf(subjects), row[0].Text)
	})
	return t
}

const throughputText = "Time of an operation, of g goroutines together. locked-: a scheme under one lock."

func (p page) throughputTables() (all []report.Section) {
	for _, op := range []struct{ name, text string }{
		{"StartStop", "start a timer and stop it"},
		{"Replace", "stop the oldest timer and start another"},
		{"Reset", "reset a random timer to its own duration"},
	} {
		s := report.Section{Title: op.name + ": " + op.text, Text: throughputText}
		for _, n := range sizes {
			var columns []column
			for _, g := range goroutines {
				columns = append(columns, column{
					fmt.Sprintf("g = %d", g), op.name, n, fmt.Sprintf("/g=%d", g), results.NsPerOp, results.FormatNanos,
				})
			}
			s.Tables = append(s.Tables, p.table("n = "+results.FormatCount(uint64(n)), columns...))
		}
		all = append(all, s)
	}
	return all
}

const (
	lateText = "6000 timers of 5 to 500 ms, one started every 500 µs. Deadlines are those of a schedule made " +
		"before (an open loop; that of fixedtimeout is closed). The histogram has three digits. An early timer " +
		"of a service of this module is an error; those of the JVM are counted."
	memoryText = "Growth of the process as the system reports it, without the client's variable for each timer. " +
		"The action is one function for all timers."
	idleText = "Ten timers are hours away. nothing: the process without a service. Go's own timers have no worker " +
		"whose wake-ups could be counted."
	holdText = "Timers due over a minute, ticks of 1 ms passed one by one, M = 4096 for schemes 5 and 6. " +
		"Each value includes two reads of the clock."
)

func (p page) otherTables() []report.Section {
	one := func(title, text string, t *report.Table) report.Section {
		return report.Section{Title: title, Text: text, Tables: []*report.Table{t}}
	}
	burst := column{op: "Burst", n: million, show: results.FormatNanos}
	sparse := column{op: "Sparse", n: sparseTimers, show: results.FormatNumber}
	return []report.Section{
		one("Memory: a million timers", memoryText, p.table("service",
			column{"B/timer", "Memory", million, "", results.BytesPerTimer, results.FormatNumber},
			column{"allocs/timer", "Memory", million, "", "allocs/timer", results.FormatNumber},
			column{"CPU of one collection", "Memory", million, "", "gc-cpu-ns", results.FormatNanos})),
		one("Burst: a million timers of 50 ms, started without a pause", "", p.table("service", burst.values(
			"start", "ns/op", "longest start", "start-max-ns",
			"late p50", "late-p50-ns", "late max", "late-max-ns")...)),
		{Title: "Late: how late actions run", Text: lateText, Tables: p.lateTables()},
		one("Idle: a second in which nothing is due", idleText, p.table("service",
			column{"CPU/s", "Idle", idleTimers, "", "cpu-ns/s", results.FormatNanos},
			column{"thread switches/s", "Idle", idleTimers, "", "switches/s", results.FormatNumber},
			column{"wake-ups/s", "Idle", idleTimers, "", "wakeups/s", results.FormatNumber})),
		{Title: "Hold: how long one lock is held", Text: holdText, Tables: p.holdTables()},
		one("Sparse: three timers on each of a hundred ticks, every tenth", "", p.table("service", sparse.values(
			"wake-ups/due tick", "wakeups/due-tick", "wake-ups/tick", "wakeups/tick")...)),
	}
}

func (p page) lateTables() (all []*report.Table) {
	for _, load := range []struct{ name, text string }{
		{"idle", "no other load"},
		{"busy", "four busy goroutines a processor"},
		{"slow", "an action of 50 ms every 100 ms"},
	} {
		cell := column{op: "Late", n: lateTimers, rest: "/load=" + load.name, show: results.FormatNanos}
		columns := cell.values(
			"p50", "late-p50-ns", "p99", "late-p99-ns", "p99.9", "late-p99.9-ns", "max", "late-max-ns")
		cell.head, cell.unit, cell.show = "early", "early-timers", results.FormatNumber
		all = append(all, p.table(load.text, append(columns, cell)...))
	}
	return all
}

func (p page) holdTables() (all []*report.Table) {
	for _, n := range holdSizes {
		cell := column{op: "Hold", n: n, show: results.FormatNanos}
		all = append(all, p.table("n = "+results.FormatCount(uint64(n)), cell.values(
			"start p50", "start-p50-ns", "start p99", "start-p99-ns",
			"tick p50", "tick-p50-ns", "tick p99", "tick-p99-ns", "tick max", "tick-max-ns")...))
	}
	return all
}

// values returns a column for each pair of a heading and a unit.
func (c column) values(pairs ...string) (all []column) {
	for i := 0; i < len(pairs); i += 2 {
		c.head, c.unit = pairs[i], pairs[i+1]
		all = append(all, c)
	}
	return all
}
