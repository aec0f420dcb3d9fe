package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Race measures candidates on the stream of a workload.
type Race struct {
	Workload Workload
	Limits   Limits
	Budget   time.Duration
	Seed     uint64

	// Cost returns the ns of a piece by its counts, while the clock stands still, which makes the outcome the
	// same on every machine; nil: the race is timed.
	Cost func(done schemes.Counts) float64

	Depth Depth

	clocks run.Clocks // zero: run.RealTime
}

// Depth is what a race is for.
type Depth int

const (
	Quick    Depth = iota // a pick, for an engineer who waits
	Thorough              // the best, which picks are compared with: more finalists, and no tick is timed
	Duel                  // the comparison: all run to the end, however slow and large they are
)

const (
	lostPart    = 5    // one in five runs, and of the time one fifth, may be lost to neighbours
	firstLost   = 10   // runs that may be lost besides
	batchSize   = 16   // candidates alive at once
	batchShare  = 0.45 // of the time left, for a batch
	batchEnd    = 0.6  // of the budget, after which no batch begins, and no candidate is filled again
	warmEnd     = 0.75 // of the budget, after which none runs into its steady state
	finalists   = 6
	leastRounds = 6    // for an interval
	worthSaving = 0.05 // of the best one's time: if another may save more, the race continues
	probeMargin = 1.25 // of a probe, above which it excludes: one is not stricter than the rounds of a trial

	batchTimers = 100_000_000 // in all candidates alive at once, which take some 4 GB
)

// trialRatios are the multiples of the best above which a candidate of a batch drops out, after
// one round in the steady state, after two, and so on.
var trialRatios = []float64{1.5, 1.35, 1.25}

// race is a Race under way.
type race struct {
	Race
	stream   *workload.Stream
	begun    time.Duration
	cpu      time.Duration // CPU time of the process at begun
	all      []*candidate
	queue    []*candidate // probed, and not yet in a batch; the best first
	ticks    schemes.Tick // of a piece
	pieces   int
	rounds   int // since those before were forgotten
	hurried  bool
	needs    time.Duration
	failed   []Rejected
	progress run.Progress

	loop      float64 // ns that driving a scheme that does nothing through a tick takes, before each piece: it varies as the clock rate does
	quiet     run.Quiet
	driven    int // runs of candidates through pieces
	disturbed int // runs that do not count
}

