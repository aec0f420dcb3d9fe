package claims

import (
	"errors"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Trees (section 4.1.1), simulation wheels, scheme 4 and lazy stops (sections 4.2 and 5).
//
// The runs of S3-5 stay at n that the table of intervals is fine enough for: it has workload.Points
// entries, the starts of one entry come in ascending order, and with very many timers such runs fill the
// gaps of the upper tail, which deepens the tree (1.5 log2 n at n = 30,000).

var wheelChecks = map[string]func(*lab){
	// The check compares starts on each tick of a cycle with those on the tick before.
	"D-2": func(l *lab) {
		const m = 64
		later := 0.0
		for phase := 1; phase < m; phase++ {
			if overflowsAt(l, m, phase) > overflowsAt(l, m, phase-1) {
				later++
			}
		}
		l.counted(m-1, later, "ticks of a cycle of %d on which more of the intervals 1 to M overflow than a tick earlier", m)
	},
	"S3-6": func(l *lab) {
		const n = 1000
		l.counted(n-1, stopOfRoot(l, n), "timers passed by the STOP of a root above a path of %d", n-1)
	},
	"D-7x": func(l *lab) {
		for _, share := range []float64{0.9, 0, 0.5, 0.99} {
			l.sampled(heldPerLive(share), countHeld(l, share, 4),
				"records held for each live timer, %.0f %% stopped at 5 %%", 100*share)
		}
	},
	"S4-1": func(l *lab) {
		for _, m := range []int{1, 7, 256} {
			l.counted(float64(m), l.dueAfter("simplewheel", schemes.Config{Slots: m}, schemes.Tick(m)),
				"ticks until a timer of M ticks is due, M = %d", m)
		}
	},
	// The check splits a workload at M = 2 T. The list holds the timers that were
	// longer than M at their start; a longer one passes, among them, what it would pass
	// in a list of them alone.
	"S4-3": func(l *lab) {
		const n, m = 400, 2000
		e := l.experiment("simplewheel-overflow M=%d n=%d T=1000 warm=10T each=16T", m, n)
		starts := l.run(e).per(starting, started)
		list := l.run(l.experiment("ordered n=%d T=1000 warm=10T each=4T", n)).per(starting, started)
		all, far := e.spec.Lives(), cost.Beyond(e.spec.Lives(), m)
		share := cost.Weight(far)
		inList := n * cost.MeanStay(far) / cost.MeanStay(all)
		passed := share * (inList*cost.PassedFromHead(far) + 1)
		l.sampled(passed, starts, "comparisons for each start, exponential intervals, M = 2 T, n = %d", n).
			about(share, "one comparison more or less for each longer timer: the search's end, and n - 1 for n")
		l.sampled(1./8, starts.over(list),
			"the same over those of a list of all timers (e^-2 of the timers, in a third of the list: less than "+
				"1/8)").as(AtMost)
	},
}

// stopOfRoot starts a root, the latest timer of all, and then ever earlier ones down
// to the root's expiry, and returns what stopping the root counts.
func stopOfRoot(l *lab, n int) float64 {
	s := l.new("tree-bst", schemes.Config{})
	root := l.start(s, schemes.Tick(n), 0)
	for i := 1; i < n; i++ {
		l.start(s, schemes.Tick(3*n-i), schemes.ID(i))
	}
	before := s.Counts()
	if !s.Stop(root) {
		l.check(errors.New("claims: the root cannot be stopped"))
	}
	return float64(s.Counts().Sub(before).Compares)
}

// lazySpec stops a share of timers at 5 % of their interval.
func lazySpec(share float64) workload.Spec {
	return workload.Spec{N: 1000, T: 200, Dist: workload.Exp(), Stop: share, StopAt: 0.05}
}

// heldPerLive predicts what countHeld measures.
func heldPerLive(share float64) float64 { return cost.HeldPerLive(lazySpec(share).Lives()) }

// countHeld measures records held per live timer, in batches of the given number of mean intervals.
// It begins when the longest interval, 9 means, has passed.
func countHeld(l *lab, share float64, intervals schemes.Tick) Value {
	spec := lazySpec(share)
	mean := schemes.Tick(heldPerLive(share) * float64(spec.T))
	e := experiment{scheme: "hashunsorted-lazy", cfg: schemes.Config{Slots: 256}, spec: spec, singly: true}
	e.warm, e.each = 10*mean, intervals*mean
	return l.run(e).per(held, outstanding)
}

// overflowsAt starts timers of all intervals up to M, a number of ticks after the beginning of a cycle, and
// returns how many go to the overflow list.
func overflowsAt(l *lab, m, phase int) (count int) {
	s := l.new("simplewheel-tegas", schemes.Config{Slots: m})
	for range phase {
		s.PerTick()
	}
	for interval := 1; interval <= m; interval++ {
		l.start(s, schemes.Tick(interval), schemes.ID(interval))
	}
	s.View(func(p schemes.Place) bool {
		if p.Level == schemes.Overflow {
			count++
		}
		return true
	})
	return count
}
