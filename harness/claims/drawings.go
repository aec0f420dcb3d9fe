package claims

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Drawing is the data of one figure: what claims predict beside what was counted.
type Drawing struct {
	Name           string // of the figure, as in Claim.Figure
	Title          string // a finding
	Caption        []string
	XLabel, YLabel string
	LogX, LogY     bool
	Categories     []string // names of X = 0, 1, 2, …; nil: X is a number
	Lines          []Line
}

// Line is one series of a drawing.
type Line struct {
	Name      string
	Like      string // series of the same Like share a colour: a prediction and its count
	Predicted bool   // else counted, with intervals
	X         []float64
	Y         []Value
}

func (l *Line) add(x float64, y Value) { l.X, l.Y = append(l.X, x), append(l.Y, y) }

// drawn lists the figures whose runs are counted; others are timed.
var drawn = []struct {
	name string
	draw func(*lab) Drawing
}{
	{"passed", drawPassed},
	{"tree-depth", drawDepth},
	{"overflow", drawOverflow},
	{"lazy", drawLazy},
	{"visits", drawVisits},
	{"per-tick-hash", drawBursts},
	{"migrations", drawMigrations},
	{"crossover", drawCrossover},
	{"precision", drawPrecision},
	{"interrupts", drawInterrupts},
}

// Drawings makes the runs of the figures that the claims name, several at once. They
// are the same on every machine.
func Drawings(ctx context.Context, results []Result) ([]Drawing, error) {
	var jobs []func(*lab) Drawing
	for _, d := range drawn {
		if slices.ContainsFunc(results, func(r Result) bool { return r.Figure == d.name }) {
			jobs = append(jobs, d.draw)
		}
	}
	drawings, errs := make([]Drawing, len(jobs)), make([]error, len(jobs))
	finished := atOnce(ctx, len(jobs), func(i int) {
		l := &lab{}
		drawings[i], errs[i] = jobs[i](l), l.err
	})
	return keep(drawings, errs, finished), errors.Join(append(errs, ctx.Err())...)
}

// drawPassed: the share of an ordered list that a start passes.
func drawPassed(l *lab) Drawing {
	d := Drawing{
		Name:   "passed",
		XLabel: "distribution of intervals", YLabel: "share of the list that a start passes",
		Caption: []string{fmt.Sprintf("n = %d. Levels: E[min(J1, J2)]/E[J] from the head, the rest from the rear; with stops, the chance that a timer found outstanding expires first. The paper's text: one transcription.", passingN)},
	}
	for _, dist := range passingDists() {
		d.Categories = append(d.Categories, dist.String())
	}
	for _, kind := range []struct {
		name        string
		stops, rear bool
	}{{"from the head", false, false}, {"from the rear", false, true}, {"from the head, 90 % stopped at 5 %", true, false}} {
		law, counts := pair(kind.name, kind.name)
		for i, dist := range passingDists() {
			p := passing{dist, kind.stops, kind.rear}
			law.add(float64(i), exact(p.predicted(passingN)))
			counts.add(float64(i), p.share(l, passingN))
		}
		d.Lines = append(d.Lines, law, counts)
	}
	d.Lines = append(d.Lines, Line{Name: "the paper's text, from the head", X: []float64{0, 1}, Y: []Value{exact(2. / 3), exact(1. / 2)}})
	head := d.Lines[1].Y
	d.Title = fmt.Sprintf("A start passes %.2f of the list if intervals are exponential, %.2f if uniform: the paper's names are interchanged", head[0].Mean, head[1].Mean)
	return d
}

// pair returns the lines of a prediction and of its counts.
func pair(name, like string) (law, counts Line) {
	return Line{Name: name, Like: like, Predicted: true}, Line{Name: name, Like: like}
}

