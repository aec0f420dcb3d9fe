package pick

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// mode is what a piece is run for.
type mode int

const (
	probing   mode = iota // a first cost
	warming               // the steady state
	comparing             // costs
	ticking               // the times of single ticks
)

// piece takes all candidates that run through the next ticks of the stream, in shuffled order.
func (s *race) piece(ctx context.Context, m mode, ticks schemes.Tick) error {
	runtime.GC() // of the last piece
	in, trace := s.alive(), s.stream.Next(ticks)
	for _, k := range run.Order(s.Seed, s.pieces, make([]int, len(in))) {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := in[k]
		doing := [...]string{warming: "steady state of", comparing: "rounds of", ticking: "every tick of"}[m]
		done := int(100 * time.Since(s.begun) / max(s.Budget, 1))
		s.progress(min(max(done, 30), 99), 100, fmt.Sprintf("%s %v", doing, c.Subject))
		if _, err := s.drive(ctx, c, trace, m, s.limit(in, c, ticks)); err != nil {
			s.drop(c, err)
		}
	}
	s.pieces++
	if m == comparing {
		s.rounds++
	}
	return nil
}

// drive takes a candidate through a piece, and reports whether nothing disturbed it. Rounds in
// which something did have a cost of 0.
func (s *race) drive(
	ctx context.Context, c *Result, t *workload.Trace, m mode, limit time.Duration,
) (counts bool, err error) {
	weigh := m == warming || m != probing && s.Limits.Memory > 0
	heap, before := 0, c.drive.Counts()
	if weigh {
		heap = run.LiveHeap()
	}
	if err := c.drive.Continue(t); err != nil {
		return false, err
	}
	s.driven++
	_, took, disturbed := s.quiet.Time(ctx, func() {
		if m == ticking {
			err = c.drive.RunTo(t.Ticks, c.times, nil)
		} else {
			err = c.drive.RunTo(t.Ticks, nil, run.Within(limit))
		}
	})
	// How many disturbed runs do not count depends on the number of runs, not on how long they took: else the
	// longest, which are those that were disturbed most, would count.
	if counts = !disturbed || s.disturbed >= firstLost+s.driven/lostPart; !counts {
		s.disturbed++
	}
	if errors.Is(err, run.ErrTime) {
		return counts, fmt.Errorf("%w: %d ticks took more than %v", run.ErrTime, t.Ticks-t.From, limit)
	}
	if err == nil {
		err = c.drive.Verify()
	}
	if err != nil {
		c.wrong = true
		return counts, err
	}
	if weigh {
		c.heap += run.LiveHeap() - heap
	}
	if m == probing || m == comparing {
		s.note(c, float64(t.Ticks-t.From), took, counts || m == probing, c.drive.Counts().Sub(before))
	}
	return counts, s.weigh(c)
}

// note notes what a piece cost.
func (s *race) note(c *Result, ticks float64, took time.Duration, counts bool, done schemes.Counts) {
	c.pace = float64(took) / ticks
	cost, lives := float64(took), ticks*s.Workload.Rate
	if !s.timed() {
		cost = s.Cost(done)
	} else if !counts {
		cost = 0
	}
	for len(c.lives) < s.rounds { // it entered later
		c.lives = append(c.lives, 0)
	}
	c.lives = append(c.lives, cost/lives)
	c.done, c.counted = c.done.Add(done), c.counted+lives
}

// weigh notes the bytes that a candidate holds now, and returns an error if they exceed the limit.
func (s *race) weigh(c *Result) error {
	c.Bytes = max(c.Bytes, int64(c.heap+c.drive.OffHeap()))
	if limit := s.Limits.Memory; limit > 0 && c.Bytes > limit && !s.keeps(c) { // its time is not compared
		return fmt.Errorf("%w: it holds %s, the limit is %s",
			errMemory, results.FormatBytes(float64(c.Bytes)), results.FormatBytes(float64(limit)))
	}
	return nil
}

// timeTicks times every PerTick of all candidates that run, if there is time for enough ticks, and
// drops those that are not known to keep the limit.
func (s *race) timeTicks(ctx context.Context) error {
	in, limit := s.alive(), s.Limits.Tail
	for _, c := range in {
		if c.times == nil {
			c.times = run.NewLatencies()
		}
	}
	ticks := min(s.ticks, wantedTicks)
	for ran := schemes.Tick(0); ran < wantedTicks; ran += ticks {
		if s.timeOf(in, float64(max(ticks, enoughTicks-min(ran, enoughTicks)))) > 0.5*float64(s.left()) {
			break
		}
		if err := s.piece(ctx, ticking, ticks); err != nil {
			return err
		}
	}
	for _, c := range in {
		if c.drive == nil {
			continue
		}
		c.Ticks = c.tickTimes()
		switch t := c.Ticks; {
		case limit == 0:
		case t.Count == 0:
			s.drop(c, fmt.Errorf("there was no time for the %d ticks that p99.9 needs", enoughTicks))
			c.NoTime = true
		case t.Low > limit:
			s.drop(c, fmt.Errorf("p99.9 of its ticks is %v or more, the limit is %v", t.Low, limit))
		case t.High > limit:
			s.drop(c, fmt.Errorf("p99.9 of its ticks is between %v and %v, the limit is %v", t.Low, t.High, limit))
		}
	}
	if len(s.alive()) == 0 && len(in) > 0 && in[0].NoTime {
		s.needs = time.Since(s.begun) + time.Duration(2*s.timeOf(in[:1], enoughTicks))
	}
	return nil
}
