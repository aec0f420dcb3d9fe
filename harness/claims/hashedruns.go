package claims

import (
	"fmt"
	"math"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// hashM is M in the experiments on hashed wheels.
const hashM = 256

// spread is a run whose timers are spread over the slots.
func spread(scheme string, n int, T schemes.Tick) experiment {
	each := max(4*T, 8*hashM)
	return expRun(scheme, withSlots(hashM), n, T, 2*T, (each+hashM-1)/hashM*hashM)
}

// oneSlot is a run whose timers all share a slot: they start when the pointer is at
// slot 0, with equal intervals of the given number of revolutions.
func oneSlot(scheme string, n int, turns schemes.Tick) experiment {
	T := turns * hashM
	spec := hold(n, T, workload.Const())
	spec.Every = hashM
	return newExperiment(scheme, withSlots(hashM), spec, 2*T, T)
}

// inSlots is a run with b timers in each of some slots.
func inSlots(scheme string, slots, b int) experiment {
	n := slots * b
	T := schemes.Tick(4 * n)
	return expRun(scheme, withSlots(slots), n, T, T, T)
}

func (e experiment) what() string {
	if e.spec.Every > 1 {
		return "all timers in one slot"
	}
	return "spread over the slots"
}

// slotOfExample reads the slot of the paper's example from the drawing.
func slotOfExample(l *lab) {
	const interval = 3*256 + 20
	s := l.new("hashunsorted", schemes.Config{Now: 10, Slots: 256})
	l.start(s, interval, 77)
	slot, rounds := math.NaN(), math.NaN()
	for _, line := range strings.Split(s.String(), "\n") {
		if at, left := 0, 0; scan(line, "slot %d: 77(%d)", &at, &left) {
			slot, rounds = float64(at), float64(left)
		}
	}
	l.counted(30, slot, "slot of an interval of 3·256 + 20 with the pointer at 10")
	l.counted(3+1, rounds, "rounds to go: the 3 in the high-order bits, and the one that expires it")
}

// scan reads a line by its form.
func scan(line, form string, into ...any) bool {
	n, err := fmt.Sscanf(line, form, into...)
	return err == nil && n == len(into)
}

func searchOfScheme5(l *lab) {
	for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform()} {
		p := cost.PassedFromHead(hold(1, 32_768, dist).Lives())
		for _, perSlot := range []int{1, 16, 64} {
			n := perSlot * hashM
			e := spreadOf("hashsorted", n, dist)
			found := l.run(e).per(starting, started)
			what := func(predicted string) string {
				return fmt.Sprintf("comparisons for each START, %s intervals, n/M = %d; predicted: %s", dist, perSlot,
					predicted)
			}
			if perSlot == 1 {
				l.sampled(1, found, "%s", what("O(1), n/M")).as(AtMost)
			} else {
				l.sampled(p*float64(perSlot), found, "%s", what("p n/M")).about(1+float64(n)/float64(e.spec.T),
					"the comparison that ends a search, and timers that expire on the same tick, n/T at most")
			}
			compares := cost.Compares5(e.spec.Lives(), n-1, hashM)
			l.sampled(compares, found, "%s", what("with the one that ends a search"))
		}
	}
}

// spreadOf is spread with long intervals of another distribution.
func spreadOf(scheme string, n int, dist workload.Dist) experiment {
	e := spread(scheme, n, 32_768)
	e.spec.Dist = dist
	e.each /= 2
	return e
}

func oneSlotEach(l *lab) {
	pair := func(hashed, list string, what quantity, name string) {
		e := newExperiment(hashed, withSlots(1), mostlyStopped(hold(200, 100, workload.Exp())), 400, 400)
		one := l.run(e).sum()[what]
		e.scheme = list
		l.counted(l.run(e).sum()[what], one, "%s of %s with one slot; predicted: those of %s", name, hashed, list)
	}
	pair("hashsorted", "ordered", compares, "comparisons")
	pair("hashsorted", "ordered", visits, "visits")
	pair("hashunsorted", "unordered", compares, "comparisons")
	pair("hashunsorted", "unordered", visits, "visits")
}

// oneSlotMean: with intervals of k turns every timer is visited once a turn.
func oneSlotMean(l *lab) {
	const n = 2000
	l.counted(n/float64(hashM),
		l.run(oneSlot("hashunsorted", n, 8)).sum()[visits]/batch{ticks: batches * 8 * hashM}[ticks],
		"visits a tick, all timers in one slot, n/M = %d/%d", n, hashM)
}

