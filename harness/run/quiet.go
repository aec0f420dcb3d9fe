package run

import (
	"context"
	"time"

	"timerlab/harness/results"
)

// quietCore makes samples while nothing else computes on the core, as far as the time suffices
// that may be lost by that. Whether a sample counts does not depend on how long it took.
type quietCore struct {
	busy   func() bool // whether a neighbour computes
	began  time.Duration
	lost   time.Duration  // by waiting for neighbours and by disturbed samples
	counts results.Reruns // since they were taken
}

const (
	lostShare  = 0.2                    // of the time used, that may be lost: a neighbour that stays costs a fifth
	firstSlack = 200 * time.Millisecond // that may be lost at the beginning
	mostReruns = 2                      // of a sample
	busyPause  = 20 * time.Millisecond
)

func newQuietCore(busy func() bool) *quietCore {
	if busy == nil {
		busy = new(Neighbour).Busy
	}
	return &quietCore{busy: busy, began: read()}
}

// sample makes a sample, and makes it again while a neighbour disturbs it.
func (q *quietCore) sample(ctx context.Context, r plannedRun) (rows []results.Result, err error) {
	q.counts.Samples++
	for tries := 0; ; tries++ {
		disturbed := q.wait(ctx)
		began := read()
		rows, err = r.Sample(ctx, r.round)
		if err != nil {
			return rows, err
		}
		took := read() - began
		if disturbed = q.busy() || disturbed; !disturbed {
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
