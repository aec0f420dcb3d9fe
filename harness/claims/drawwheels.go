package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Drawings of schemes 6 and 7.

// drawVisits: instructions a tick of scheme 6 against T/M.
func drawVisits(l *lab) Drawing {
	const n = 10_000
	d := Drawing{
		Name:   "visits",
		XLabel: "T/M", YLabel: "instructions a tick, at the paper's prices", LogX: true, LogY: true,
		Caption: []string{fmt.Sprintf("Scheme 6, n = 10,000, M = %d, 4 + 6 visits + 9 expiries. Lines: 4 + 6 (n/T)·E[ceil(J/M)] + 9 n/T, and the paper's 4 + 15 n/M.", hashM)},
	}
	paper := Line{Name: "the paper's bound, 4 + 15 n/M", Predicted: true}
	d.Lines = append(d.Lines, paper)
	for _, dist := range []workload.Dist{workload.Exp(), workload.Const()} {
		law, counts := pair(dist.String()+" intervals", dist.String())
		for _, T := range []schemes.Tick{16, 32, 64, 128, 200, 256, 300, 400, 512, 1024, 2048, 4096} {
			w := instructionMix{n, T, dist}
			x := float64(T) / hashM
			law.add(x, exact(cost.PerTick6(n, hashM, w.spec().Lives())))
			if T&(T-1) == 0 {
				counts.add(x, w.perTick(l))
			}
		}
		d.Lines = append(d.Lines, law, counts)
	}
	for _, x := range d.Lines[1].X {
		d.Lines[0].add(x, exact(cost.PaperPerTick(n, hashM)))
	}
	if l.err == nil {
		at := slices.Index(d.Lines[2].X, 0.25)
		d.Title = fmt.Sprintf("At T = M/4 a tick of scheme 6 costs %.1f times the paper's bound", d.Lines[2].Y[at].Mean/cost.PaperPerTick(n, hashM))
	}
	return d
}

// drawBursts: how a tick's work is distributed under two hashes.
func drawBursts(l *lab) Drawing {
	const n, turns = 2048, 64
	d := Drawing{
		Name:   "per-tick-hash",
		XLabel: "visits of a tick", YLabel: "share of ticks with at least so many", LogX: true, LogY: true,
		Caption: []string{fmt.Sprintf("Scheme 6, n = %d, M = %d, T = %d M: the same mean work, 8 visits a tick. Ticks without a visit are not shown.", n, hashM, turns)},
	}
	even := experiment{scheme: "hashunsorted", cfg: withSlots(hashM), spec: hold(n, turns*hashM, workload.Exp()), warm: turns * hashM, each: turns * hashM}
	one := oneSlot("hashunsorted", n, turns)
	devs := [2]float64{}
	for i, run := range []struct {
		name string
		line bool // else markers: of one slot there is one point
		e    experiment
	}{{"spread over the slots", true, even}, {"all in one slot", false, one}} {
		var values []float64
		run.e.tick = func(b batch) { values = append(values, visits(b)) }
		l.run(run.e)
		if l.err != nil {
			return d
		}
		devs[i] = deviation(values)
		d.Lines = append(d.Lines, atLeast(values, Line{Name: run.name, Predicted: run.line}))
	}
	d.Title = fmt.Sprintf("The hash governs the spread of a tick's work: deviation over mean %.2f if timers are spread, %.1f in one slot", devs[0], devs[1])
	return d
}

// atLeast adds to line, for each value above 0, the share of values that are as
// large.
func atLeast(values []float64, line Line) Line {
	slices.Sort(values)
	for i, v := range values {
		if v > 0 && (i == 0 || values[i-1] != v) {
			line.add(v, exact(float64(len(values)-i)/float64(len(values))))
		}
	}
	return line
}

// drawMigrations: migrations for each timer under both level rules.
func drawMigrations(l *lab) Drawing {
	d := Drawing{
		Name:   "migrations",
		XLabel: "T, ticks", YLabel: "migrations for each timer", LogX: true,
		Caption: []string{"Four wheels of 64, exponential intervals, no stops. Lines: by the digits of a random expiry. The paper's bound is m = 4."},
	}
	levels := []int{64, 64, 64, 64}
	for _, rule := range levelRules {
		law, counts := pair(rule.scheme, rule.scheme)
		for T := schemes.Tick(8); T <= 1<<20; T *= 2 {
			law.add(float64(T), exact(rule.migrations(hold(1, T, workload.Exp()).Lives(), levels)))
		}
		for _, T := range []schemes.Tick{16, 64, 256, 1024, 65_536} {
			_, counted := migrationsPerTimer(l, rule, T, false)
			counts.add(float64(T), counted)
		}
		d.Lines = append(d.Lines, law, counts)
	}
	if l.err == nil {
		d.Title = fmt.Sprintf("At T = 256 a timer migrates %.2f times, by the interval's level %.2f times; the paper's bound is 4", d.Lines[1].Y[2].Mean, d.Lines[3].Y[2].Mean)
	}
	return d
}

