package bench

import (
	"fmt"
	"strings"

	"timerlab/harness/figures"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// drawn lists the services of the figures: Go's own timers and one of each design. Eleven
// lines in one figure could not be distinguished.
var drawn = []string{goTimers, ours, kafka, "netty", "jdk-pool", "fixedtimeout"}

// drawing makes the figures of a table. What differs little between services, and what another
// figure shows too, is in the tables alone.
type drawing struct {
	*results.Table
	made string // the command that makes the page
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

// contention draws the time of a start and a stop against goroutines.
func (d drawing) contention() []report.Named {
	f := byCount("goroutines", "time of an operation, all goroutines together")
	for _, name := range drawn {
		f.Series = append(f.Series, d.series(figures.Series{Name: name, Kind: figures.Both}, goroutines,
			results.NsPerOp, func(g int) results.Key { return at(fmt.Sprintf("StartStop/n=1M/g=%d", g), name) })...)
	}
	title := "Starting and stopping a timer" + d.finding(": "+ours+" is %s times as fast as Go's timers, with 8 goroutines",
		ratio(contendedStartStop, goTimers, ours, results.NsPerOp))
	return d.named("systems-startstop", f, title, "A million timers pending, due in half an hour to one and a half.")
}

// lateness draws quantiles of lateness under a load, by service.
func (d drawing) lateness(load int) []report.Named {
	l := loads[load]
	f := figures.XY{XLabel: "service", YLabel: "lateness", Y: figures.Axis{Log: true, Unit: figures.Nanoseconds}}
	var xs []int
	var found, ticks []string // of the services drawn
	for _, name := range drawn {
		e, err := d.Median(at(l.cell, name), latest)
		if err != nil {
			continue
		}
		xs = append(xs, len(xs))
		f.X.Names = append(f.X.Names, name)
		if len(found) < 3 {
			found = append(found, results.FormatNanos(e.Median)+" ("+name+")")
		}
		if tick := find(name).tick; tick > 0 {
			ticks = append(ticks, name+" "+results.FormatNanos(float64(tick)))
		}
	}
	for _, s := range []string{"p50", "p99", "p99.9", "max"} {
		f.Series = append(f.Series, d.series(figures.Series{Name: s, Kind: figures.Measured}, xs, "late-"+s+"-ns",
			func(x int) results.Key { return at(l.cell, f.X.Names[x]) })...)
	}
	caption := l.text + "6000 timers of 5 to 500 ms, one started every 500 µs, by a schedule made before."
	if len(ticks) > 0 {
		caption += " Ticks: " + strings.Join(ticks, ", ") + "."
	}
	_, file, _ := strings.Cut(l.cell, "load=")
	return d.named("systems-late-"+file, f, "Lateness with "+l.name+": p99.9 is "+strings.Join(found, ", "), caption)
}

// hold draws how long a start holds a lock, by scheme.
func (d drawing) hold() []report.Named {
	const unit = "start-p50-ns"
	f := byCount("timers pending, n", "time that a start holds the lock")
	for _, scheme := range []string{"ordered", "tree", "hashsorted", "hashunsorted", "hierarchical"} {
		f.Series = append(f.Series, d.series(figures.Series{Style: scheme, Kind: figures.Both},
			[]int{1_000, 10_000, 100_000}, unit, func(n int) results.Key {
				return at("Hold/n="+workload.Count(n).String(), lockPrefix+scheme)
			})...)
	}
	title := "How long a start holds the lock" + d.finding(": %s times as long with scheme 2 as with scheme 7, n = 100k",
		ratio("Hold/n=100k", lockPrefix+"ordered", lockPrefix+"hierarchical", unit))
	return d.named("systems-hold", f, title, fmt.Sprintf("Starts of random intervals under one lock; each value includes "+
		"two reads of the clock. M = %d for schemes 5 and 6.", lockSlots))
}
