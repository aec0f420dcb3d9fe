package pick

import (
	"context"
	"time"

	"timerlab/harness/run"
)

// quietCore waits for neighbours on the core, and recognizes what they disturbed, until it has
// lost the time that it may. Whether a run counts does not depend on how long it took.
type quietCore struct {
	busy      func() bool   // whether a neighbour computes
	slack     time.Duration // that may be lost
	lost      time.Duration // by waiting for neighbours and by disturbed runs
	disturbed int
}

func newQuietCore(slack time.Duration) *quietCore {
	return &quietCore{busy: new(run.Neighbour).Busy, slack: slack}
}

const neighbourPause = 20 * time.Millisecond // a neighbour computes for 0.1 s to some seconds

// time calls piece when no neighbour computes, and returns the CPU time that it took and whether that
// counts.
func (q *quietCore) time(ctx context.Context, piece func()) (took time.Duration, counts bool) {
	for q.watches(ctx) && q.busy() {
		time.Sleep(neighbourPause)
		q.lost += neighbourPause
	}
	began := run.CPUTime()
	piece()
	took = run.CPUTime() - began
	if q.watches(ctx) && q.busy() {
		q.lost += took
		q.disturbed++
		return took, false
	}
	return took, true
}

func (q *quietCore) watches(ctx context.Context) bool { return q.lost < q.slack && ctx.Err() == nil }
