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
	runParts      = 64                     // of a run, after each of which it may be abandoned
	firstCompared = 32                     // part from which on a run is compared with the shortest
	abandonRatio  = 3                      // times the shortest run: abandoned
	minRunTime    = 200 * time.Millisecond // below it a run is not abandoned: a disturbance can be as long
)

var (
	errAbandoned = errors.New("abandoned")
	errMemory    = errors.New("too large")
)

// drive takes a candidate through the trace, and returns the ns of a life. With ticks it times
// each PerTick instead.
func (s *raceState) drive(c *Result, ticks *run.Latencies) (ns float64, err error) {
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
	began := time.Now()
	if err := s.driveParts(c, d, ticks, began); err != nil {
		return 0, err
	}
	took := time.Since(began)
	lives := float64(s.Trace.Lifetimes())
	counts := d.Counts().Sub(before)
	c.PerTimer = PerTimer{
		float64(counts.Compares) / lives, float64(counts.Visits) / lives, float64(counts.Migrations) / lives,
	}
	return float64(took.Nanoseconds()) / lives, d.Verify()
}

// driveParts takes the drive to the trace's end, unless another candidate was far faster up to
// the same tick. The comparison begins in the middle and the margin is wide, because wheels do
// not migrate evenly: one of 64 slots has migrated by then, one of 256 may have all of it
// before it.
func (s *raceState) driveParts(c *Result, d *run.Drive, ticks *run.Latencies, began time.Time) error {
	var watch run.Watch
	if ticks != nil {
		watch = ticks
	}
	var pace [runParts]time.Duration
	shortest, ratio := s.pace, s.abandonRatio(c)
	for k := range runParts {
		if err := d.RunTo(s.Trace.Ticks*schemes.Tick(k+1)/runParts, watch); err != nil {
			return err
		}
		pace[k] = time.Since(began)
		compared := shortest[k]
		if k < firstCompared {
			compared = shortest[runParts-1]
		}
		percent := 100 * (k + 1) / runParts
		if compared > 0 && float64(pace[k]) > max(ratio*float64(compared), float64(minRunTime)) {
			return fmt.Errorf("%w after %d %% of a run: %.2g times the time of the best",
				errAbandoned, percent, float64(pace[k])/float64(compared))
		}
		if pace[k] > s.Budget/2 {
			s.tooShort = true
			return fmt.Errorf("%w after %d %% of a run and half of the budget, %v", errAbandoned, percent, s.Budget)
		}
	}
	if last := shortest[runParts-1]; last == 0 || pace[runParts-1] < last {
		s.pace = pace
	}
	return nil
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

// qualify times every tick of all candidates. These runs do not set the pace of the race: the
// fastest may break the limit.
func (s *raceState) qualify(ctx context.Context) error {
	defer func() { s.pace = [runParts]time.Duration{} }()
	return s.timeTicks(ctx, len(s.all))
}

// timeTicks times every PerTick of the first candidates, once, and drops those that exceed the
// limit. If there is a limit, those for which there is no time drop out too.
func (s *raceState) timeTicks(ctx context.Context, most int) error {
	at := s.racing()
	for _, i := range at[:min(len(at), most)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, limit := &s.all[i], s.Limits.Tail
		if c.Worst > 0 {
			continue
		}
		if limit > 0 && s.pace[runParts-1] > 0 && time.Since(s.began) > s.Budget/2 {
			c.Dropped, c.NoTime = "there was no time to time its ticks", true
			continue
		}
		s.report(fmt.Sprintf("every tick of %v", c.Subject))
		var l *run.Latencies
		err := s.quiet.run(ctx, func() (err error) {
			l = run.NewLatencies()
			_, err = s.drive(c, l)
			return err
		})
		if err != nil {
			s.dropFailed(c, err)
			continue
		}
		if c.P50, c.P999, c.Worst = l.At(50), l.At(99.9), l.Worst(); limit > 0 && c.P999 > limit {
			c.Dropped = fmt.Sprintf("p99.9 of its ticks is %v, the limit is %v", c.P999, limit)
		}
	}
	return nil
}