// Run runs the race. An interrupted one returns what it has, with the context's error.
func (r Race) Run(ctx context.Context, in []run.Subject, progress run.Progress) (Outcome, error) {
	if len(in) == 0 {
		return Outcome{}, errors.New("pick: no candidate is left")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage from one run is not charged to the next
	stream, err := r.Workload.Stream(r.Seed)
	if err != nil {
		return Outcome{}, err
	}
	if r.clocks.Wall == nil {
		r.clocks = run.RealTime
	}
	quiet := run.Quiet{Slack: min(r.Budget, time.Minute) / lostPart}
	if r.Depth > Quick {
		quiet.Share = 1. / lostPart
	}
	if r.Cost != nil {
		still := func() time.Duration { return 0 }
		r.clocks, quiet.Busy = run.Clocks{Wall: still, CPU: still}, func() bool { return false }
	}
	quiet.Clocks = r.clocks
	s := &race{Race: r, stream: stream, begun: r.clocks.Wall(), cpu: r.clocks.CPU(), quiet: quiet, progress: progress}
	for _, c := range in {
		s.all = append(s.all, &candidate{Result: Result{Subject: c}})
	}
	err = s.run(ctx)
	return s.outcome(), err
}

// next returns the next piece of the stream, and measures the loop.
func (s *race) next(ticks schemes.Tick) (piece *workload.Trace, err error) {
	const empty, tries = 1 << 16, 5
	s.loop = math.Inf(1)
	for range tries {
		nothing, err := drive.Null.New(schemes.Config{})
		if err != nil {
			return nil, err
		}
		d, began := drive.New(nothing, &workload.Trace{Ticks: empty}), s.clocks.Wall()
		if err := d.RunTo(empty, nil, nil); err != nil {
			return nil, err
		}
		s.loop = min(s.loop, float64(s.clocks.Wall()-began)/empty)
	}
	return s.stream.Next(ticks), nil
}

func (s *race) run(ctx context.Context) error {
	if err := s.probe(ctx); err != nil {
		return err
	}
	s.ticks = s.Workload.roundTicks(s.queue, s.probeShare())
	forMean, forTicks := s.Workload.warmUps()
	if s.Limits.Tail > 0 {
		forMean = forTicks
	}
	for s.admit(forMean) {
		if err := s.trial(ctx); err != nil {
			return err
		}
	}
	return s.final(ctx, forMean, forTicks)
}

// passed returns the time since the race began.
func (s *race) passed() time.Duration { return s.clocks.Wall() - s.begun }

// left returns the time that is left of the budget.
func (s *race) left() time.Duration { return s.Budget - s.passed() }

// budgetPast reports whether this part of the budget is used up.
func (s *race) budgetPast(part float64) bool {
	return s.left() < time.Duration((1-part)*float64(s.Budget))
}

// probeShare is the factor by which pieces may be shorter than pieces that are timed.
func (s *race) probeShare() float64 {
	if s.Cost != nil {
		return 1. / 16
	}
	return 1
}

// limit returns the time that a candidate may take for a piece: four times as long as the fastest,
// and what it may take for all timers to move at once.
func (s *race) limit(in []*candidate, c *candidate, ticks schemes.Tick) time.Duration {
	if s.Depth == Duel {
		return math.MaxInt64
	}
	pace := math.Inf(1)
	for _, other := range in {
		pace = min(pace, other.pace)
	}
	move := time.Duration(s.Workload.N) * time.Microsecond
	return max(10*leastLimit, time.Duration(abandonRatio*pace*float64(ticks))+move)
}

// alive returns the candidates that run, the best so far first.
func (s *race) alive() (in []*candidate) {
	for _, c := range s.all {
		if c.drive != nil {
			in = append(in, c)
		}
	}
	slices.SortStableFunc(in, func(a, b *candidate) int { return cmp.Compare(a.cost(), b.cost()) })
	return in
}

// admit takes the best candidates off the queue, fills them and runs each for at least warm ticks. It
// returns false if no candidate is left that may be faster than the best so far, or no time.
func (s *race) admit(warm schemes.Tick) bool {
	in := s.alive()
	s.queue = slices.DeleteFunc(s.queue, func(c *candidate) bool {
		if len(in) == 0 || c.probe < probeMargin*in[0].cost() || s.Depth == Duel {
			return false
		}
		c.Dropped = fmt.Sprintf("%.2f times the best, in its probe", c.probe/in[0].cost())
		return true
	})
	if len(s.queue) == 0 {
		return false
	}
	if s.needs > 0 || len(in) > 0 && s.budgetPast(batchEnd) {
		for _, c := range s.queue {
			c.Dropped, c.NoTime = "there was no time for more than its probe", true
		}
		return false
	}
	s.fillAll(s.batch(in, &warm), warm)
	return true
}

// fillAll fills candidates, which are in the steady state when they have run for warm ticks.
func (s *race) fillAll(in []*candidate, warm schemes.Tick) {
	fills := s.fills()
	for _, c := range in {
		c.filledAt, c.steadyAt = s.stream.Now(), s.stream.Now()+warm
		if err := s.fill(c, fills[lazy(c.Info)], s.Budget); err != nil {
			s.drop(c, err)
		}
	}
}

// refill fills the remaining candidates again and runs them into the steady state. They are filled in random order, which
// puts their records at other addresses: one fill of a scheme may be a third slower than another.
func (s *race) refill(ctx context.Context, warm schemes.Tick) error {
	var in []*candidate
	alive := s.alive()
	for _, k := range run.Order(s.Seed, s.pieces, make([]int, len(alive))) {
		alive[k].release()
		in = append(in, alive[k])
	}
	s.fillAll(in, warm)
	return s.warmUp(ctx)
}

// refillRounds returns the number of rounds from one fill of the candidates to the next: filling takes no longer than
// these rounds. It returns 0 if filling would take too long.
func (s *race) refillRounds(in []*candidate, warm schemes.Tick) int {
	fill := fillRatio * float64(s.Workload.N) / s.Workload.Rate // in ticks that take as long
	rounds := int(math.Ceil((float64(warm) + fill) / float64(s.ticks)))
	if rounds > leastRounds || s.timeOf(in, float64(warm)+fill) > 0.1*float64(s.left()) {
		return 0
	}
	return rounds
}

// batch takes the next candidates from the queue: as many as there is time for, in which case
// they may have to run for fewer ticks.
func (s *race) batch(in []*candidate, warm *schemes.Tick) []*candidate {
	n, least := min(len(s.queue), max(2, s.room()-len(in))), finalists
	then := float64(len(trialRatios)) * float64(s.ticks)
	if s.Limits.Tail > 0 {
		then, least = then+enoughTicks, 1
	}
	ticks, share := float64(*warm)+then, batchShare*float64(s.left())
	cost := func() float64 { return s.timeOf(slices.Concat(in, s.queue[:n]), ticks) }
	for n > least && cost() > share {
		n--
	}
	if needed := cost(); needed > share {
		s.hurried = true
		*warm = schemes.Tick(max(0, ticks*share/needed-then))
	}
	batch := slices.Clone(s.queue[:n])
	s.queue = s.queue[n:]
	return batch
}

// room returns how many candidates may be alive at once.
func (s *race) room() int { return max(2, min(batchSize, batchTimers/s.Workload.N)) }

// trial lets all candidates run for some rounds when they are in the steady state, and keeps
// the best: as many as become finalists, in a thorough race half of a batch.
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
	most := s.room() / 2
	if s.Depth == Quick {
		most = min(most, finalists)
	}
	for _, slowest := range trialRatios {
		if err := s.piece(ctx, comparing, s.ticks); err != nil {
			return err
		}
		in := s.alive()
		for place, c := range in {
			ratio := results.Summarize(ratios(c.roundNanos, in[0].roundNanos)).Median
			last := s.rounds == len(trialRatios)
			switch {
			case s.Depth == Duel:
			case ratio > slowest:
				s.drop(c, fmt.Errorf("%.2f times the best", ratio))
			case last && place >= most:
				s.drop(c, notAmong(most, ratio))
			}
		}
	}
	return nil
}