func visitRate(l *lab) {
	const n = 2000
	for _, stops := range []bool{false, true} {
		for _, dist := range []workload.Dist{workload.Exp(), workload.Uniform(), workload.Bimodal()} {
			for _, T := range []schemes.Tick{hashM / 4, hashM, 4 * hashM, 16 * hashM} {
				e := spread("hashunsorted", n, T)
				e.spec.Dist = dist
				if stops {
					e.spec = mostlyStopped(e.spec)
				}
				lives := e.spec.Lives()
				want := n / cost.MeanStay(lives) * cost.Visits6(lives, hashM)
				l.sampled(want, l.run(e).per(visits, ticks),
					"visits a tick, %s intervals, %s, T = %d, n = %d, M = %d", dist, withStops(stops), T, n, hashM)
			}
		}
	}
}

func allInOneSlot(l *lab) {
	const n = 2000
	busiest, full, idle := 0.0, 0.0, 0.0
	e := oneSlot("hashunsorted", n, 8)
	e.tick = func(b batch) {
		switch v := b[visits]; {
		case v > 0:
			full++
			busiest = max(busiest, v)
		default:
			idle++
		}
	}
	t := l.run(e)
	l.counted(n, busiest, "visits of the busiest tick, n = %d", n)
	l.counted(hashM-1, idle/full, "ticks without a visit for each with one, M = %d", hashM)
	l.counted(n/float64(hashM), t.sum()[visits]/t.sum()[ticks], "visits a tick")
}

// burstiness compares the spread of a tick's visits over a whole turn of the wheel.
func burstiness(l *lab) {
	const n, turns = 2048, 64
	const T = turns * hashM
	spreadDev, mean := deviations(l, expRun("hashunsorted", withSlots(hashM), n, T, T, 2*T))
	oneDev, oneMean := deviations(l, oneSlot("hashunsorted", n, turns))
	l.sampled(math.Sqrt(hashM/float64(n)), spreadDev,
		"standard deviation over mean of a tick's visits, spread, n = %d, M = %d, T = %d M", n, hashM, turns).
		about(math.Sqrt(hashM/float64(n))/(2*turns)+math.Sqrt(hashM/float64(n))/(2*hashM),
			"T is finite: n/M + n/(2T) visits, and n timers are in M slots, not infinitely many: relative 1/(2 T/M) "+
				"+ 1/(2M)")
	l.sampled(math.Sqrt(hashM-1), oneDev, "standard deviation over mean of a tick's visits, all in one slot")
	l.sampled(n/float64(hashM), mean, "mean visits of a tick, spread").about(n/(2.*turns*hashM),
		"T is finite: n/(2T) visits more")
	l.sampled(n/float64(hashM), oneMean, "mean visits of a tick, all in one slot")
}

// deviations returns the standard deviation over the mean of single ticks' visits
// by batch, and their mean.
func deviations(l *lab, e experiment) (dev, mean Value) {
	var now []float64
	var devs []float64
	e.tick = func(b batch) {
		if now = append(now, b[visits]); len(now) == int(e.each) {
			devs = append(devs, relativeDeviation(now))
			now = now[:0]
		}
	}
	t := l.run(e)
	return meanOf(devs), t.per(visits, ticks)
}

// instructionMix is one of the workloads by which the paper's cost of a tick is tried.
type instructionMix struct {
	n    int
	T    schemes.Tick
	dist workload.Dist
}

func instructionMixes() []instructionMix {
	const n = 10_000
	return []instructionMix{
		{n, (hashM + 1) / 2, workload.Uniform()}, // 1 to M
		{n, hashM / 4, workload.Const()},
		{n, 8 * hashM, workload.Uniform()}, // 1 to 16 M
		{n, 16 * hashM, workload.Const()},
	}
}

func (w instructionMix) spec() workload.Spec { return hold(w.n, w.T, w.dist) }

func (w instructionMix) String() string {
	return fmt.Sprintf("%s intervals, T = %d, n = %d, M = %d", w.dist, w.T, w.n, hashM)
}

// perTick counts a tick's instructions at the paper's prices.
func (w instructionMix) perTick(l *lab) Value {
	each := max(4*w.T, 4*hashM)
	t := l.run(newExperiment("hashunsorted", withSlots(hashM), w.spec(), w.T, (each+hashM-1)/hashM*hashM))
	return t.ratio(func(b batch) float64 { return 4*b[ticks] + 6*b[visits] + 9*b[expired] }, ticks)
}
