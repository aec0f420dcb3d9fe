package claims

import (
	"errors"
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 3: trees (section 4.1.1).

var treeChecks = checks{
	"S3-2": {counted: func(l *lab) {
		for _, scheme := range []string{"tree", "tree-bst", "tree-leftist"} {
			small := l.run(treeRun(scheme, treeSmall, workload.Exp(), true))
			large := l.run(treeRun(scheme, treeLarge, workload.Exp(), true))
			stop, what := 2.0, "log n"
			if scheme == "tree-bst" {
				stop, what = 1, "constant"
			}
			l.growth(2, small.per(starting, started), large.per(starting, started),
				scheme+", comparisons of a START, log n")
			l.growth(stop, small.per(stopping, stopped).plus(1), large.per(stopping, stopped).plus(1),
				scheme+", steps of a STOP and 1 for the timer itself, "+what)
			worst, _ := l.worstTick(treeRun(scheme, treeSmall, workload.Exp(), true), wasted)
			l.counted(1, worst, "%s: timers that a tick looks at besides the expiring ones, at most", scheme).as(AtMost)
		}
	}},
	"S3-3": {counted: func(l *lab) {
		const n = 4096
		handled := func(scheme string) Value {
			return l.run(treeRun(scheme, n, workload.Exp(), false)).per(compares, ended)
		}
		heap := handled("tree")
		l.sampled(1, handled("tree-bst").over(heap),
			"comparisons for each timer, unbalanced tree over heap, exponential intervals, n = %d", n).as(AtMost)
		l.sampled(10, handled("ordered").over(heap),
			"comparisons for each timer, list over heap, n = %d; significant: ten times", n).as(AtLeast)
	}},
	"S3-4": {counted: func(l *lab) {
		for _, n := range []int{1000, 5000} {
			spec := hold(n, schemes.Tick(n), workload.Const())
			t := l.run(newExperiment("tree-bst", unsized, spec, 2*spec.T, 32).tickByTick())
			l.counted(1, t.per(starting, others).Mean,
				"share of the other timers that START passes, equal intervals, n = %d", n)
		}
	}},
	// The check stays at n that the table of intervals is fine enough for: it has
	// workload.Points entries, the starts of one entry come in ascending order, and with
	// very many timers such runs fill the gaps of the upper tail, which deepens the tree
	// (1.5 log2 n at n = 30,000).
	"S3-5": {counted: func(l *lab) {
		for _, n := range []int{1_000, 3_000, 10_000} {
			depth := passedByStart(l, "tree-bst", n, workload.Exp())
			l.sampled(1.3, depth.times(1/math.Log2(float64(n))),
				"timers that START passes over log2 n, exponential intervals, n = %d", n).
				about(0.05, "the claim has two digits")
		}
		small := passedByStart(l, "tree-bst", 1_000, workload.Uniform())
		large := passedByStart(l, "tree-bst", 10_000, workload.Uniform())
		r := large.over(small)
		exponent := func(x float64) float64 { return math.Log(x) / math.Log(10) }
		l.sampled(0.5, Value{exponent(r.Mean), exponent(r.Lo), exponent(r.Hi)},
			"exponent by which the timers that START passes grow with n, uniform intervals, n = 1000 to 10,000").
			about(0.25, "halfway to the next laws: 0 for log n, 1 for n")
		for _, n := range []int{1_000, 10_000} {
			depth := passedByStart(l, "tree-bst", n, workload.Uniform())
			l.sampled(1, depth.times(1/math.Sqrt(float64(n))),
				"timers that START passes over √n, uniform intervals, n = %d", n).
				about(0.2, "“about”: a fifth")
		}
	}},
	"S3-6": {counted: func(l *lab) {
		const n = 1000
		l.counted(n-1, stopOfRoot(l, n), "timers passed by the STOP of a root above a path of %d", n-1)
		small := l.run(treeRun("tree-bst", treeSmall, workload.Exp(), true)).per(stopping, stopped)
		large := l.run(treeRun("tree-bst", treeLarge, workload.Exp(), true)).per(stopping, stopped)
		l.growth(1, small.plus(1), large.plus(1), "steps of a STOP and 1 for the timer itself, constant")
	}},
	"S3-9": {counted: func(l *lab) {
		for _, scheme := range []string{"ordered", "tree", "tree-bst", "tree-leftist"} {
			large := treeLarge
			if scheme == "ordered" {
				large = 16 * treeSmall // a list of 65536 takes too long
			}
			small := passedByStart(l, scheme, treeSmall, workload.Exp())
			l.sampled(2, passedByStart(l, scheme, large, workload.Exp()).over(small),
				"%s: growth of a START from n = %d to %d", scheme, treeSmall, large).as(AtLeast).
				about(2-stepsConstant, growthWhy)
		}
	}},
}

// treeSmall and treeLarge are the n between which growth is judged: the second is the square of
// the first, so that a logarithm doubles.
const (
	treeSmall = 256
	treeLarge = treeSmall * treeSmall
)

// Growth from n to n², n = 256: of a constant 1, of a logarithm 2, of √n 16. A law
// is distinguished from the next by what lies halfway between them on a logarithmic scale.
var (
	stepsConstant = math.Sqrt(1 * 2)
	stepsLog      = math.Sqrt(2 * math.Sqrt(treeSmall))
)

const growthWhy = "halfway, in logarithms, to the next law: constant 1, log n 2, √n 16"

// treeRun is a run in which about one timer starts a tick. If stops, half of the
// timers are stopped halfway. A tree keeps its shape for about T, so a batch is
// longer than that.
func treeRun(scheme string, n int, dist workload.Dist, stops bool) experiment {
	spec := hold(n, schemes.Tick(n), dist)
	if stops {
		spec = halfStopped(spec)
	}
	e := newExperiment(scheme, unsized, spec, 3*spec.T, 2*spec.T)
	if n == treeLarge {
		e.each /= 4 // only growth is judged there, with a wide slack
	}
	return e
}

// passedByStart counts the timers that a start passes, without stops.
func passedByStart(l *lab, scheme string, n int, dist workload.Dist) Value {
	return l.run(treeRun(scheme, n, dist, false)).per(starting, started)
}

// growth compares how much a count grows from n to n² with a law: 1 or 2.
func (l *lab) growth(law float64, small, large Value, what string) {
	slack := stepsLog - 2
	if law == 1 {
		slack = stepsConstant - 1
	}
	l.sampled(law, large.over(small), "growth from n = %d to %d: %s", treeSmall, treeLarge,
		what).as(AtMost).about(slack, growthWhy)
}

// stopOfRoot starts a root, the latest timer of all, and then ever earlier ones down
// to the root's expiry, and returns what stopping the root counts.
func stopOfRoot(l *lab, n int) float64 {
	s := l.new("tree-bst", unsized)
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
