package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Figures of schemes 6 and 7.

// drawVisits: instructions a tick of scheme 6 against T/M.
func drawVisits(l *lab) figures.XY {
	const n = 10_000
	f := figures.XY{XLabel: "T/M", YLabel: "instructions a tick, at the paper's unit costs", X: logarithmic,
		Y: logarithmic}
	f.Caption = []string{fmt.Sprintf(
		"Scheme 6, n = 10,000, M = %d, 4 + 6 visits + 9 expiries. Markers: counted. Lines: 4 + 6 (n/T)·E[ceil(J/M)] "+
			"+ 9 n/T, which jumps where constant intervals pass a multiple of M, and the paper's 4 + 15 n/M.", hashM)}
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
		f.Title = fmt.Sprintf("At T = M/4 a tick of scheme 6 costs %.1f times the paper's bound",
			f.Series[2].Points[at].Y/cost.PaperPerTick(n, hashM))
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
	f.Caption = []string{fmt.Sprintf(
		"Scheme 6, n = %d, M = %d, T = %d M: the same mean work, 8 visits a tick. In one slot, one tick in %d has "+
			"all the visits and the others none.", n, hashM, turns, hashM)}
	even := experiment{scheme: "hashunsorted", cfg: withSlots(hashM), spec: hold(n, turns*hashM, workload.Exp()),
		warm: turns * hashM, each: turns * hashM}
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

// drawMigrations: migrations for each timer under both level rules.
func drawMigrations(l *lab) figures.XY {
	f := figures.XY{XLabel: "T, ticks", YLabel: "migrations for each timer", X: logarithmic, Y: linear}
	f.Caption = []string{"Four wheels of 64, exponential intervals, no stops. Markers: counted. Lines: by the " +
		"digits of a random expiry. The paper's bound is m = 4."}
	levels := []int{64, 64, 64, 64}
	for _, rule := range levelRules {
		law, counts := pair(rule.scheme, rule.scheme)
		for _, T := range steps(8, 1<<20, math.Sqrt2) {
			add(&law, T, exact(rule.migrations(hold(1, schemes.Tick(T), workload.Exp()).Lives(), levels)))
		}
		for _, T := range []schemes.Tick{16, 64, 256, 1024, 65_536} {
			_, counted := migrationsPerTimer(l, rule, T, false)
			add(&counts, float64(T), counted)
		}
		f.Series = append(f.Series, law, counts)
	}
	if l.err == nil {
		f.Title = fmt.Sprintf("At T = 256 a timer migrates %.2f times, by the interval's level %.2f times; the "+
			"paper's bound is 4", f.Series[1].Points[2].Y, f.Series[3].Points[2].Y)
	}
	return f
}

// drawCrossover: the T up to which scheme 6 is cheaper, by c7/c6.
func drawCrossover(l *lab) figures.XY {
	f := figures.XY{XLabel: "c7/c6", YLabel: "T* over M: scheme 6 is cheaper up to there", X: logarithmic,
		Y: logarithmic}
	f.Caption = []string{fmt.Sprintf(
		"M = %d in both schemes, exponential intervals, no stops. Markers: where counted visits and migrations cost "+
			"the same. Lines: E[ceil(J/M)] - 1 = c7/c6 · migrations, and the paper's m·c7/c6.", crossingSlots)}
	var factor float64
	for _, m := range []int{2, 4} {
		c := crossing{workload.Exp(), false, m, levelRules[0]}
		name := fmt.Sprintf("m = %d", m)
		paper := figures.Series{Name: "the paper's rule, " + name}
		law, counts := pair("refined rule and count, "+name, "refined "+name)
		counted := c.ladder(l)
		for _, ratio := range []float64{0.5, 1, 2, 4} {
			add(&paper, ratio, exact(cost.PaperCrossover(ratio, crossingSlots, m)/crossingSlots))
			add(&law, ratio, exact(c.predict(ratio)/crossingSlots))
			add(&counts, ratio, exact(counted.crosses(ratio)/crossingSlots))
		}
		factor = paper.Points[1].Y / counts.Points[1].Y
		f.Series = append(f.Series, paper, law, counts)
	}
	f.Title = fmt.Sprintf("With c7 = c6 and m = 4, scheme 7 pays off from a T that is %.1f times below the paper's",
		factor)
	return f
}

// ladder is counted costs of both schemes at rising T.
type ladder struct{ T, cost []float64 }

// ladder counts wasted visits over migrations at T from M/4 to 6.8 M, where two
// wheels of 128 still reach the longest interval, 9 T.
func (c crossing) ladder(l *lab) (s ladder) {
	for T := 64.0; T <= 6.8*crossingSlots; T *= 1.3 {
		p := c.costs(l, schemes.Tick(T), 1, 1)
		s.T, s.cost = append(s.T, math.Trunc(T)), append(s.cost, p.Measured.Mean)
	}
	return s
}

// crosses returns the T at which the ratio of costs is as given, between two steps
// by interpolation of logarithms; NaN if it is at none.
func (s ladder) crosses(ratio float64) float64 {
	for i := len(s.T) - 1; i > 0; i-- {
		if s.cost[i-1] <= ratio && s.cost[i] > ratio {
			part := math.Log(ratio/s.cost[i-1]) / math.Log(s.cost[i]/s.cost[i-1])
			return s.T[i-1] * math.Pow(s.T[i]/s.T[i-1], part)
		}
	}
	return math.NaN()
}

// drawPrecision: the error of the forms without migrations against the interval.
func drawPrecision(l *lab) figures.XY {
	f := figures.XY{XLabel: "interval, seconds", YLabel: "mean error, as a part of the interval", X: logarithmic,
		Y: logarithmic}
	f.Caption = []string{"Wheels of 60, 60, 24 and 100 slots; each marker is the mean over a fifth of a decade. " +
		"Lines: by formula. No error: intervals up to a minute and, with one migration, up to an hour."}
	for _, form := range roundings {
		name := strings.TrimPrefix(form.scheme, "hierarchical-")
		law, counts := pair(name, name)
		for _, bin := range errorsOf(l, form.scheme).bins() {
			predicted := 0.0
			for _, r := range bin {
				predicted += form.mean(r.interval, clock) / float64(r.interval) / float64(len(bin))
			}
			add(&law, bin.middle(), exact(predicted))
			add(&counts, bin.middle(), bin.mean())
		}
		f.Series = append(f.Series, law, counts)
	}
	once := figures.Series{Name: "once", Kind: figures.Measured}
	for _, bin := range errorsOf(l, "hierarchical-once").bins() {
		add(&once, bin.middle(), bin.mean())
	}
	f.Series = append(f.Series, once)
	worst := make([]float64, len(f.Series))
	for i, s := range f.Series {
		f.Series[i].Points = slices.DeleteFunc(s.Points, func(p figures.Point) bool { return p.Y == 0 })
		for _, p := range f.Series[i].Points {
			worst[i] = max(worst[i], p.Y)
		}
	}
	if l.err == nil {
		last := len(worst) - 1
		f.Title = fmt.Sprintf("Without migrations a timer is off by up to %.0f %% of its interval on average, with "+
			"one migration by at most %.1f %%", 100*slices.Max(worst[:last]), 100*worst[last])
	}
	return f
}

// middle returns the geometric mean of the intervals, in ticks.
func (rs requests) middle() float64 {
	x := 0.0
	for _, r := range rs {
		x += math.Log(float64(r.interval)) / float64(len(rs))
	}
	return math.Exp(x)
}

// bins sorts requests into fifths of decades of the interval, empty ones left out.
func (rs requests) bins() []requests {
	byBin := map[int]requests{}
	var order []int
	for _, r := range rs {
		bin := int(5 * math.Log10(float64(r.interval)))
		if byBin[bin] == nil {
			order = append(order, bin)
		}
		byBin[bin] = append(byBin[bin], r)
	}
	slices.Sort(order)
	var bins []requests
	for _, bin := range order {
		bins = append(bins, byBin[bin])
	}
	return bins
}

// drawInterrupts: how often a chip that steps through the slots interrupts the host.
func drawInterrupts(l *lab) figures.XY {
	f := figures.XY{XLabel: "n/M", YLabel: "share of ticks with an interrupt", X: logarithmic, Y: linear}
	f.Caption = []string{fmt.Sprintf("Scheme 6, M = %d, T = %d M. Markers: counted. Line: 1 - e^(-n/M).", assistM,
		assistT/assistM)}
	law, counts := pair("", "hashunsorted")
	for _, n := range steps(4, 10_240, 1.15) {
		add(&law, n/assistM, exact(1-math.Exp(-n/assistM)))
	}
	for _, n := range assistSizes {
		add(&counts, float64(n)/assistM, l.run(assisted(n)).per(occupied, ticks))
	}
	f.Series = []figures.Series{law, counts}
	if l.err == nil {
		f.Title = fmt.Sprintf("Interrupts saturate: %.0f %% of ticks at n = M, all of them at n = 39 M",
			100*counts.Points[2].Y)
	}
	return f
}
