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

// pairHot times pairs of a start and the stop of that same timer, which a trace has none of, while the workload's
// timers are outstanding. Then the workload runs: its outcome is wrong if a stop failed or stopped another timer.
func pairHot(name string, s run.Subject, w workload.Spec) ([]results.Result, error) {
	trace, err := w.Trace()
	if err != nil {
		return nil, err
	}
	scheme, err := s.Info.New(s.Config(w.N))
	if err != nil {
		return nil, err
	}
	d := drive.New(scheme, trace)
	if err := d.Fill(); err != nil {
		return nil, err
	}
	const pairs, stride = 1 << 20, 1597 // stride is odd, so all of 2^k intervals are taken
	intervals, id := w.Dist.Quantiles(w.T), schemes.ID(trace.Timers)
	runtime.GC()
	began := run.CPUTime()
	for i := range pairs {
		h, err := scheme.Start(intervals[i*stride%len(intervals)], id)
		if err != nil {
			return nil, err
		}
		if !scheme.Stop(h) {
			return nil, fmt.Errorf("Stop of an outstanding timer returned false, in pair %d", i)
		}
	}
	row := results.Result{Name: name, Iters: pairs}
	row.Add(float64((run.CPUTime()-began).Nanoseconds())/pairs, units.NsPerOp)
	if err := d.Run(nil); err != nil {
		return nil, err
	}
	return []results.Result{row}, d.Verify()
}
