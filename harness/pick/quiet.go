package pick

import (
	"context"
	"errors"
	"time"

	"timerlab/harness/run"
)

// quietCore makes runs while no neighbour computes on the same core. It waits for that, and
// repeats a run that a neighbour disturbed, until it has lost the time that it may. Whether a
// run counts does not depend on how long it took.
type quietCore struct {
	busy   func() bool   // whether a neighbour computes
	slack  time.Duration // that may be lost
	lost   time.Duration // by waiting for neighbours and by disturbed runs
	reruns int
}

func newQuietCore(slack time.Duration) *quietCore {
	return &quietCore{busy: new(run.Neighbour).Busy, slack: slack}
}

const neighbourPause = 20 * time.Millisecond // a neighbour computes for 0.1 s to some seconds

// run makes a run, and repeats it if it was disturbed, also if it was abandoned. One that
// failed is not repeated.
func (q *quietCore) run(ctx context.Context, run func() error) error {
	for {
		for q.watches(ctx) && q.busy() {
			time.Sleep(neighbourPause)
			q.lost += neighbourPause
		}
		began := time.Now()
		err := run()
		if err != nil && !errors.Is(err, errAbandoned) || !q.watches(ctx) || !q.busy() {
			return err
		}
		q.lost += time.Since(began)
		q.reruns++
	}
}

func (q *quietCore) watches(ctx context.Context) bool { return q.lost < q.slack && ctx.Err() == nil }
