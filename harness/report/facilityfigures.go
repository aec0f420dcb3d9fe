package report

import (
	"fmt"
	"math"

	"timerlab/harness/results"

	"timerlab/harness/figures"
	"timerlab/systems/bench"
)

// drawnFacilities are those of the figures, in which eleven could not be told apart: Go's
// own timers and one of each design.
var drawnFacilities = []string{bench.Bare, "sharded", "kafka", "netty", "jdk-pool", "fixedtimeout"}

// figures draws what was measured of throughput, lateness and idle cost.
func (p Facilities) figures() (shown []Named) {
	for _, f := range []struct {
		name   string
		figure figures.XY
	}{
		{"systems-startstop", p.rates("StartStop", "Starting and stopping a timer")},
		{"systems-replace", p.rates("Replace", "Stopping the oldest timer and starting another")},
		{"systems-late-idle", p.latenessFigure("idle", "with nothing else to do", "")},
		{"systems-late-busy", p.latenessFigure("busy", "with busy processors", "Four goroutines a processor have pieces of work of 100 µs. ")},
		{"systems-late-slow", p.latenessFigure("slow", "with slow actions among them", "An action of 50 ms every 100 ms. ")},
		{"systems-idle", p.idleFigure()},
		{"systems-hold", p.holdFigure()},
	} {
		if len(f.figure.Series) > 0 {
			shown = append(shown, Named{f.name, f.figure, f.figure.Frame})
		}
	}
	return shown
}

// caption is below every figure.
const facilityCaption = "Medians; bars: 95 % intervals."

func (p Facilities) frame(title string, caption string) figures.Frame {
	return figures.Frame{Title: title, Caption: []string{caption + " " + facilityCaption}, Command: p.command()}
}

// rates draws operations a second against goroutines, with a million timers pending.
func (p Facilities) rates(work, what string) figures.XY {
	const n = 1_000_000
	f := figures.XY{
		XLabel: "goroutines", YLabel: "operations a second",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Count},
	}
	for _, name := range drawnFacilities {
		line := figures.Series{Name: name, Kind: figures.Both}
		for _, g := range bench.Goroutines {
			e, err := p.Table.Median(p.cell(work, name, n, fmt.Sprintf("/g=%d", g)), nsPerOp)
			if err != nil {
				continue
			}
			point := figures.Point{X: float64(g), Y: 1e9 / e.Median}
			if !math.IsInf(e.Lo, 0) && !math.IsInf(e.Hi, 0) {
				point.Lo, point.Hi = 1e9/e.Hi, 1e9/e.Lo
			}
			line.Points = append(line.Points, point)
		}
		if len(line.Points) > 0 {
			f.Series = append(f.Series, line)
		}
	}
	title := what
	if r, err := p.Table.Ratio(p.cell(work, bench.Bare, n, "/g=8"), p.cell(work, ours, n, "/g=8"), nsPerOp); err == nil {
		title = fmt.Sprintf("%s: %s does %s times as many as Go's timers, with 8 goroutines", what, ours, times(r.Median))
	}
	f.Frame = p.frame(title, "A million timers pending, due in half an hour to one and a half.")
	return f
}

// latenessFigure draws quantiles of lateness, facility by facility, and tells what else went
// on.
func (p Facilities) latenessFigure(load, what, meanwhile string) figures.XY {
	f := figures.XY{
		Frame:  p.frame("How late actions run, "+what, meanwhile+"6000 timers of 5 to 500 ms, one started every 500 µs, by the moment for which each was meant. netty: ticks of 100 ms; sharded, kafka and fixedtimeout: 1 ms."),
		XLabel: "facility", YLabel: "lateness",
		Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, q := range []string{"p50", "p99", "p99.9", "max"} {
		f.Series = append(f.Series, figures.Series{Name: q, Kind: figures.Measured})
	}
	for _, name := range drawnFacilities {
		at := float64(len(f.X.Names))
		any := false
		for i := range f.Series {
			e, err := p.Table.Median(p.lateness(name, load), "late-"+f.Series[i].Name+"-ns")
			if err == nil {
				f.Series[i].Points = append(f.Series[i].Points, point(at, e))
				any = true
			}
		}
		if any {
			f.X.Names = append(f.X.Names, name)
		}
	}
	if len(f.X.Names) == 0 {
		f.Series = nil
	}
	return f
}

// idleFigure draws the processor's time that a facility takes while nothing is due.
func (p Facilities) idleFigure() figures.XY {
	f := figures.XY{
		XLabel: "facility", YLabel: "CPU time a second",
		Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	line := figures.Series{Name: "ten timers hours away", Kind: figures.Measured}
	for _, name := range append([]string{"nothing"}, append(drawnFacilities, "multilevel")...) {
		e, err := p.Table.Median(p.cell("Idle", name, bench.IdleTimers, ""), "cpu-ns/s")
		if err != nil {
			continue
		}
		line.Points = append(line.Points, point(float64(len(f.X.Names)), e))
		f.X.Names = append(f.X.Names, name)
	}
	if len(line.Points) > 0 {
		f.Series = []figures.Series{line}
	}
	title := "What a facility costs while nothing is due"
	if r, err := p.Table.Ratio(p.cell("Idle", "multilevel", bench.IdleTimers, ""), p.cell("Idle", "kafka", bench.IdleTimers, ""), "cpu-ns/s"); err == nil {
		title += fmt.Sprintf(": waking for every tick takes %s times as much", times(r.Median))
	}
	f.Frame = p.frame(title, "The same wheels: kafka sleeps until the earliest slot, multilevel wakes for every tick of 1 ms.")
	return f
}

// holdFigure draws how long a start holds the lock around a scheme, against n.
func (p Facilities) holdFigure() figures.XY {
	f := figures.XY{
		XLabel: "timers pending, n", YLabel: "a start holds the lock",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, scheme := range []string{"ordered", "tree", "hashsorted", "hashunsorted", "hierarchical"} {
		line := figures.Series{Style: scheme, Kind: figures.Both}
		for _, n := range bench.HoldSizes {
			if e, err := p.Table.Median(p.cell("Hold", "locked-"+scheme, n, ""), "start-p50-ns"); err == nil {
				line.Points = append(line.Points, point(float64(n), e))
			}
		}
		if len(line.Points) > 0 {
			f.Series = append(f.Series, line)
		}
	}
	f.Frame = p.frame(holdTitle(p), "Starts with random intervals, under one lock, by the clock; two looks at the clock are in each. M = 4096 for schemes 5 and 6.")
	return f
}

// holdTitle tells how scheme 2 compares with scheme 7 at the largest n.
func holdTitle(p Facilities) string {
	n := bench.HoldSizes[len(bench.HoldSizes)-1]
	r, err := p.Table.Ratio(p.cell("Hold", "locked-ordered", n, ""), p.cell("Hold", "locked-hierarchical", n, ""), "start-p50-ns")
	if err != nil {
		return "How long a start holds the lock"
	}
	return fmt.Sprintf("A start holds the lock %s times as long with scheme 2 as with scheme 7, n = %s", times(r.Median), results.FormatCount(uint64(n)))
}
