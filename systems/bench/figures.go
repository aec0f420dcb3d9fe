package bench

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/figures"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// drawn lists the services of the figures: Go's own timers and one of each design. Eleven
// lines in one figure could not be distinguished.
var drawn = []string{goTimers, ours, kafka, "netty", "jdk-pool", "fixedtimeout"}

// drawing makes the figures of a table.
type drawing struct {
	*results.Table
	made string // the command that makes the page
}

// figures returns the figures that have anything to show.
func (d drawing) figures() (all []report.Named) {
	all = append(all, d.contention("StartStop", "Starting and stopping a timer")...)
	all = append(all, d.contention("Replace", "Stopping the oldest timer and starting another")...)
	for _, l := range loads {
		all = append(all, d.lateness(l.name, l.cell, l.text)...)
	}
	return append(append(all, d.idle()...), d.hold()...)
}

// named returns a figure for the page, unless it has no series.
func (d drawing) named(name string, f figures.XY, title, caption string) []report.Named {
	if len(f.Series) == 0 {
		return nil
	}
	caption += " Medians; bars: 95 % intervals."
	f.Frame = figures.Frame{Title: title, Caption: []string{caption}, Command: d.made}
	return []report.Named{{Name: name, Figure: f, Frame: f.Frame}}
}

// series returns a series of medians against x, or nothing if none was measured. A line joins the
// points of a sweep: two points are no sweep.
func (d drawing) series(s figures.Series, xs []int, unit string, k func(x int) results.Key) []figures.Series {
	for _, x := range xs {
		if e, err := d.Median(k(x), unit); err == nil {
			s.Points = append(s.Points, report.Point(float64(x), e))
		}
	}
	if len(s.Points) == 0 {
		return nil
	}
	if len(s.Points) < 3 {
		s.Kind = figures.Measured
	}
	return []figures.Series{s}
}

// finding returns a text with a ratio, or nothing if it was not measured.
func (d drawing) finding(format string, v value) string {
	e, err := v(d.Table)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(format, results.FormatRatio(e.Median))
}

// byCount returns a figure of times against counts, without series.
func byCount(xLabel, yLabel string) figures.XY {
	return figures.XY{
		XLabel: xLabel, X: figures.Axis{Log: true, Unit: figures.Count},
		YLabel: yLabel, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
}

// contention draws the time of an operation against goroutines.
func (d drawing) contention(op, title string) []report.Named {
	f := byCount("goroutines", "time of an operation, all goroutines together")
	for _, name := range drawn {
		f.Series = append(f.Series, d.series(figures.Series{Name: name, Kind: figures.Both}, goroutines,
			results.NsPerOp, func(g int) results.Key { return at(fmt.Sprintf("%s/n=1M/g=%d", op, g), name) })...)
	}
	title += d.finding(": "+ours+" is %s times as fast as Go's timers, with 8 goroutines",
		ratio(op+"/n=1M/g=8", goTimers, ours, results.NsPerOp))
	return d.named("systems-"+strings.ToLower(op), f, title,
		"A million timers pending, due in half an hour to one and a half.")
}

// byService returns a figure of a cell with a category for each service that was measured, and a
// series for each pair of a name and a unit.
func (d drawing) byService(label, cell string, names []string, pairs ...string) figures.XY {
	f := figures.XY{XLabel: "service", YLabel: label, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds}}
	var xs []int
	for _, name := range names {
		if _, err := d.Median(at(cell, name), pairs[1]); err == nil {
			xs = append(xs, len(xs))
			f.X.Names = append(f.X.Names, name)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		f.Series = append(f.Series, d.series(figures.Series{Name: pairs[i], Kind: figures.Measured}, xs, pairs[i+1],
			func(x int) results.Key { return at(cell, f.X.Names[x]) })...)
	}
	return f
}

// lateness draws quantiles of lateness, by service.
func (d drawing) lateness(name, cell, text string) []report.Named {
	f := d.byService("lateness", cell, drawn,
		"p50", "late-p50-ns", "p99", "late-p99-ns", "p99.9", latest, "max", "late-max-ns")
	var found []string
	for _, service := range []string{goTimers, ours, kafka} {
		if e, err := d.Median(at(cell, service), latest); err == nil {
			found = append(found, results.FormatNanos(e.Median)+" ("+service+")")
		}
	}
	title := "Lateness with " + name
	if len(found) > 0 {
		title += ": p99.9 is " + strings.Join(found, ", ")
	}
	var ticks []string // of the services drawn
	for _, service := range f.X.Names {
		if tick := find(service).tick; tick > 0 {
			ticks = append(ticks, service+" "+results.FormatDuration(tick))
		}
	}
	text += "6000 timers of 5 to 500 ms, one started every 500 µs, by a schedule made before."
	if len(ticks) > 0 {
		text += " Ticks: " + strings.Join(ticks, ", ") + "."
	}
	_, load, _ := strings.Cut(cell, "load=")
	return d.named("systems-late-"+load, f, title, text)
}

// idle draws the CPU time of idle services.
func (d drawing) idle() []report.Named {
	names := append(append([]string{nothing}, drawn...), multilevel)
	f := d.byService("CPU time per second", idleCell, names, "ten timers hours away", "cpu-ns/s")
	caption := "Ten timers are hours away."
	if slices.Contains(f.X.Names, kafka) && slices.Contains(f.X.Names, multilevel) {
		caption += " The same wheels: kafka sleeps until the earliest slot, multilevel wakes up for every tick of 1 ms."
	}
	return d.named("systems-idle", f, "What a service costs while nothing is due"+
		d.finding(": %s times as much if it wakes up for every tick", ratio(idleCell, multilevel, kafka, "cpu-ns/s")), caption)
}

// hold draws how long a start holds a lock, by scheme.
func (d drawing) hold() []report.Named {
	const unit = "start-p50-ns"
	f := byCount("timers pending, n", "time that a start holds the lock")
	for _, scheme := range []string{"ordered", "tree", "hashsorted", "hashunsorted", "hierarchical"} {
		f.Series = append(f.Series, d.series(figures.Series{Style: scheme, Kind: figures.Both},
			[]int{1_000, 10_000, 100_000}, unit, func(n int) results.Key {
				return at("Hold/n="+results.FormatCount(uint64(n)), lockPrefix+scheme)
			})...)
	}
	title := "How long a start holds the lock" + d.finding(": %s times as long with scheme 2 as with scheme 7, n = 100k",
		ratio("Hold/n=100k", lockPrefix+"ordered", lockPrefix+"hierarchical", unit))
	return d.named("systems-hold", f, title, fmt.Sprintf("Starts of random intervals under one lock; each value includes "+
		"two reads of the clock. M = %d for schemes 5 and 6.", lockSlots))
}
