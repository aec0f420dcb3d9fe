package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// withinLimits returns the first candidates that keep the limits, as many as race.
func (s *race) withinLimits(ctx context.Context, queue []*candidate) (kept []*candidate, err error) {
	_, warm := s.Workload.warmUps()
	timed := s.Workload.ticksFor(pieceLives, copyTicks)
	if s.Limits.Tail > 0 {
		if lives := s.Workload.Rate * enoughTicks; lives > tailLives {
			return nil, workload.Invalid("the p99.9 of ticks needs %d ticks, in which %.3g timers start (at most %d: use a shorter tick)",
				enoughTicks, lives, tailLives)
		}
		timed = max(timed, enoughTicks)
	}
	on, err := s.newCourse(s.Workload.N, s.affordableWarmUp(s.Workload, queue[:min(len(queue), entrants)], warm), timed, 1)
	if err != nil {
		return nil, err
	}
	for _, c := range queue {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(kept) == entrants || s.over(0) || len(kept) > 0 && s.over(s.Budget/2) {
			break
		}
		if len(kept) == entrants-1 && !c.Exact() && !slices.ContainsFunc(kept, (*candidate).Exact) {
			continue // the last place is for an exact one
		}
		s.report("limits of " + c.String())
		err := s.tick(c, on, true)
		if t, limit := c.Ticks, s.Limits.Tail; err == nil && limit > 0 && t.High > limit { // or it may be
			err = fmt.Errorf("p99.9 of its ticks is between %v and %v, the limit is %v", t.Low, t.High, limit)
		}
		if err != nil {
			s.drop(c, err)
			continue
		}
		kept = append(kept, c)
	}
	return kept, nil
}

// tick fills a candidate and times every tick of a segment. It returns an error that ends the race for it.
func (s *race) tick(c *candidate, on *course, weigh bool) error {
	defer c.release()
	err := s.fill(c, on, s.Budget/4, weigh)
	if err == nil {
		err = c.drive.Continue(on.segments[0])
	}
	if err != nil {
		return err
	}
	times := run.NewLatencies()
	if err := errors.Join(c.drive.RunTo(on.segments[0].Ticks, times, nil), c.drive.Verify()); err != nil {
		return fmt.Errorf("%w: %w", errWrong, err)
	}
	if n := times.Count(); n >= enoughTicks {
		off := 100 * 1.96 * math.Sqrt(0.999*0.001/float64(n)) // the binomial interval of the p99.9
		c.Ticks = TickTimes{n, times.At(50), times.At(99.9), times.At(99.9 - off), times.At(99.9 + off)}
	}
	return s.weigh(c, weigh)
}

const (
	enoughTicks = 10_000     // for the percentile 99.9
	tickLives   = 3_000_000  // at most, while single ticks are timed: to make their operations takes longer than to run them
	tailLives   = 20_000_000 // the same where a tick's time has a limit: operations take 1 GB
)

// timeTicks times single ticks of those that raced, the best first, as long as there is time.
func (s *race) timeTicks(ctx context.Context, in []*candidate) error {
	life := 0.
	for _, c := range in {
		life = max(life, c.Predicted)
	}
	_, warm := s.Workload.warmUps()
	each := time.Duration(life * (float64(s.Workload.N) + s.Workload.Rate*float64(warm+enoughTicks)))
	few := s.Workload.Rate*float64(warm+enoughTicks) <= tickLives
	if s.Workload.NoPhase || s.Workload.Step > 1 || s.Cost != nil || !few || s.passed()+each > s.Budget {
		return nil
	}
	on, err := s.newCourse(s.Workload.N, warm, enoughTicks, 1)
	if err != nil {
		return err
	}
	slices.SortStableFunc(in, func(a, b *candidate) int { return cmp.Compare(a.mean(), b.mean()) })
	for _, c := range in {
		if c.Dropped != "" || s.passed()+each > s.Budget {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.tick(c, on, false); errors.Is(err, errWrong) {
			s.drop(c, err)
		}
	}
	return nil
}