// drawDepth: the timers that START of an unbalanced tree passes.
func drawDepth(l *lab) Drawing {
	d := Drawing{
		Name:   "tree-depth",
		XLabel: "timers outstanding, n", YLabel: "timers that a start passes in an unbalanced tree", LogX: true, LogY: true,
		Caption: []string{"One start a tick, no stops, after three mean stays. Lines: n - 1, √n, 1.3 log2 n."},
	}
	sizes := []int{100, 300, 1_000, 3_000, 10_000, 30_000}
	for _, kind := range []struct {
		dist workload.Dist
		law  func(float64) float64
		most int
		name string
	}{
		{workload.Const(), func(n float64) float64 { return n - 1 }, 3_000, "equal intervals"},
		{workload.Uniform(), math.Sqrt, 30_000, "uniform intervals"},
		{workload.Exp(), func(n float64) float64 { return 1.3 * math.Log2(n) }, 30_000, "exponential intervals"},
	} {
		law, counts := pair(kind.name, kind.name)
		for _, n := range sizes {
			law.add(float64(n), exact(kind.law(float64(n))))
			if n <= kind.most {
				e := treeRun("tree-bst", n, kind.dist, false)
				e.each = max(1, e.each/4)
				counts.add(float64(n), l.run(e).per(starting, started))
			}
		}
		d.Lines = append(d.Lines, law, counts)
	}
	if l.err == nil {
		uniform, exp := d.Lines[3].Y, d.Lines[5].Y
		d.Title = fmt.Sprintf("An unbalanced tree of 10,000 is %.0f deep with uniform intervals, %.0f with exponential ones, and a list with equal ones", uniform[4].Mean, exp[4].Mean)
	}
	return d
}

// drawOverflow: the starts that the wheels of simulators put aside.
func drawOverflow(l *lab) Drawing {
	d := Drawing{
		Name:   "overflow",
		XLabel: "interval, in M", YLabel: "share of starts that overflow",
		Caption: []string{fmt.Sprintf("Constant intervals, M = %d, starts at any phase. Lines: j/M, and (2j - M)/M above M/2.", overflowSlots)},
	}
	for _, wheel := range []struct {
		scheme, name string
		law          func(float64) float64
	}{
		{"simplewheel-tegas", "TEGAS-2: refilled once a cycle", func(x float64) float64 { return min(1, x) }},
		{"simplewheel-decsim", "DECSIM: rotated by half", func(x float64) float64 { return min(1, max(0, 2*x-1)) }},
		{"simplewheel", "scheme 4: rotated every tick", func(float64) float64 { return 0 }},
	} {
		law, counts := pair(wheel.name, wheel.name)
		for x := 0.0; x <= 1; x += 0.125 {
			law.add(x, exact(wheel.law(x)))
		}
		for _, j := range overflowing {
			x := float64(j) / overflowSlots
			counts.add(x, overflows(l, wheel.scheme, workload.Const(), j, 0).Measured)
		}
		d.Lines = append(d.Lines, law, counts)
	}
	if l.err == nil {
		last := len(overflowing) - 1
		d.Title = fmt.Sprintf("At intervals of %.2f M, %.0f %% of starts overflow a TEGAS-2 wheel, %.0f %% DECSIM's, none scheme 4", float64(overflowing[last])/overflowSlots, 100*d.Lines[1].Y[last].Mean, 100*d.Lines[3].Y[last].Mean)
	}
	return d
}

// drawLazy: what lazy stops hold.
func drawLazy(l *lab) Drawing {
	d := Drawing{
		Name:   "lazy",
		XLabel: "share of timers stopped, at 5 % of their interval", YLabel: "records held for each live timer", LogY: true,
		Caption: []string{"Exponential intervals, n = 1000. Line: E[J]/E[S], mean interval over mean stay."},
	}
	law, counts := pair("hashunsorted-lazy", "hashunsorted")
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99} {
		law.add(share, exact(cost.HeldPerLive(lazySpec(share).Lives())))
		counts.add(share, lazily(l, share, 2))
	}
	d.Lines = []Line{law, counts}
	if l.err == nil {
		d.Title = fmt.Sprintf("Lazy stops hold %.1f records for each live timer if 90 %% are stopped early, %.0f if 99 %%", counts.Y[4].Mean, counts.Y[6].Mean)
	}
	return d
}

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
