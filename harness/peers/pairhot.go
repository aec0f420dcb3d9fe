package peers

import (
	"fmt"
	"runtime"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// pairs is the number of pairs in a sample of PairHot.
const pairs = 1 << 20

// pairHot times pairs of a start and the stop of that same timer, which a trace has none of, while the trace's
// timers are outstanding. Then the trace runs: its outcome is wrong if a stop failed or stopped another timer.
func pairHot(s run.Subject, t *workload.Trace) (row results.Result, err error) {
	scheme, err := s.Info.New(s.Config(t.Spec.N))
	if err != nil {
		return row, err
	}
	d := drive.New(scheme, t)
	if err := d.Fill(); err != nil {
		return row, err
	}
	intervals, id := t.Spec.Dist.Quantiles(t.Spec.T), schemes.ID(t.Timers)
	runtime.GC()
	began := run.CPUTime()
	for i := range pairs {
		h, err := scheme.Start(intervals[i*stride%len(intervals)], id)
		if err != nil {
			return row, err
		}
		if !scheme.Stop(h) {
			return row, fmt.Errorf("Stop of an outstanding timer returned false, in pair %d", i)
		}
	}
	took := run.CPUTime() - began
	if err := d.Run(nil); err != nil {
		return row, err
	}
	row.Iters = pairs
	row.Add(float64(took.Nanoseconds())/pairs, units.NsPerOp)
	return row, d.Verify()
}

// stride is from one interval to the next in a table that ascends. It is odd and a table has 2^k, so all are taken.
const stride = 1597
