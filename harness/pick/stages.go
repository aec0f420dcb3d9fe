package pick

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"timerlab/harness/run"
	"timerlab/schemes"
)

// admit takes the best candidates off the queue, fills them and runs each for at least warm ticks. It
// returns false if no candidate is left that may be faster than the best so far, or no time.
func (s *race) admit(warm schemes.Tick) bool {
	in := s.alive()
	s.queue = slices.DeleteFunc(s.queue, func(c *Result) bool {
		hopeless := len(in) > 0 && c.probe > in[0].cost() && !s.keeps(c)
		if hopeless {
			c.Dropped = fmt.Sprintf("%.2f times the best, in its probe", c.probe/in[0].cost())
		}
		return hopeless
	})
	if len(in) > 0 && s.past(batchEnd) {
		for _, c := range s.queue {
			c.Dropped, c.NoTime = "there was no time for more than its probe", true
		}
		return false
	}
	batch := s.batch(in, &warm)
	fill := filling{s.stream.Fill(), s.stream.Steady(), nil}
	for _, c := range batch {
		c.since, c.warm = s.stream.Now(), s.stream.Now()+warm
		err := s.fill(c, fill.of(c.Info), s.Budget, true)
		if err != nil {
			s.drop(c, err)
		}
	}
	return len(batch) > 0
}

// batch takes the next candidates from the queue: as many as there is time for, in which case
// they may have to run for fewer ticks.
func (s *race) batch(in []*Result, warm *schemes.Tick) []*Result {
	n, room := 0, max(2, batchSize-len(in))
	most := batchShare * float64(s.left()) / s.stretch()
	cost := 100 * s.Workload.Rate // ns a tick, to make the stream
	for _, c := range in {
		cost += c.pace
	}
	ticks := float64(*warm) + float64(len(trialRatios))*float64(s.ticks)
	for n < min(room, len(s.queue)) {
		if more := cost + s.queue[n].pace; s.timed() && n >= finalists && more*ticks > most {
			break
		}
		cost += s.queue[n].pace
		n++
	}
	if s.timed() && n > 0 && cost*ticks > most {
		s.hurried = true
		*warm = schemes.Tick(max(0, most/cost-float64(len(trialRatios))*float64(s.ticks)))
	}
	batch := slices.Clone(s.queue[:n])
	s.queue = s.queue[n:]
	return batch
}

// trial lets all candidates run for some rounds when they are in the steady state, and keeps
// the best.
func (s *race) trial(ctx context.Context) error {
	s.restart()
	if err := s.warmUp(ctx); err != nil {
		return err
	}
	if s.Limits.Tail > 0 {
		if err := s.timeTicks(ctx); err != nil {
			return err
		}
	}
	for _, most := range trialRatios {
		if err := s.piece(ctx, comparing, s.ticks); err != nil {
			return err
		}
		in := s.alive()
		for place, c := range in {
			ratio := median(ratios(c.lives, in[0].lives))
			last := s.rounds == len(trialRatios)
			switch {
			case s.keeps(c):
			case ratio > most:
				s.drop(c, fmt.Errorf("%.2f times the best", ratio))
			case last && place >= finalists && !s.Thorough:
				s.drop(c, fmt.Errorf("%.2f times the best, not among the first %d", ratio, finalists))
			}
		}
	}
	return nil
}

// restart forgets the rounds so far: what chose the candidates does not judge them.
func (s *race) restart() {
	s.rounds = 0
	for _, c := range s.all {
		if c.drive != nil {
			c.lives, c.counted, c.done = nil, 0, schemes.Counts{}
		}
	}
}

// warmUp lets the candidates run until all of them are in the steady state.
func (s *race) warmUp(ctx context.Context) error {
	until := schemes.Tick(0)
	for _, c := range s.alive() {
		until = max(until, c.warm)
	}
	for s.stream.Now() < until {
		if s.past(warmEnd) {
			s.hurried = true
			return nil
		}
		if err := s.piece(ctx, warming, min(s.ticks, until-s.stream.Now())); err != nil {
			return err
		}
	}
	return nil
}

// final compares the finalists until further rounds would not change the outcome.
func (s *race) final(ctx context.Context, forTicks schemes.Tick) error {
	in := s.fitting(s.alive())
	if len(in) == 0 {
		return nil
	}
	until := schemes.Tick(0)
	for _, c := range in {
		c.warm = c.since + forTicks
		until = max(until, c.warm)
	}
	wait := float64(until - min(until, s.stream.Now()))
	steady := !s.timed() || s.Thorough || s.timeOf(in, wait) < 0.3*float64(s.left())
	if steady {
		if err := s.warmUp(ctx); err != nil {
			return err
		}
	}
	s.restart()
	for !s.converged(in) {
		round := time.Duration(s.timeOf(in, float64(s.ticks)))
		if s.timed() && !s.Thorough && s.left() < round {
			if s.rounds < leastRounds {
				s.needs = time.Since(s.begun) + time.Duration(leastRounds-s.rounds)*round
			}
			break
		}
		if err := s.piece(ctx, comparing, s.ticks); err != nil {
			return err
		}
	}
	if s.Limits.Tail > 0 || s.Thorough || !s.timed() || !steady {
		return nil
	}
	return s.timeTicks(ctx)
}

// fitting drops the slower candidates if there is no time for enough rounds of all.
func (s *race) fitting(in []*Result) []*Result {
	for n := len(in); n > 2 && s.timed() && !s.Thorough; n-- {
		if s.timeOf(in[:n], (leastRounds+2)*float64(s.ticks)) < 0.6*float64(s.left()) {
			break
		}
		s.drop(in[n-1], errors.New("there was time for more rounds of the first only"))
		in[n-1].NoTime, in = true, in[:n-1]
	}
	return in
}

// timeOf returns the ns that these candidates and the stream need for some ticks.
func (s *race) timeOf(in []*Result, ticks float64) float64 {
	cost := 100 * s.Workload.Rate
	for _, c := range in {
		cost += c.pace
	}
	return cost * ticks * s.stretch()
}

// stretch returns how long a CPU second takes, which is longer where other load has a share of the
// processors.
func (s *race) stretch() float64 {
	return max(1, float64(time.Since(s.begun))/float64(max(run.CPUTime()-s.cpu, 1)))
}

// converged reports whether further rounds would not change the outcome: there are twice as many
// as an interval needs, and no other candidate may be clearly faster than the best.
func (s *race) converged(in []*Result) bool {
	least, most := 2*leastRounds, 6*leastRounds
	if !s.timed() {
		least, most = leastRounds, leastRounds
	} else if s.Thorough {
		least, most = 4*leastRounds, 4*leastRounds
	}
	if in = s.alive(); len(in) == 0 || s.rounds >= most {
		return true
	}
	return s.rounds >= least && !slices.ContainsFunc(in, func(c *Result) bool {
		return summarize(ratios(c.lives, in[0].lives)).Lo < 1-worthSaving
	})
}
