package run

import (
	"context"
	"time"

	"timerlab/harness/results"
)

// quietCore makes samples while nothing else computes on the core, as far as the time suffices
// that may be lost by that. Whether a sample counts does not depend on how long it took.
type quietCore struct {
	busy     func() bool // whether a neighbour computes
	computes bool        // see Runner
	began    time.Duration
	lost     time.Duration  // by waiting for neighbours and by disturbed samples
	counts   results.Reruns // since they were taken
}

const (
	lostShare  = 0.2                    // of the time used, that may be lost: a neighbour that stays costs a fifth
	firstSlack = 200 * time.Millisecond // that may be lost at the beginning
	mostReruns = 2                      // of a sample
	busyPause  = 20 * time.Millisecond

	// A sample that computes all the time and had the core for less is disturbed: other programs had
	// it. Twins are to agree within a twentieth, so what one of them loses must be well below.
	deprivedShare = 0.02
	leastDeprived = 50 * time.Microsecond // the two clocks are not read at once
)

func newQuietCore(r Runner) *quietCore {
	if r.Busy == nil {
		r.Busy = new(Neighbour).Busy
	}
	return &quietCore{busy: r.Busy, computes: r.Computes, began: read()}
}

// sample makes a sample, and reruns it while a neighbour disturbs it.
func (q *quietCore) sample(ctx context.Context, r plannedRun) (rows []results.Result, err error) {
	q.counts.Samples++
	for tries := 0; ; tries++ {
		disturbed := q.wait(ctx)
		began, cpu := read(), CPUTime()
		rows, err = r.Sample(ctx, r.round)
		if err != nil {
			return rows, err
		}
		took, cpu := read()-began, CPUTime()-cpu
		lacked := took - cpu
		deprived := q.computes && lacked > leastDeprived && float64(lacked) > deprivedShare*float64(took)
		if disturbed = q.busy() || deprived || disturbed; !disturbed {
			return rows, nil
		}
		if tries == mostReruns || !q.mayLose(ctx, took) {
			q.counts.Disturbed++
			return rows, nil
		}
		q.lost += took
		q.counts.Reruns++
	}
}

// wait waits for the end of a neighbour, and reports whether there still is one.
func (q *quietCore) wait(ctx context.Context) (busy bool) {
	for busy = q.busy(); busy && q.mayLose(ctx, busyPause); busy = q.busy() {
		time.Sleep(busyPause)
		q.lost += busyPause
	}
	return busy
}

// mayLose reports whether there is time to lose.
func (q *quietCore) mayLose(ctx context.Context, t time.Duration) bool {
	used := read() - q.began - q.lost
	return ctx.Err() == nil && q.lost+t <= firstSlack+time.Duration(lostShare*float64(used))
}

// report reports the counts since it was called last.
func (q *quietCore) report(sink Sink) error {
	if q.counts.Samples == 0 {
		return nil
	}
	counts := q.counts
	q.counts = results.Reruns{}
	return sink.Reruns(counts)
}