// notAmong says why a candidate is not among the first. Its ratio is 0 if it has no round in common with the best.
func notAmong(first int, ratio float64) error {
	if ratio == 0 {
		return errors.New("no round in common with the best that was not disturbed")
	}
	return fmt.Errorf("%.2f times the best, not among the first %d", ratio, first)
}

// restart forgets the rounds so far: what chose the candidates does not judge them.
func (s *race) restart() {
	s.rounds = 0
	for _, c := range s.alive() {
		c.forget()
	}
}

// wait returns the ticks until all candidates that run are in the steady state.
func (s *race) wait() (ticks schemes.Tick) {
	for _, c := range s.alive() {
		ticks = max(ticks, c.steadyAt-min(c.steadyAt, s.stream.Now()))
	}
	return ticks
}

// warmUp lets the candidates run into the steady state.
func (s *race) warmUp(ctx context.Context) error {
	for wait := s.wait(); wait > 0; wait = s.wait() {
		if s.budgetPast(warmEnd) {
			s.hurried = true
			return nil
		}
		if err := s.piece(ctx, warming, min(s.ticks, wait)); err != nil {
			return err
		}
	}
	return nil
}

// final compares the finalists until further rounds would not change the outcome.
func (s *race) final(ctx context.Context, forMean, forTicks schemes.Tick) error {
	in := s.fitting(s.alive())
	if len(in) == 0 {
		return nil
	}
	warm := forMean
	timesTicks := s.Limits.Tail == 0 && s.Cost == nil && s.Depth == Quick && !s.Workload.NoPhase
	if timesTicks {
		for _, c := range in {
			c.steadyAt = c.filledAt + forTicks
		}
		if timesTicks = s.timeOf(in, float64(s.wait())) < 0.3*float64(s.left()); timesTicks {
			warm = forTicks
		}
	}
	refill := s.refillRounds(in, warm)
	if timesTicks && refill == 0 {
		if err := s.warmUp(ctx); err != nil {
			return err
		}
	}
	if s.short(in, len(trialRatios), leastRounds) {
		return nil // the rounds that chose the finalists are all that there is
	}
	s.restart()
	for !s.converged() && !s.short(in, 1, leastRounds-s.rounds) {
		if refill > 0 && s.rounds%refill == 0 && !s.budgetPast(batchEnd) {
			if err := s.refill(ctx, warm); err != nil {
				return err
			}
		}
		if err := s.piece(ctx, comparing, s.ticks); err != nil {
			return err
		}
	}
	if s.rounds >= leastRounds {
		s.needs = 0
	}
	if timesTicks {
		return s.timeTicks(ctx)
	}
	return nil
}

