package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

const (
	hopelessRatio = 2.5                   // times what the best costs at most: it drops out
	tailRatio     = 10                    // the same where ticks have a limit, which only a slow one may keep
	abandonRatio  = 4                     // times the fastest, in a later piece
	leastLimit    = 50 * time.Millisecond // below it nothing is abandoned: a disturbance can be as long
	fillRatio     = 5                     // times the shortest filling: it is abandoned
	probeEnd      = 0.5                   // of the budget, after which no probe begins
	probeTries    = 3                     // of a probe that is disturbed
	collectEvery  = 4                     // probes
)

// probe runs every candidate on the first piece of the stream. What it costs there is a lower
// bound of its cost, as some of its wheels may not advance. A migration costs at most what all
// else in a life does, which makes an upper bound. A candidate whose lower bound is far above
// the least upper bound drops out.
func (s *race) probe(ctx context.Context) error {
	fill := filling{s.stream.Fill(), s.stream.Steady(), nil}
	piece := s.stream.Next(s.Workload.ticksFor(s.part()*pieceLives, probeTicks))
	ratio := hopelessRatio
	if s.Limits.Tail > 0 {
		ratio = tailRatio
	}
	least, bound := math.Inf(1), s.Budget/2
	s.filling = s.Budget / fillRatio
	for i, c := range s.all {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.progress(i*30/len(s.all), 100, fmt.Sprintf("probe of %v", c.Subject))
		if least < math.Inf(1) && s.past(probeEnd) {
			c.Dropped, c.NoTime = "there was no time to probe it", true
			continue
		}
		if i%collectEvery == 0 {
			runtime.GC() // which gives back the memory of candidates
		}
		limit := bound
		if !s.timed() || s.keeps(c) {
			limit = math.MaxInt64
		}
		if err := s.probeOne(ctx, c, &fill, piece, limit); err != nil {
			s.drop(c, err)
			continue
		}
		unseen := s.Workload.unseen(c.Subject, piece.Ticks)
		c.expected = c.probe * (1 + unseen/2)
		if most := c.probe * (1 + unseen); most < least {
			least = most
			bound = max(leastLimit, time.Duration(ratio*(1+unseen)*c.pace*float64(piece.Ticks)))
		}
	}
	s.enqueue(ratio * least)
	return nil
}

// enqueue makes the queue of those whose probes cost at most this.
func (s *race) enqueue(most float64) {
	for _, c := range s.all {
		switch {
		case c.Dropped != "":
		case c.probe > most && !s.keeps(c):
			c.Dropped = fmt.Sprintf("%s per timer in its probe", results.FormatNanos(c.probe))
		default:
			s.queue = append(s.queue, c)
		}
	}
	slices.SortStableFunc(s.queue, func(a, b *Result) int { return cmp.Compare(a.expected, b.expected) })
}

// probeOne measures a candidate on a piece, again if a neighbour disturbs it.
func (s *race) probeOne(
	ctx context.Context, c *Result, fill *filling, piece *workload.Trace, limit time.Duration,
) (err error) {
	for range probeTries {
		fillLimit := max(fillRatio*s.filling, leastLimit)
		if limit == math.MaxInt64 {
			fillLimit = limit
		}
		began := time.Now()
		if err := s.fill(c, fill.of(c.Info), fillLimit, s.Limits.Memory > 0); err != nil {
			return err
		}
		s.filling = min(s.filling, time.Since(began))
		counts, err := s.drive(ctx, c, piece, comparing, limit)
		if err != nil {
			return err
		}
		c.probe, c.drive = c.lives[0], nil
		c.lives, c.counted, c.done = nil, 0, schemes.Counts{}
		if counts {
			break
		}
	}
	return nil
}

// fill makes a candidate's scheme and starts all timers. It may weigh it, which takes two garbage
// collections.
func (s *race) fill(c *Result, t *workload.Trace, limit time.Duration, weigh bool) error {
	before := 0
	if weigh {
		before = run.LiveHeap()
	}
	cfg := c.Config(s.Workload.N)
	cfg.Now = t.From
	scheme, err := c.Info.New(cfg)
	if err != nil {
		return err
	}
	c.drive = run.NewDrive(scheme, t)
	if err := c.drive.RunWithin(t.From, limit); err != nil {
		return err
	}
	if weigh {
		c.heap = run.LiveHeap() - before - run.HandleBytes*t.Timers
	}
	return c.weigh(s.Limits.Memory)
}

// filling makes the starts that bring schemes to a tick of the stream.
type filling struct {
	base, steady *workload.Trace
	sorted       map[bool]*workload.Trace // by deadline, ascending or not
}

// of returns the starts in an order in which the scheme takes them at little cost: it need not
// search an ordered list that is filled from the side of its head.
func (f *filling) of(info *schemes.Info) *workload.Trace {
	if !info.Sorted {
		return f.steady
	}
	up := compares(info, 1) < compares(info, -1)
	if f.sorted == nil {
		f.sorted = map[bool]*workload.Trace{}
	}
	if f.sorted[up] == nil {
		t := *f.base
		t.Ops = slices.SortedStableFunc(slices.Values(t.Ops), func(a, b workload.Op) int {
			if !up {
				a, b = b, a
			}
			return cmp.Compare(a.Interval, b.Interval)
		})
		f.sorted[up] = &t
	}
	return f.sorted[up]
}

// compares returns the compares of some starts with intervals that increase by step.
func compares(info *schemes.Info, step int) uint64 {
	s, ok := specimen(info).(interface {
		schemes.Scheme
		schemes.Counter
	})
	if !ok {
		return 0
	}
	for k := range 16 {
		_, _ = s.Start(schemes.Tick(100+step*k), schemes.ID(k)) // a refused one is not compared
	}
	return s.Counts().Compares
}

// errMemory means that a candidate holds more than the limit.
var errMemory = errors.New("too large")

// drop ends the race for a candidate.
func (s *race) drop(c *Result, why error) {
	c.Dropped, c.drive = why.Error(), nil
	if c.wrong {
		s.failed = append(s.failed, Rejected{c.Subject, c.Dropped})
	}
}
