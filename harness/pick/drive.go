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

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// pieceKind is what a piece is run for.
type pieceKind int

const (
	probing   pieceKind = iota // a first cost
	warming                    // the steady state
	comparing                  // costs
	ticking                    // the times of single ticks
)

// piece takes all candidates that run through the next ticks of the stream, in shuffled order.
func (s *race) piece(ctx context.Context, kind pieceKind, ticks schemes.Tick) error {
	runtime.GC() // of the last piece
	in := s.alive()
	trace, err := s.next(ticks)
	if err != nil {
		return err
	}
	for _, k := range run.Order(s.Seed, s.pieces, make([]int, len(in))) {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := in[k]
		doing := [...]string{warming: "steady state of", comparing: "rounds of", ticking: "every tick of"}[kind]
		done := int(100 * s.passed() / max(s.Budget, 1))
		s.progress(min(max(done, 30), 99), 100, fmt.Sprintf("%s %v", doing, c.Subject))
		if _, err := s.drive(ctx, c, trace, kind, s.limit(in, c, ticks)); err != nil {
			s.drop(c, err)
		}
	}
	s.pieces++
	if kind == comparing {
		s.rounds++
	}
	return nil
}

// drive takes a candidate through a piece, and reports whether nothing disturbed it. Rounds in
// which something did have a cost of 0.
func (s *race) drive(
	ctx context.Context, c *candidate, t *workload.Trace, kind pieceKind, limit time.Duration,
) (counts bool, err error) {
	weigh := kind == warming || kind != probing && s.Limits.Memory > 0
	heap, before := 0, c.drive.Counts()
	if weigh {
		heap = run.LiveHeap()
	}
	if err := c.drive.Continue(t); err != nil {
		return false, err
	}
	s.driven++
	took, disturbed := s.quiet.Time(ctx, func() {
		if kind == ticking {
			err = c.drive.RunTo(t.Ticks, c.times, nil)
		} else {
			err = c.drive.RunTo(t.Ticks, nil, s.clocks.Within(limit))
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
	if kind == probing || kind == comparing {
		ticks, done, nanos := float64(t.Ticks-t.From), c.drive.Counts().Sub(before), float64(took)
		if s.Cost != nil {
			nanos = s.Cost(done)
		}
		// Where ticks are many and nearly all empty, the race's own loop would make all candidates alike. Without what any
		// program takes to call PerTick, the ratio of what is left would be noise.
		cost, lives := max(nanos-s.loop*ticks, 0)+callNanos*ticks, ticks*s.Workload.Rate
		if !counts && kind == comparing {
			cost = 0
		}
		for len(c.roundNanos) < s.rounds { // it entered later
			c.roundNanos = append(c.roundNanos, 0)
		}
		c.roundNanos = append(c.roundNanos, cost/lives)
		c.pace, c.done, c.counted = nanos/ticks, c.done.Add(done), c.counted+lives
	}
	return counts, s.weigh(c)
}

// weigh notes the bytes that a candidate holds now, and returns an error if they exceed the limit.
func (s *race) weigh(c *candidate) error {
	c.Bytes = max(c.Bytes, int64(c.heap+c.drive.OffHeap()))
	if limit := s.Limits.Memory; limit > 0 && c.Bytes > limit && s.Depth != Duel { // its time is not compared
		return fmt.Errorf("too large: it holds %s, the limit is %s",
			units.FormatBytes(float64(c.Bytes)), units.FormatBytes(float64(limit)))
	}
	return nil
}

// timeTicks times every PerTick of all candidates that run, if there is time for enough ticks, and
// drops candidates that are not known to keep the limit.
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
		if n := c.times.Count(); n >= enoughTicks { // with a binomial interval
			off, at := 100*1.96*math.Sqrt(0.999*0.001/float64(n)), c.times.At
			c.Ticks = TickTimes{n, at(50), at(99.9), at(99.9 - off), at(99.9 + off)}
		}
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
		s.needs = s.passed() + time.Duration(2*s.timeOf(in[:1], enoughTicks))
	}
	return nil
}

const (
	callNanos     = 1                     // of a call by an interface: some 4 cycles
	hopelessRatio = 2.5                   // times what the best costs at most: it drops out
	tailRatio     = 10                    // the same where ticks have a limit, which only a slow one may keep
	abandonRatio  = 4                     // times the fastest, in a later piece
	fillRatio     = 4                     // times a life, for a start: memory is new, and timers come in any order
	leastLimit    = 50 * time.Millisecond // below it nothing is abandoned: a disturbance can be as long
	probeEnd      = 0.5                   // of the budget, after which no probe begins
	probeTries    = 3                     // of a probe that is disturbed
)

// probe runs every candidate on the first piece of the stream. What it costs there is a lower
// bound of its cost, as some of its wheels may not advance. A migration costs at most what all
// else in a life does, which makes an upper bound. A candidate whose lower bound is far above
// the least upper bound drops out.
func (s *race) probe(ctx context.Context) error {
	fills := s.fills()
	piece, err := s.next(s.Workload.probeTicks(s.probeShare()))
	if err != nil {
		return err
	}
	ratio, least := hopelessRatio, math.Inf(1)
	if s.Limits.Tail > 0 {
		ratio = tailRatio
	}
	for i, c := range s.all {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.progress(i*30/len(s.all), 100, fmt.Sprintf("probe of %v", c.Subject))
		if least < math.Inf(1) && s.budgetPast(probeEnd) {
			c.Dropped, c.NoTime = "there was no time to probe it", true
			continue
		}
		if err := s.probeOne(ctx, c, fills[lazy(c.Info)], piece, ratio*least); err != nil {
			s.drop(c, err)
			continue
		}
		unseen := s.Workload.unseen(c.Subject, piece.Ticks)
		c.expected = c.probe * (1 + unseen/2)
		least = min(least, c.probe*(1+unseen))
	}
	for _, c := range s.all {
		switch {
		case c.Dropped != "":
		case c.probe > ratio*least && s.Depth != Duel:
			c.Dropped = fmt.Sprintf("%s per timer in its probe", units.FormatNanos(c.probe))
		default:
			s.queue = append(s.queue, c)
		}
	}
	slices.SortStableFunc(s.queue, func(a, b *candidate) int { return cmp.Compare(a.expected, b.expected) })
	return nil
}

// probeOne measures a candidate on a piece, again if a neighbour disturbs it. It gives up where the
// candidate costs more than this many ns per life.
func (s *race) probeOne(
	ctx context.Context, c *candidate, starts, piece *workload.Trace, hopeless float64,
) (err error) {
	limit := func(lives float64) time.Duration {
		if s.Depth == Duel {
			return math.MaxInt64
		}
		return max(leastLimit, time.Duration(min(hopeless*lives, float64(s.Budget)/2)))
	}
	forFill, forPiece := limit(fillRatio*float64(len(starts.Ops))), limit(float64(piece.Ticks)*s.Workload.Rate)
	for counts, tries := false, 0; !counts && tries < probeTries; tries++ {
		c.forget()
		c.release()
		if err := s.fill(c, starts, forFill); err != nil {
			return err
		}
		if counts, err = s.drive(ctx, c, piece, probing, forPiece); err != nil && !errors.Is(err, run.ErrTime) {
			return err
		}
	}
	if err == nil {
		c.probe = c.roundNanos[0]
		c.forget()
		c.release()
	}
	return err
}

// fill makes a candidate's scheme, starts all timers and weighs it.
func (s *race) fill(c *candidate, t *workload.Trace, limit time.Duration) error {
	before, cfg := run.LiveHeap(), c.Config(s.Workload.N)
	cfg.Now = t.From
	var err error
	if c.scheme, err = c.Info.New(cfg); err != nil {
		return err
	}
	c.drive = drive.New(c.scheme, t)
	if err = c.drive.RunTo(t.From, nil, s.clocks.Within(limit)); errors.Is(err, run.ErrTime) {
		return fmt.Errorf("%w: to start %d timers took more than %v", run.ErrTime, len(t.Ops), limit)
	} else if err != nil {
		return err
	}
	c.heap = run.LiveHeap() - before - drive.HandleBytes*t.Timers
	return s.weigh(c)
}

// fills returns the starts that bring schemes to the present tick, in the order in which the timers were
// started: so sorted lists are filled at the cost, and records in the order, of a running program. Schemes
// that restart lazily need a second trace: see Stream.Steady.
func (s *race) fills() (forLazy map[bool]*workload.Trace) {
	return map[bool]*workload.Trace{false: s.stream.Fill(), true: s.stream.Steady()}
}

func lazy(info *schemes.Info) bool {
	_, is := specimen(info).(schemes.Holder)
	return is
}

// drop ends the race for a candidate.
func (s *race) drop(c *candidate, why error) {
	c.Dropped = why.Error()
	c.release()
	if c.wrong {
		s.failed = append(s.failed, Rejected{c.Subject, c.Dropped})
	}
}
