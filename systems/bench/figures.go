package bench

import (
	"fmt"
	"strings"

	"timerlab/harness/figures"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// drawn are the facilities of the figures, in which eleven could not be told apart: Go's own
// timers and one of each design.
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
			s.Points = append(s.Points, point(float64(x), e))
		}
	}
	if len(s.Points) == 0 {
		return nil
	}
	return []figures.Series{s}
}

// point is a median with its interval, if that is known.
func point(x float64, e results.Estimate) figures.Point {
	p := figures.Point{X: x, Y: e.Median}
	if e.Bounded() {
		p.Lo, p.Hi = e.Lo, e.Hi
	}
	return p
}

// throughputFigures draw the time of an operation against goroutines.
func (p page) throughputFigures() (all []report.Named) {
	for _, op := range []struct{ name, file, text string }{
		{"StartStop", "systems-startstop", "Starting and stopping a timer"},
		{"Replace", "systems-replace", "Stopping the oldest timer and starting another"},
	} {
		f := figures.XY{
			XLabel: "goroutines", YLabel: "time of an operation, all goroutines together",
			X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
		}
		for _, name := range drawn {
			s := figures.Series{Name: name, Kind: figures.Both}
			f.Series = append(f.Series, p.series(s, goroutines, results.NsPerOp,
				func(g int) results.Key { return key(op.name, name, million, fmt.Sprintf("/g=%d", g)) })...)
		}
		title := op.text + p.ratio(": "+ours+" is %s times as fast as Go's timers, with 8 goroutines",
			contended(op.name, goTimers), contended(op.name, ours), results.NsPerOp)
		all = append(all, p.named(op.file, f, title,
			"A million timers pending, due in half an hour to one and a half.")...)
	}
	return all
}

// latenessFigures draw quantiles of lateness, by facility.
func (p page) latenessFigures() (all []report.Named) {
	for _, load := range []struct{ name, title, caption string }{
		{"idle", "Lateness with no other load", ""},
		{"busy", "Lateness with busy processors", "Four goroutines a processor work in slices of 100 µs. "},
		{"slow", "Lateness with slow actions among others", "An action of 50 ms every 100 ms. "},
	} {
		k := func(name string) results.Key { return key("Late", name, lateTimers, "/load="+load.name) }
		f := p.byFacility("lateness", drawn, k,
			"p50", "late-p50-ns", "p99", "late-p99-ns", "p99.9", "late-p99.9-ns", "max", "late-max-ns")
		var p999 []string
		for _, name := range []string{goTimers, ours, "kafka"} {
			if e, err := p.Median(k(name), "late-p99.9-ns"); err == nil {
				p999 = append(p999, results.FormatNanos(e.Median)+" ("+name+")")
			}
		}
		title := load.title + ": p99.9 is " + strings.Join(p999, ", ")
		all = append(all, p.named("systems-late-"+load.name, f, title, load.caption+
			"6000 timers of 5 to 500 ms, one started every 500 µs, by a schedule made before. "+
			"Ticks: netty 100 ms; sharded, kafka and fixedtimeout 1 ms.")...)
	}
	return all
}

// byFacility returns a figure with a category for each facility, and a series for each pair of
// a name and a unit.
func (p page) byFacility(
	label string, names []string, k func(name string) results.Key, pairs ...string,
) figures.XY {
	f := figures.XY{XLabel: "service", YLabel: label, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds}}
	for _, name := range names {
		if _, err := p.Median(k(name), pairs[1]); err == nil {
			f.X.Names = append(f.X.Names, name)
		}
	}
	var at []int
	for i := range f.X.Names {
		at = append(at, i)
	}
	for i := 0; i < len(pairs); i += 2 {
		f.Series = append(f.Series, p.series(figures.Series{Name: pairs[i], Kind: figures.Measured}, at, pairs[i+1],
			func(i int) results.Key { return k(f.X.Names[i]) })...)
	}
	return f
}

// costFigures draw the CPU time of idle facilities, and how long a start holds a lock.
func (p page) costFigures() []report.Named {
	cpu := p.byFacility("CPU time per second", append([]string{nothing.name}, append(drawn, "multilevel")...),
		idle, "ten timers hours away", "cpu-ns/s")
	cpuTitle := "What a service costs while nothing is due" +
		p.ratio(": %s times as much if it wakes up for every tick", idle("multilevel"), idle("kafka"), "cpu-ns/s")
	hold := figures.XY{
		XLabel: "timers pending, n", YLabel: "a start holds the lock",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	held := func(scheme string, n int) results.Key { return key("Hold", lockPrefix+scheme, n, "") }
	for _, scheme := range []string{"ordered", "tree", "hashsorted", "hashunsorted", "hierarchical"} {
		s := figures.Series{Style: scheme, Kind: figures.Both}
		hold.Series = append(hold.Series, p.series(s, holdSizes, "start-p50-ns",
			func(n int) results.Key { return held(scheme, n) })...)
	}
	most := holdSizes[len(holdSizes)-1]
	holdTitle := "How long a start holds the lock" + p.ratio(": %s times as long with scheme 2 as with scheme 7, n = "+
		results.FormatCount(uint64(most)), held("ordered", most), held("hierarchical", most), "start-p50-ns")
	return append(
		p.named("systems-idle", cpu, cpuTitle,
			"The same wheels: kafka sleeps until the earliest slot, multilevel wakes up for every tick of 1 ms."),
		p.named("systems-hold", hold, holdTitle, "Starts of random intervals under one lock; each value includes "+
			"two reads of the clock. M = 4096 for schemes 5 and 6.")...)
}
