package pick

import (
	"context"
	"errors"
	"time"

	"timerlab/harness/run"
)

// quiet makes runs while no neighbour computes on the same core, as far as that can be had:
// it waits for that, and makes a run again that a neighbour was seen beside, until that has
// taken the time to spare. Whether a run counts does not depend on what it took.
type quiet struct {
	busy  func() bool   // a neighbour computes
	spare time.Duration // that may be lost: waited for a neighbour, or taken by runs beside it
	lost  time.Duration
	again int // runs that were made again
}

func newQuiet(spare time.Duration) *quiet {
	return &quiet{busy: new(run.Neighbour).Busy, spare: spare}
}

const pause = 20 * time.Millisecond // a neighbour computes for a tenth of a second to some seconds

// run makes a run. One that was given up beside a neighbour is made again, too; one that
// failed is not.
func (q *quiet) run(ctx context.Context, run func() error) error {
	for {
		for q.watches(ctx) && q.busy() {
			time.Sleep(pause)
			q.lost += pause
		}
		began := time.Now()
		err := run()
		if err != nil && !errors.Is(err, errHopeless) || !q.watches(ctx) || !q.busy() {
			return err
		}
		q.lost += time.Since(began)
		q.again++
	}
}

func (q *quiet) watches(ctx context.Context) bool { return q.lost < q.spare && ctx.Err() == nil }
