package claims

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Figures of scheme 6.

// drawVisits: instructions a tick of scheme 6 against T/M.
func drawVisits(l *lab) figures.XY {
	const n = 10_000
	f := figures.XY{XLabel: "T/M", YLabel: "instructions a tick, at the paper's unit costs",
		X: logarithmic, Y: logarithmic}
	f.Caption = caption("Scheme 6, n = 10,000, M = %d, 4 + 6 visits + 9 expiries. Markers: counted. Lines: 4 + 6 "+
		"(n/T)·E[ceil(J/M)] + 9 n/T, which jumps where constant intervals pass a multiple of M, and the paper's "+
		"4 + 15 n/M.", hashM)
	paper := figures.Series{Name: "the paper's bound, 4 + 15 n/M"}
	f.Series = append(f.Series, paper)
	for _, dist := range []workload.Dist{workload.Exp(), workload.Const()} {
		law, counts := pair(dist.String()+" intervals", dist.String())
		for _, T := range visitTicks() {
			add(&law, float64(T)/hashM, exact(cost.PerTick6(n, hashM, instructionMix{n, T, dist}.spec().Lives())))
		}
		for T := schemes.Tick(16); T <= 4096; T *= 2 {
			add(&counts, float64(T)/hashM, instructionMix{n, T, dist}.perTick(l))
		}
		f.Series = append(f.Series, law, counts)
	}
	for _, p := range f.Series[1].Points {
		add(&f.Series[0], p.X, exact(cost.PaperPerTick(n, hashM)))
	}
	if l.err == nil {
		at := slices.IndexFunc(f.Series[2].Points, func(p figures.Point) bool { return p.X == 0.25 })
		f.Title = fmt.Sprintf("At T = M/4 a tick of scheme 6 costs %.1f times the paper's "+
			"bound", f.Series[2].Points[at].Y/cost.PaperPerTick(n, hashM))
	}
	return f
}

// visitTicks are 16 to 4096 ticks in steps that draw a curve, and both sides of each multiple of M,
// where the curve of constant intervals jumps.
func visitTicks() []schemes.Tick {
	var all []schemes.Tick
	for _, T := range steps(16, 4096, 1.19) {
		all = append(all, schemes.Tick(T))
	}
	for T := schemes.Tick(hashM); T < 4096; T += hashM {
		all = append(all, T, T+1)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// drawBursts: how a tick's work is distributed under two hashes.
func drawBursts(l *lab) figures.XY {
	const n, turns = 2048, 64
	f := figures.XY{XLabel: "visits of a tick", YLabel: "share of ticks with at least this number of visits",
		X: logarithmic, Y: logarithmic}
	f.Caption = caption("Scheme 6, n = %d, M = %d, T = %d M: the same mean work, 8 visits a tick. In one slot, "+
		"one tick in %d has all the visits and the others none.", n, hashM, turns, hashM)
	even := experiment{scheme: "hashunsorted", cfg: withSlots(hashM), spec: hold(n, turns*hashM, workload.Exp())}
	even.warm, even.each = turns*hashM, turns*hashM
	one := oneSlot("hashunsorted", n, turns)
	devs := [2]float64{}
	for i, run := range []struct {
		name string
		e    experiment
	}{{"spread over the slots", even}, {"all in one slot", one}} {
		var values []float64
		run.e.tick = func(b batch) { values = append(values, b[visits]) }
		l.run(run.e)
		if l.err != nil {
			return f
		}
		devs[i] = deviation(values)
		f.Series = append(f.Series, figures.Series{Name: run.name, Points: atLeast(values)})
	}
	f.Title = fmt.Sprintf("The hash governs the spread of a tick's work: deviation over mean %.2f if timers are "+
		"spread, %.1f in one slot", devs[0], devs[1])
	return f
}

// atLeast returns, for 1 and for each value above it, the share of values that are as large: the
// curve falls right of each value.
func atLeast(values []float64) (points []figures.Point) {
	slices.Sort(values)
	share := func(from int) float64 { return float64(len(values)-from) / float64(len(values)) }
	last := 0.
	for i, v := range values {
		if v > last {
			points = append(points, figures.Point{X: max(1, last), Y: share(i)}, figures.Point{X: v, Y: share(i)})
			last = v
		}
	}
	return points
}

// drawInterrupts: how often a chip that steps through the slots interrupts the host.
func drawInterrupts(l *lab) figures.XY {
	f := figures.XY{XLabel: "n/M", YLabel: "share of ticks with an interrupt", X: logarithmic, Y: linear}
	f.Caption = caption("Scheme 6, M = %d, T = %d M. Markers: counted. Line: 1 - e^(-n/M).", assistM, assistT/assistM)
	law, counts := pair("", "hashunsorted")
	for _, n := range steps(4, 10_240, 1.15) {
		add(&law, n/assistM, exact(1-math.Exp(-n/assistM)))
	}
	for _, n := range assistSizes {
		add(&counts, float64(n)/assistM, l.run(assisted(n)).per(occupied, ticks))
	}
	f.Series = []figures.Series{law, counts}
	if l.err == nil {
		f.Title = fmt.Sprintf("Interrupts saturate: %.0f %% of ticks at n = M, all of them at n = 39 "+
			"M", 100*counts.Points[2].Y)
	}
	return f
}