// drawCrossover: the T up to which scheme 6 is cheaper, by c7/c6.
func drawCrossover(l *lab) Drawing {
	d := Drawing{
		Name:   "crossover",
		XLabel: "c7/c6", YLabel: "T* over M: scheme 6 is cheaper up to there", LogX: true, LogY: true,
		Caption: []string{fmt.Sprintf("M = %d in both schemes, exponential intervals, no stops. Markers: where counted visits and migrations cost the same. Lines: E[ceil(J/M)] - 1 = c7/c6 · migrations, and the paper's m·c7/c6.", crossingSlots)},
	}
	var factor float64
	for _, m := range []int{2, 4} {
		c := crossing{workload.Exp(), false, m, levelRules[0]}
		name := fmt.Sprintf("m = %d", m)
		paper := Line{Name: "the paper's rule, " + name, Like: "paper " + name, Predicted: true}
		law, counts := pair("refined rule and count, "+name, name)
		steps := c.steps(l)
		for _, ratio := range []float64{0.5, 1, 2, 4} {
			paper.add(ratio, exact(cost.PaperCrossover(ratio, crossingSlots, m)/crossingSlots))
			law.add(ratio, exact(c.predict(ratio)/crossingSlots))
			counts.add(ratio, exact(steps.crosses(ratio)/crossingSlots))
		}
		factor = paper.Y[1].Mean / counts.Y[1].Mean
		d.Lines = append(d.Lines, paper, law, counts)
	}
	d.Title = fmt.Sprintf("With c7 = c6 and m = 4, scheme 7 pays off from a T that is %.1f times below the paper's", factor)
	return d
}

// ladder is counted costs of both schemes at rising T.
type ladder struct{ T, cost []float64 }

// steps counts wasted visits over migrations at T from M/4 to 6.8 M, where two
// wheels of 128 still reach the longest interval, 9 T.
func (c crossing) steps(l *lab) (s ladder) {
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
func drawPrecision(l *lab) Drawing {
	d := Drawing{
		Name:   "precision",
		XLabel: "interval, seconds", YLabel: "mean error, as a part of the interval", LogX: true, LogY: true,
		Caption: []string{"Wheels of 60, 60, 24 and 100 slots; each marker is the mean over a fifth of a decade. Lines: by formula. No error: intervals up to a minute and, with one migration, up to an hour."},
	}
	worst := 0.0
	for _, f := range roundings {
		rs := errorsOf(l, f.scheme)
		name := strings.TrimPrefix(f.scheme, "hierarchical-")
		law, counts := pair(name, name)
		for _, bin := range rs.bins() {
			x, predicted := 0.0, 0.0
			for _, r := range bin {
				x += math.Log(float64(r.interval)) / float64(len(bin))
				predicted += f.mean(r.interval, clock) / float64(r.interval) / float64(len(bin))
			}
			law.add(math.Exp(x), exact(predicted))
			counts.add(math.Exp(x), bin.mean())
		}
		worst = max(worst, rs.worst())
		d.Lines = append(d.Lines, law, counts)
	}
	once := Line{Name: "once"}
	for _, bin := range errorsOf(l, "hierarchical-once").bins() {
		x := 0.0
		for _, r := range bin {
			x += math.Log(float64(r.interval)) / float64(len(bin))
		}
		once.add(math.Exp(x), bin.mean())
	}
	d.Lines = append(d.Lines, once)
	d.Title = fmt.Sprintf("Without migrations a timer is off by up to %.0f %% of its interval; one migration leaves a hundredth of that", 100*worst)
	return d
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
func drawInterrupts(l *lab) Drawing {
	d := Drawing{
		Name:   "interrupts",
		XLabel: "n/M", YLabel: "share of ticks with an interrupt", LogX: true,
		Caption: []string{fmt.Sprintf("Scheme 6, M = %d, T = %d M. Line: 1 - e^(-n/M).", assistM, assistT/assistM)},
	}
	law, counts := pair("hashunsorted", "hashunsorted")
	for n := 4.0; n <= 10_000; n *= 1.5 {
		law.add(n/assistM, exact(1-math.Exp(-n/assistM)))
	}
	for _, n := range assistSizes {
		counts.add(float64(n)/assistM, l.run(assisted(n)).per(occupied, ticks))
	}
	d.Lines = []Line{law, counts}
	if l.err == nil {
		d.Title = fmt.Sprintf("Interrupts saturate: %.0f %% of ticks at n = M, all of them at n = 39 M", 100*counts.Y[2].Mean)
	}
	return d
}
