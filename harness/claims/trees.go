package claims

import (
	"errors"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 3: trees (section 4.1.1). The runs of S3-5 stay at n that the table of intervals is fine enough
// for: it has workload.Points entries, the starts of one entry come in ascending order, and with very many
// timers such runs fill the gaps of the upper tail, which deepens the tree (1.5 log2 n at n = 30,000).

var treeChecks = checks{
	"S3-6": {counted: func(l *lab) {
		const n = 1000
		l.counted(n-1, stopOfRoot(l, n), "timers passed by the STOP of a root above a path of %d", n-1)
	}},
}

// treeRun is a run without stops in which about one timer starts a tick. A tree keeps its shape for
// about T, so a batch is longer than that.
func treeRun(n int, dist workload.Dist) experiment {
	spec := hold(n, schemes.Tick(n), dist)
	return newExperiment("tree-bst", unsized, spec, 3*spec.T, 2*spec.T)
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
