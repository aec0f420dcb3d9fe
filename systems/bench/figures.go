package bench

import (
	"fmt"
	"strings"

	"timerlab/harness/figures"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// drawn lists the services of the figures: Go's own timers and one of each design. Eleven
// lines in one figure could not be distinguished.
var drawn = []string{goTimers, ours, "kafka", "netty", "jdk-pool", "fixedtimeout"}

// named returns a figure for the page, unless it has no series.
func (p page) named(name string, f figures.XY, title, caption string) []report.Named {
	if len(f.Series) == 0 {
		return nil
	}
	caption += " Medians; bars: 95 % intervals."
	f.Frame = figures.Frame{Title: title, Caption: []string{caption}, Command: p.made}
	return []report.Named{{Name: name, Figure: f, Frame: f.Frame}}
}

// series returns a series of medians against x, or nothing if none was measured.
func (p page) series(s figures.Series, xs []int, unit string, k func(x int) results.Key) []figures.Series {
	for _, x := range xs {
		if e, err := p.Median(k(x), unit); err == nil {
			s.Points = append(s.Points, report.Point(float64(x), e))
		}
	}
	if len(s.Points) == 0 {
		return nil
	}
	return []figures.Series{s}
}

// byCount returns a figure of times against counts, without series.
func byCount(xLabel, yLabel string) figures.XY {
	return figures.XY{
		XLabel: xLabel, X: figures.Axis{Log: true, Unit: figures.Count},
		YLabel: yLabel, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
}

// throughputFigure draws the time of an operation against goroutines.
func (p page) throughputFigure(op, name, title string) []report.Named {
	f := byCount("goroutines", "time of an operation, all goroutines together")
	for _, service := range drawn {
		f.Series = append(f.Series, p.series(figures.Series{Name: service, Kind: figures.Both}, goroutines,
			results.NsPerOp, func(g int) results.Key { return at(fmt.Sprintf("%s/n=1M/g=%d", op, g), service) })...)
	}
	cell := op + "/n=1M/g=8"
	title += p.ratio(": "+ours+" is %s times as fast as Go's timers, with 8 goroutines",
		at(cell, goTimers), at(cell, ours), results.NsPerOp)
	return p.named(name, f, title, "A million timers pending, due in half an hour to one and a half.")
}

func (p page) throughputFigures() []report.Named {
	return append(
		p.throughputFigure("StartStop", "systems-startstop", "Starting and stopping a timer"),
		p.throughputFigure("Replace", "systems-replace", "Stopping the oldest timer and starting another")...)
}

// latenessFigures draw quantiles of lateness, by service.
func (p page) latenessFigures() (all []report.Named) {
	for _, l := range loads {
		f := p.byService("lateness", l.cell, drawn,
			"p50", "late-p50-ns", "p99", "late-p99-ns", "p99.9", latest, "max", "late-max-ns")
		var found []string
		for _, name := range []string{goTimers, ours, "kafka"} {
			if e, err := p.Median(at(l.cell, name), latest); err == nil {
				found = append(found, results.FormatNanos(e.Median)+" ("+name+")")
			}
		}
		title := "Lateness with " + l.name
		if len(found) > 0 {
			title += ": p99.9 is " + strings.Join(found, ", ")
		}
		_, load, _ := strings.Cut(l.cell, "load=")
		all = append(all, p.named("systems-late-"+load, f, title, l.text+
			"6000 timers of 5 to 500 ms, one started every 500 µs, by a schedule made before. "+
			"Ticks: netty 100 ms; sharded, kafka and fixedtimeout 1 ms.")...)
	}
	return all
}

// byService returns a figure of a cell with a category for each service, and a series for each
// pair of a name and a unit.
func (p page) byService(label, cell string, names []string, pairs ...string) figures.XY {
	f := figures.XY{XLabel: "service", YLabel: label, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds}}
	var xs []int
	for _, name := range names {
		if _, err := p.Median(at(cell, name), pairs[1]); err == nil {
			xs = append(xs, len(xs))
			f.X.Names = append(f.X.Names, name)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		f.Series = append(f.Series, p.series(figures.Series{Name: pairs[i], Kind: figures.Measured}, xs, pairs[i+1],
			func(x int) results.Key { return at(cell, f.X.Names[x]) })...)
	}
	return f
}

// idleFigure draws the CPU time of idle services.
func (p page) idleFigure() []report.Named {
	names := append([]string{nothing.name}, append(drawn, "multilevel")...)
	f := p.byService("CPU time per second", idleCell, names, "ten timers hours away", "cpu-ns/s")
	title := "What a service costs while nothing is due" + p.ratio(": %s times as much if it wakes up for every tick",
		at(idleCell, "multilevel"), at(idleCell, "kafka"), "cpu-ns/s")
	return p.named("systems-idle", f, title,
		"The same wheels: kafka sleeps until the earliest slot, multilevel wakes up for every tick of 1 ms.")
}

// holdFigure draws how long a start holds a lock, by scheme.
func (p page) holdFigure() []report.Named {
	f := byCount("timers pending, n", "time that a start holds the lock")
	cell := func(scheme string, n int) results.Key {
		return at("Hold/n="+results.FormatCount(uint64(n)), lockPrefix+scheme)
	}
	for _, scheme := range []string{"ordered", "tree", "hashsorted", "hashunsorted", "hierarchical"} {
		f.Series = append(f.Series, p.series(figures.Series{Style: scheme, Kind: figures.Both},
			[]int{1_000, 10_000, 100_000}, "start-p50-ns", func(n int) results.Key { return cell(scheme, n) })...)
	}
	title := "How long a start holds the lock" + p.ratio(": %s times as long with scheme 2 as with scheme 7, n = 100k",
		cell("ordered", 100_000), cell("hierarchical", 100_000), "start-p50-ns")
	return p.named("systems-hold", f, title, "Starts of random intervals under one lock; each value includes "+
		"two reads of the clock. M = 4096 for schemes 5 and 6.")
}
