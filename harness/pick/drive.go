package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

const (
	runParts     = 64                     // of a run, after each of which it may be abandoned
	abandonRatio = 3                      // times the shortest run: abandoned
	minRunTime   = 200 * time.Millisecond // below it a run is not abandoned: a disturbance can be as long
)

var (
	errAbandoned = errors.New("abandoned")
	errMemory    = errors.New("too large")
)

// runOnce takes a candidate through the trace and returns the ns of a life; 0: the run did not
// end. A candidate whose run has failed drops out, as does one whose first run was abandoned.
// Later runs are abandoned only if they were disturbed, and are skipped.
func (s *raceState) runOnce(ctx context.Context, c *Result, timed bool) (ns float64) {
	label := fmt.Sprintf("round %d, %v", s.rounds+1, c.Subject)
	if timed {
		label = fmt.Sprintf("every tick of %v", c.Subject)
	}
	s.progress(int(min(100*time.Since(s.began)/s.length(), 99)), 100, label)
	err := s.quiet.run(ctx, func() (err error) {
		began := time.Now()
		ns, err = s.drive(c, timed)
		c.runTime = time.Since(began)
		return err
	})
	abandoned := errors.Is(err, errAbandoned)
	if err == nil || abandoned && c.ran() {
		return ns
	}
	c.Dropped = err.Error()
	if !abandoned && !errors.Is(err, errMemory) {
		s.failed = append(s.failed, Rejected{c.Subject, c.Dropped})
	}
	return 0
}

// drive takes a candidate through the trace, and returns the ns of a life; 0: an error. It may
// time each PerTick, which makes the life longer.
func (s *raceState) drive(c *Result, timed bool) (ns float64, err error) {
	d, bytes, err := run.NewFilled(c.Subject, s.Trace, s.Trace.Timers)
	if err != nil {
		return 0, err
	}
	c.Bytes = cmp.Or(c.Bytes, int64(bytes))
	if limit := s.Limits.Memory; limit > 0 && c.Bytes > limit { // its time is not compared
		return 0, fmt.Errorf("%w: it holds %s, the limit is %s",
			errMemory, results.FormatBytes(float64(c.Bytes)), results.FormatBytes(float64(limit)))
	}
	before := d.Counts()
	if err := d.RunTo(0, nil); err != nil { // what starts before the first tick is not part of the run
		return 0, err
	}
	var watch run.Watch
	ticks := run.NewLatencies()
	if timed {
		watch = ticks
	}
	took, err := s.driveParts(c, d, watch)
	if err == nil {
		err = d.Verify()
	}
	if err != nil {
		return 0, err
	}
	if timed {
		c.P50, c.P999, c.Worst = ticks.At(50), ticks.At(99.9), ticks.Worst()
	}
	lives, counts := float64(s.Trace.Lifetimes()), d.Counts().Sub(before)
	c.PerTimer = PerTimer{
		float64(counts.Compares) / lives, float64(counts.Visits) / lives, float64(counts.Migrations) / lives,
	}
	return float64(took.Nanoseconds()) / lives, nil
}

// driveParts takes the drive to the trace's end, unless it takes far longer than the shortest
// run. The margin is wide: a run may have been disturbed.
func (s *raceState) driveParts(c *Result, d *run.Drive, watch run.Watch) (took time.Duration, err error) {
	began, ratio := time.Now(), s.abandonRatio(c)
	for k := range schemes.Tick(runParts) {
		if err := d.RunTo(s.Trace.Ticks*(k+1)/runParts, watch); err != nil {
			return 0, err
		}
		took = time.Since(began)
		percent := 100 * (k + 1) / runParts
		if s.shortest > 0 && float64(took) > max(ratio*float64(s.shortest), float64(minRunTime)) {
			return 0, fmt.Errorf("%w after %d %% of a run: %.2g times the time of the best",
				errAbandoned, percent, float64(took)/float64(s.shortest))
		}
		if took > s.Budget/2 {
			s.tooShort = true
			return 0, fmt.Errorf("%w after %d %% of a run and half of the budget, %v", errAbandoned, percent, s.Budget)
		}
	}
	if s.shortest == 0 || took < s.shortest {
		s.shortest = took
	}
	return took, nil
}

// abandonRatio is the multiple of the shortest run at which a run of the candidate is
// abandoned: more until its ticks are timed against a limit, which only a slow one may keep.
func (s *raceState) abandonRatio(c *Result) float64 {
	switch {
	case slices.Contains(s.Keep, c.Subject.String()):
		return math.Inf(1)
	case s.Limits.Tail > 0 && c.Worst == 0:
		return tailRatio
	}
	return abandonRatio
}

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
