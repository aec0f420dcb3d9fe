package bench

import (
	"fmt"

	"timerlab/harness/results"
)

// Cells of the page, named without their service: at returns that of one.
const (
	contendedStartStop = "StartStop/n=1M/g=8"
	contendedReplace   = "Replace/n=1M/g=8"
	contendedReset     = "Reset/n=1M/g=8"
	memoryCell         = "Memory/n=1M"
	burstCell          = "Burst/n=1M"
	idleCell           = "Idle/n=10"
	sparseCell         = "Sparse/n=300"
)

// at returns the cell of a service.
func at(cell, service string) results.Key {
	k := results.ParseKey(cell)
	k.Facility = service
	return k
}

// load is what else happens while lateness is measured.
type load struct{ name, cell, text string }

var loads = []load{
	{"no other load", "Late/n=6k/load=idle", ""},
	{"busy processors", "Late/n=6k/load=busy", "Four goroutines a processor work in slices of 100 µs. "},
	{"slow actions", "Late/n=6k/load=slow", "An action of 50 ms every 100 ms. "},
}

const (
	latest    = "late-p99.9-ns"
	sparseCPU = "cpu-ns/timer"
)

// section is a part of the page with tables.
type section struct {
	title, text string
	tables      []table
}

// table has a row for each service.
type table struct {
	corner  string
	columns []column
}

// column is a value of each service.
type column struct{ head, cell, unit string }

const comparisonText = "Medians ± half of the 95 % interval. Bold: the best of a column, and all whose intervals " +
	"overlap it. Operations and memory: a million timers pending, 8 goroutines together."

var comparison = table{"service", []column{
	{"start+stop", contendedStartStop, results.NsPerOp},
	{"replace", contendedReplace, results.NsPerOp},
	{"reset", contendedReset, results.NsPerOp},
	{"B/timer", memoryCell, results.BytesPerTimer},
	{"late p99.9", loads[0].cell, latest},
	{"late p99, slow actions", loads[2].cell, "late-p99-ns"},
	{"burst of 1M: late max", burstCell, "late-max-ns"},
	{"idle: wake-ups/s", idleCell, "wakeups/s"},
}}

// tableSections are the long tables.
func tableSections() []section {
	const service = "service"
	return []section{
		throughputSection("StartStop", "start a timer and stop it"),
		throughputSection("Replace", "stop the oldest timer and start another"),
		throughputSection("Reset", "reset a random timer to its own duration"),
		{"Memory: a million timers", memoryText, []table{tableOfUnits(service, memoryCell,
			"B/timer", results.BytesPerTimer, "allocs/timer", "allocs/timer", "CPU of one collection", "gc-cpu-ns")}},
		{"Burst: a million timers of 50 ms, started without a pause", "", []table{tableOfUnits(service, burstCell,
			"start", results.NsPerOp, "longest start", "start-max-ns",
			"late p50", "late-p50-ns", "late max", "late-max-ns")}},
		{"Late: how late actions run", lateText, []table{
			lateTable("no other load", loads[0]),
			lateTable("four busy goroutines a processor", loads[1]),
			lateTable("an action of 50 ms every 100 ms", loads[2]),
		}},
		{"Idle: a second in which nothing is due", idleText, []table{tableOfUnits(service, idleCell,
			"CPU/s", "cpu-ns/s", "thread switches/s", "switches/s", "wake-ups/s", "wakeups/s")}},
		{"Hold: how long one lock is held", holdText, []table{holdTable("1k"), holdTable("10k"), holdTable("100k")}},
		{"Sparse: three timers on each of a hundred ticks, every tenth", "", []table{tableOfUnits(service, sparseCell,
			"CPU/timer", sparseCPU, "wake-ups/due tick", "wakeups/due-tick", "wake-ups/tick", "wakeups/tick")}},
	}
}

const (
	throughputText = "Time of an operation, of g goroutines together. locked-: a scheme under one lock."
	lateText       = "6000 timers of 5 to 500 ms, one started every 500 µs. Deadlines are those of a schedule made " +
		"before (an open loop; that of fixedtimeout is closed). The histogram has three digits. An early timer " +
		"of a service of this module is an error; those of the JVM are counted."
	memoryText = "Growth of the process as the system reports it, without the client's variable for each timer. " +
		"The action is one function for all timers."
	idleText = "Ten timers are hours away. nothing: the process without a service. Go's own timers have no worker " +
		"whose wake-ups could be counted."
	holdText = "Timers due over a minute, ticks of 1 ms passed one by one, M = 4096 for schemes 5 and 6. " +
		"Each value includes two reads of the clock."
)

// tableOfUnits returns a table of one cell, with a column for each pair of a heading and a unit.
func tableOfUnits(corner, cell string, pairs ...string) table {
	t := table{corner: corner}
	for i := 0; i < len(pairs); i += 2 {
		t.columns = append(t.columns, column{pairs[i], cell, pairs[i+1]})
	}
	return t
}

func lateTable(corner string, l load) table {
	return tableOfUnits(corner, l.cell, "p50", "late-p50-ns", "p99", "late-p99-ns", "p99.9", latest,
		"max", "late-max-ns", "early", "early-timers")
}

func holdTable(n string) table {
	return tableOfUnits("n = "+n, "Hold/n="+n, "start p50", "start-p50-ns", "start p99", "start-p99-ns",
		"tick p50", "tick-p50-ns", "tick p99", "tick-p99-ns", "tick max", "tick-max-ns")
}

// throughputSection has a table for each n and a column for each number of goroutines.
func throughputSection(op, what string) section {
	s := section{title: op + ": " + what, text: throughputText}
	for _, n := range []string{"10k", "1M"} {
		t := table{corner: "n = " + n}
		for i, cell := range contended([]string{op}, []string{n}, goroutines) {
			t.columns = append(t.columns, column{fmt.Sprintf("g = %d", goroutines[i]), cell, results.NsPerOp})
		}
		s.tables = append(s.tables, t)
	}
	return s
}