// short reports whether there is no time for some more rounds, and notes what the missing ones need.
func (s *race) short(in []*candidate, rounds, missing int) bool {
	round := time.Duration(s.timeOf(in, float64(s.ticks)))
	if time.Duration(rounds)*round <= s.left() {
		return false
	}
	s.needs = s.passed() + time.Duration(missing)*round
	return true
}

// fitting drops the slower candidates if there is no time for enough rounds of all.
func (s *race) fitting(in []*candidate) []*candidate {
	for n := len(in); n > 2; n-- {
		if s.timeOf(in[:n], (leastRounds+2)*float64(s.ticks)) < 0.6*float64(s.left()) {
			break
		}
		s.drop(in[n-1], errors.New("there was time for more rounds of the first only"))
		in[n-1].NoTime, in = true, in[:n-1]
	}
	return in
}

// timeOf returns the ns that these candidates and the stream need for some ticks: longer where other load has a share
// of the processors.
func (s *race) timeOf(in []*candidate, ticks float64) float64 {
	cost := 100 * s.Workload.Rate
	for _, c := range in {
		cost += c.pace
	}
	perCPU := float64(s.passed()) / float64(max(s.clocks.CPU()-s.cpu, 1))
	return cost * ticks * max(1, perCPU)
}

// converged reports whether further rounds would not change the outcome. It looks after 12, 24 and 48 of them, and in a duel
// after twice as many, as an interval that is looked at after each round is too narrow.
//
//	Quick:    no candidate may be clearly faster than the best, and none that ties clearly slower
//	Thorough: the first look ends it
//	Duel:     of every candidate it is known whether it costs at most GoodPick times what the first does
func (s *race) converged() bool {
	least, in := 2*leastRounds, s.alive()
	if s.Depth > Quick && s.Workload.N <= manyTimers { // else a round takes seconds
		least *= 2
	}
	switch {
	case len(in) == 0 || s.Cost != nil && s.rounds >= leastRounds || s.rounds >= 4*least:
		return true
	case s.rounds != least && s.rounds != 2*least:
		return false
	case s.Depth == Thorough:
		return true
	}
	first := in[0]
	if s.Depth == Duel {
		first = s.all[0]
	}
	return !slices.ContainsFunc(in, func(c *candidate) bool {
		e := results.Summarize(ratios(c.roundNanos, first.roundNanos))
		if s.Depth == Duel {
			return e.Lo <= GoodPick && e.Hi > GoodPick
		}
		return e.Lo < 1-worthSaving || e.Lo <= 1 && e.Hi > 1+2*worthSaving
	})
}
