package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/systems/bench"
)

// throughput tabulates what goroutines that meet can do, facilities by their number.
func (p Facilities) throughput() string {
	var b strings.Builder
	for _, work := range []struct{ name, text string }{
		{"StartStop", "start a timer and stop it"},
		{"Replace", "stop the oldest timer and start another"},
		{"Reset", "reset a random timer to its own duration"},
	} {
		names := p.names(work.name)
		for _, n := range bench.Sizes {
			head := []string{""}
			for _, g := range bench.Goroutines {
				head = append(head, fmt.Sprintf("g = %d", g))
			}
			var rows [][]string
			for _, name := range names {
				row, any := []string{name}, false
				for _, g := range bench.Goroutines {
					k := p.cell(work.name, name, n, fmt.Sprintf("/g=%d", g))
					text := p.show(k, "ns/op", perSecond)
					any = any || text != "-"
					if p.leads(k, names) {
						text = "**" + text + "**"
					}
					row = append(row, text)
				}
				if any {
					rows = append(rows, row)
				}
			}
			if len(rows) > 0 {
				fmt.Fprintf(&b, "## %s: %s, n = %s\n\n%s\n", work.name, work.text, results.FormatCount(uint64(n)), table(head, rows))
			}
		}
	}
	if b.Len() > 0 {
		b.WriteString("Millions a second by g goroutines together, median ± half of its 95 % interval. **Bold**: the most of a column; `locked-` are schemes under one lock.\n\n")
	}
	return b.String()
}

// leads reports whether a cell takes the least of those of the same size.
func (p Facilities) leads(k results.Key, names []string) bool {
	mine, err := p.Table.Median(k, nsPerOp)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		other := k
		other.Facility = name
		e, err := p.Table.Median(other, nsPerOp)
		return err == nil && e.Median < mine.Median
	})
}

// column is a value of a cell.
type column struct {
	head, unit string
	text       func(float64) string
}

// tabulate writes a table of a work, facilities by values, under a heading.
func (p Facilities) tabulate(heading, work string, n int, rest string, columns []column, note string) string {
	head := []string{""}
	for _, c := range columns {
		head = append(head, c.head)
	}
	var rows [][]string
	for _, name := range p.names(work) {
		k := p.cell(work, name, n, rest)
		if _, measured := p.Table.Median(k, columns[0].unit); measured != nil && !p.Table.Failed(k) {
			continue
		}
		row := []string{name}
		for _, c := range columns {
			row = append(row, p.show(k, c.unit, c.text))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return ""
	}
	if note != "" {
		note = "\n" + note + "\n"
	}
	return "## " + heading + "\n\n" + table(head, rows) + note + "\n"
}

func (p Facilities) memory() string {
	return p.tabulate("Memory: a million timers", "Memory", 1_000_000, "", []column{
		{"B a timer", "B/timer", func(v float64) string { return fmt.Sprintf("%.1f", v) }},
		{"allocations a timer", "allocs/timer", func(v float64) string { return fmt.Sprintf("%.2f", v) }},
		{"CPU time of one collection", "gc-cpu-ns", ns},
	}, "Growth of the process by the system's account, without the client's variable for each timer. The action is one function for all.")
}

func (p Facilities) late() string {
	var b strings.Builder
	for _, load := range []struct{ name, text string }{
		{"idle", "nothing else to do"},
		{"busy", "four goroutines a processor with pieces of work of 100 µs"},
		{"slow", "an action of 50 ms every 100 ms"},
	} {
		b.WriteString(p.tabulate("Lateness, "+load.text, "Late", bench.LateTimers, "/load="+load.name, []column{
			{"p50", "late-p50-ns", ns}, {"p99", "late-p99-ns", ns}, {"p99.9", "late-p99.9-ns", ns}, {"max", "late-max-ns", ns},
			{"early", "early-timers", whole},
		}, ""))
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "6000 timers of 5 to 500 ms, one started every 500 µs, by the moment for which each was meant when the schedule was made (an open loop; that of fixedtimeout is closed). The histogram has three digits. A facility of this module with an early timer is an error; the JVM's are counted.\n\n"
}

func (p Facilities) idle() string {
	return p.tabulate("Idle: ten timers hours away", "Idle", bench.IdleTimers, "", []column{
		{"CPU time a second", "cpu-ns/s", ns},
		{"switches of threads a second", "switches/s", func(v float64) string { return fmt.Sprintf("%.1f", v) }},
		{"wake-ups of workers a second", "wakeups/s", func(v float64) string { return fmt.Sprintf("%.1f", v) }},
	}, "nothing: the process without a facility. Go's own timers have no worker whose wake-ups could be counted.")
}

func (p Facilities) burst() string {
	return p.tabulate("Burst: a million timers of 50 ms, started without a pause", "Burst", 1_000_000, "", []column{
		{"a start", "ns/op", ns}, {"longest start", "start-max-ns", ns}, {"late p50", "late-p50-ns", ns}, {"late max", "late-max-ns", ns},
	}, "")
}

func (p Facilities) hold() string {
	var b strings.Builder
	for _, n := range bench.HoldSizes {
		b.WriteString(p.tabulate("How long one lock is held, n = "+results.FormatCount(uint64(n)), "Hold", n, "", []column{
			{"start, p50", "start-p50-ns", ns}, {"start, p99", "start-p99-ns", ns}, {"tick, p50", "tick-p50-ns", ns}, {"tick, p99", "tick-p99-ns", ns}, {"tick, max", "tick-max-ns", ns},
		}, ""))
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "Timers due over a minute, ticks of 1 ms made one by one, M = 4096 for schemes 5 and 6. Two looks at the clock are in each.\n\n"
}

func (p Facilities) sparse() string {
	return p.tabulate("Wake-ups: three timers on each of a hundred ticks, every tenth", "Sparse", bench.SparseTimers, "", []column{
		{"by tick with timers due", "wakeups/due-tick", ratio}, {"by tick", "wakeups/tick", ratio},
	}, "")
}
