package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Race measures candidates on a workload.
type Race struct {
	Workload Workload
	Limits   Limits
	Budget   time.Duration
	Seed     uint64

	// Cost returns the ns of what is timed by its counts, while the clock stands still, which makes the outcome the
	// same on every machine; nil: the race is timed.
	Cost func(done schemes.Counts) float64

	Depth Depth

	clocks run.Clocks // zero: the monotonic clock and the CPU time of the thread
}

// Depth is what a race is for.
type Depth int

const (
	Quick    Depth = iota // a pick, for an engineer who waits
	Thorough              // the best, which picks are compared with: all candidates race, and no tick is timed
	Duel                  // the comparison: all run to the end, however slow and large they are
)

const (
	entrants     = 6       // race in a pick: the first by their predicted costs
	copyPasses   = 2       // of a candidate through a copy: none is left out for one reading
	passTimers   = 100_000 // at most, for rounds of run.Passes passes: with more, filling takes so long that more rounds tell more
	trialRounds  = 3       // after which a candidate leaves that was slower by hopeless in all of them
	hopeless     = 1.25    // times the best: beyond what a layout in memory, a third at worst, makes of a tie in three rounds
	abandonRatio = 4       // times what the fastest takes for a whole pass
	leastLimit   = 50 * time.Millisecond
	truthRounds  = 14
	duelRounds   = 56
)

// copies are the timers of the copies of the workload that predict costs, and how many candidates go on from each: with the
// first, hardly any cache is full, and with the second, those of a core are.
var copies = []struct{ timers, kept int }{{32_000, 18}, {250_000, entrants}}

// looks are the rounds after which a race may end: few, since an interval that is looked at after each round is too narrow.
var looks = []int{7, 10, 14, 20, 28, 40, duelRounds}

// race is a Race under way.
type race struct {
	Race
	begun    time.Duration
	all      []*candidate
	rounds   int
	hurried  bool
	failed   []Rejected
	progress run.Progress

	timers   int           // of the passes since garbage was collected
	fastest  time.Duration // pass through the present course
	expected time.Duration // of the race: less than its budget if it will be sure earlier
}

// candidate is a subject under way.
type candidate struct {
	Result
	round  int
	passes []pass // of the round
	late   int    // passes that were abandoned
}

// Run runs the race. An interrupted one returns what it has, with the context's error.
func (r Race) Run(ctx context.Context, in []run.Subject, progress run.Progress) (Outcome, error) {
	if len(in) == 0 {
		return Outcome{}, errors.New("pick: no candidate is left")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage from one pass is not charged to the next
	runtime.LockOSThread()                           // whose CPU time is measured
	defer runtime.UnlockOSThread()
	if r.clocks.Wall == nil {
		r.clocks = run.Clocks{Wall: drive.Clock, CPU: run.ThreadTime}
	}
	if r.Cost != nil {
		still := func() time.Duration { return 0 }
		r.clocks = run.Clocks{Wall: still, CPU: still}
	}
	s := &race{Race: r, begun: r.clocks.Wall(), progress: progress, expected: r.Budget}
	for _, c := range in {
		s.all = append(s.all, &candidate{Result: Result{Subject: c, rounds: map[int]float64{}}})
	}
	err := s.run(ctx)
	return s.outcome(), err
}

func (s *race) run(ctx context.Context) error {
	queue := s.all
	if s.Depth == Quick {
		var err error
		if queue, err = s.predict(ctx); err != nil {
			return err
		}
	}
	if s.Depth == Quick && (s.Limits.Memory > 0 || s.Limits.Tail > 0) {
		var err error
		if queue, err = s.keeping(ctx, queue); err != nil {
			return err
		}
	}
	if s.Depth == Quick {
		queue = queue[:min(entrants, len(queue))]
	}
	if err := s.compare(ctx, queue); err != nil || s.Depth != Quick || s.Limits.Tail > 0 {
		return err
	}
	return s.timeTicks(ctx, queue)
}

// predict returns the candidates in the order of their predicted costs: those of a life on copies of the workload.
func (s *race) predict(ctx context.Context) ([]*candidate, error) {
	queue := slices.Clone(s.all)
	for i, size := range copies {
		n := min(size.timers, s.Workload.N)
		if i > 0 && n < 2*copies[i-1].timers {
			break // the last one was as good
		}
		w := s.Workload
		w.N, w.Rate = n, w.Rate*float64(n)/float64(s.Workload.N)
		warm, _ := w.warmUps()
		on, err := s.newCourse(n, min(warm, copyTicks), min(w.ticksFor(float64(max(n, 2*pieceLives)), copyTicks)))
		if err != nil {
			return nil, err
		}
		before := map[*candidate]float64{}
		for _, c := range queue {
			before[c] = c.Predicted
		}
		err = s.measure(ctx, "copy of", queue, on, copyPasses, func(round int) bool { return round > 0 })
		if err != nil {
			return nil, err
		}
		var grown []float64
		for _, c := range queue {
			if ns, ok := c.Result.rounds[0]; ok {
				c.Predicted = s.predicted(c, on, ns)
				if before[c] > 0 {
					grown = append(grown, c.Predicted/before[c])
				}
			}
			c.forget()
		}
		if len(grown) > 0 { // what did not run through this copy would have grown as well
			for _, c := range s.all {
				if !slices.Contains(queue, c) {
					c.Predicted *= results.Median(grown)
				}
			}
		}
		queue = slices.DeleteFunc(slices.Clone(s.all), func(c *candidate) bool { return c.Dropped != "" || c.Predicted == 0 })
		slices.SortStableFunc(queue, func(a, b *candidate) int { return cmp.Compare(a.Predicted, b.Predicted) })
		queue = queue[:min(size.kept, len(queue))]
	}
	queue = slices.DeleteFunc(slices.Clone(s.all), func(c *candidate) bool { return c.Dropped != "" || c.Predicted == 0 })
	slices.SortStableFunc(queue, func(a, b *candidate) int { return cmp.Compare(a.Predicted, b.Predicted) })
	return queue, nil
}

// predicted returns what a life costs with all timers, by what it costs on a copy. The copy has as many ticks to a timer's
// life as the workload, for fewer timers: what an empty tick takes is counted at the workload's rate. A copy may be too short
// for some wheels to advance. A migration costs at most what all else in a life does: half of it is as near as can be. And a
// list that is searched is as much longer as there are timers.
func (s *race) predicted(c *candidate, on *course, ns float64) float64 {
	if s.Workload.N > on.N {
		empty := s.emptyTick(c)
		ns = max(ns-empty/on.Rate, 0) + empty/s.Workload.Rate
		if c.Info.Sorted {
			ns += max(0, c.PerTimer.Compares-1) * (float64(s.Workload.N)/float64(on.N) - 1) * 2
		}
	}
	return ns * (1 + on.unseen(c.Subject, schemes.Tick(on.timed()))/2)
}

// emptyTick returns the ns that a tick takes without timers.
func (s *race) emptyTick(c *candidate) float64 {
	const ticks = 1 << 14
	scheme, err := c.Info.New(c.Config(0))
	if err != nil || s.Cost != nil {
		return 0
	}
	if held, ok := scheme.(schemes.Releaser); ok {
		defer held.Release()
	}
	began := s.clocks.CPU()
	for range ticks {
		scheme.PerTick()
	}
	return float64(s.clocks.CPU()-began) / ticks
}

// forget forgets the rounds so far.
func (c *candidate) forget() {
	c.Result.rounds, c.passes, c.late, c.round = map[int]float64{}, nil, 0, 0
}

// errEnough ends the rounds of a race.
var errEnough = errors.New("enough")

// measure takes candidates through a course, in rounds of some passes, until enough says so at the beginning of one.
func (s *race) measure(ctx context.Context, doing string, in []*candidate, on *course, passes int, enough func(round int) bool) error {
	s.fastest = 0
	byName := map[string]*candidate{}
	r := run.Runner{Seed: s.Seed, Begin: func(round int) error {
		if enough(round) {
			return errEnough
		}
		return s.timeLoop(on)
	}, Done: func(name string, _ int) bool { return byName[name].Dropped != "" }}
	if s.Cost != nil {
		r.Busy = func() bool { return false }
	}
	for _, c := range in {
		byName[c.String()] = c
		r.Cells = append(r.Cells, run.Cell{Name: c.String(), Rounds: duelRounds + 1, Passes: passes,
			Sample: func(_ context.Context, round int) ([]results.Result, error) { return nil, s.sample(c, on, round) }})
	}
	_, _, err := r.Run(ctx, failures{s, byName}, func(_, _ int, name string) {
		s.progress(int(s.passed().Milliseconds()), int(max(s.expected, s.passed()+time.Second).Milliseconds()), doing+" "+name)
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// sample adds a pass of a round. The scheme is weighed in the first round, and where memory has a limit.
func (s *race) sample(c *candidate, on *course, round int) error {
	if s.timers += on.N; s.timers > 1_000_000 { // some 8 MB of handles
		runtime.GC()
		s.timers = 0
	}
	if c.round != round {
		c.round, c.passes = round, nil
	}
	if c.Dropped != "" {
		return nil
	}
	limit := time.Second + 10*time.Microsecond*time.Duration(on.N)
	if s.fastest > 0 {
		limit = leastLimit + abandonRatio*s.fastest
	}
	if s.Depth == Duel {
		limit = math.MaxInt64
	}
	full := on.N == s.Workload.N
	p, err := s.take(c, on, limit, false, full && (s.Limits.Memory > 0 || round == 0 && len(c.passes) == 0))
	if errors.Is(err, run.ErrTime) {
		if c.late++; c.late < copyPasses {
			return nil
		}
		return fmt.Errorf("twice %d times as long as the fastest, or longer", abandonRatio)
	}
	if full && err == nil {
		c.Bytes = max(c.Bytes, p.bytes)
		err = s.weigh(c.Bytes)
	}
	if err != nil {
		return err
	}
	if s.fastest == 0 || p.took < s.fastest {
		s.fastest = p.took
	}
	c.passes = append(c.passes, p)
	lives := on.timed() * on.Rate
	c.PerTimer = PerTimer{float64(p.counts.Compares) / lives, float64(p.counts.Visits) / lives, float64(p.counts.Migrations) / lives}
	c.Result.rounds[round] = s.life(on, c.passes)
	return nil
}

// failures is the sink of a race: candidates keep what they measure.
type failures struct {
	*race
	byName map[string]*candidate
}

func (failures) Stream(string, uint64) error         { return nil }
func (failures) Round(int) error                     { return nil }
func (failures) Result(...results.Result) error      { return nil }
func (failures) Skip(string, results.Reason) error   { return nil }
func (f failures) Fail(name string, err error) error { f.drop(f.byName[name], err); return nil }

// drop ends the race for a candidate.
func (s *race) drop(c *candidate, why error) {
	c.Dropped = why.Error()
	if errors.Is(why, errWrong) {
		s.failed = append(s.failed, Rejected{c.Subject, c.Dropped})
	}
}

// passed returns the time since the race began.
func (s *race) passed() time.Duration { return s.clocks.Wall() - s.begun }

// compare races candidates at the workload's n until enough is known.
func (s *race) compare(ctx context.Context, in []*candidate) error {
	if len(in) == 0 {
		return nil
	}
	warm, _ := s.Workload.warmUps()
	on, err := s.newCourse(s.Workload.N, s.affordable(in, warm), s.Workload.timedTicks(in))
	if err != nil {
		return err
	}
	passes := 1
	if s.Workload.N <= passTimers {
		passes = run.Passes
	}
	for _, c := range in {
		c.forget()
		c.Raced = true
	}
	began := s.passed()
	return s.measure(ctx, "rounds of", in, on, passes, func(round int) bool {
		s.rounds = round
		if round == 0 {
			return false
		}
		each := (s.passed() - began) / time.Duration(round)
		if s.expected = min(s.Budget, s.passed()+each*time.Duration(max(0, looks[0]-round))); s.Depth == Quick && s.passed()+each > s.Budget {
			return true
		}
		return s.enough(round, in)
	})
}

// enough reports whether further rounds would not change the outcome, and drops who is clearly slower.
func (s *race) enough(round int, in []*candidate) bool {
	o := Outcome{}
	for _, c := range in {
		if c.Dropped == "" {
			o.Results = append(o.Results, c.Result)
		}
	}
	if len(o.Results) == 0 {
		return true
	}
	best := o.rank()
	if s.Depth != Duel {
		for _, c := range in {
			all := ratios(c.Result.rounds, best.rounds)
			if c.Dropped == "" && round >= trialRounds && len(all) > 0 && slices.Min(all) > hopeless {
				s.drop(c, fmt.Errorf("%.2f times the best", results.Median(all)))
			}
		}
	}
	switch {
	case s.Cost != nil:
		return round >= looks[0]
	case s.Depth == Thorough:
		return round >= truthRounds
	case !slices.Contains(looks, round):
		return false
	}
	first := best
	if s.Depth == Duel {
		first = in[0].Result
	}
	return round >= duelRounds || !slices.ContainsFunc(o.Results, func(r Result) bool {
		e := results.Summarize(ratios(r.rounds, first.rounds))
		if s.Depth == Duel {
			return e.Lo <= GoodPick && e.Hi > GoodPick
		}
		return e.Lo < 1/SameCost || e.Lo <= 1 && e.Hi > SameCost
	})
}

// affordable returns for how many ticks candidates run into the steady state: half of the time left is for it, in as many
// rounds as an interval needs.
func (s *race) affordable(in []*candidate, warm schemes.Tick) schemes.Tick {
	life := 0.
	for _, c := range in {
		life += c.Predicted
	}
	most := float64(s.Budget-s.passed()) / 2 / float64(looks[0]) / max(1, life*s.Workload.Rate)
	if s.Depth != Quick || float64(warm) <= most {
		return warm
	}
	s.hurried = true
	return schemes.Tick(max(1, most, min(s.Workload.MeanStay, float64(warm))))
}

// keeping returns the first candidates that keep the limits, as many as race.
func (s *race) keeping(ctx context.Context, queue []*candidate) (kept []*candidate, err error) {
	_, warm := s.Workload.warmUps()
	timed := s.Workload.ticksFor(pieceLives, copyTicks)
	if s.Limits.Tail > 0 {
		timed = max(timed, enoughTicks)
	}
	on, err := s.newCourse(s.Workload.N, s.affordable(queue[:min(len(queue), entrants)], warm), timed)
	if err != nil {
		return nil, err
	}
	for i, c := range queue {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(kept) == entrants || len(kept) > 0 && s.passed() > s.Budget/2 {
			break
		}
		s.progress(int(s.passed().Milliseconds()), int(s.Budget.Milliseconds()), "limits of "+c.String())
		if err := s.keeps(c, on); err != nil {
			s.drop(queue[i], err)
			continue
		}
		kept = append(kept, c)
	}
	return kept, nil
}

// keeps returns an error if a candidate does not keep the limits, or is not known to.
func (s *race) keeps(c *candidate, on *course) error {
	p, err := s.take(c, on, s.Budget/4, s.Limits.Tail > 0, true)
	if err != nil {
		return err
	}
	if c.Bytes = max(c.Bytes, p.bytes); s.Limits.Tail == 0 {
		return s.weigh(c.Bytes)
	}
	c.Ticks = tickTimes(p.ticks)
	switch t, limit := c.Ticks, s.Limits.Tail; {
	case t.Low > limit:
		return fmt.Errorf("p99.9 of its ticks is %v or more, the limit is %v", t.Low, limit)
	case t.High > limit:
		return fmt.Errorf("p99.9 of its ticks is between %v and %v, the limit is %v", t.Low, t.High, limit)
	}
	return s.weigh(c.Bytes)
}

const enoughTicks = 10_000 // for the percentile 99.9

// tickTimes returns the percentiles of single ticks, p99.9 with its binomial interval.
func tickTimes(l *run.Latencies) TickTimes {
	n := l.Count()
	off := 100 * 1.96 * math.Sqrt(0.999*0.001/float64(n))
	return TickTimes{n, l.At(50), l.At(99.9), l.At(99.9 - off), l.At(99.9 + off)}
}

// timeTicks times single ticks of those that raced, the best first, as long as there is time.
func (s *race) timeTicks(ctx context.Context, in []*candidate) error {
	life := 0.
	for _, c := range in {
		life = max(life, c.Predicted)
	}
	_, warm := s.Workload.warmUps()
	each := time.Duration(life * (float64(s.Workload.N) + s.Workload.Rate*float64(warm+enoughTicks)))
	if s.Workload.NoPhase || s.Cost != nil || s.passed()+each > s.Budget {
		return nil
	}
	on, err := s.newCourse(s.Workload.N, warm, enoughTicks)
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
		p, err := s.take(c, on, s.Budget, true, false)
		if errors.Is(err, errWrong) {
			s.drop(c, err)
		}
		if err == nil {
			c.Ticks = tickTimes(p.ticks)
		}
	}
	return nil
}

// mean returns the median of the rounds so far.
func (c *candidate) mean() float64 {
	return results.Summarize(slices.Sorted(maps.Values(c.Result.rounds))).Median
}

// outcome ranks the candidates.
func (s *race) outcome() Outcome {
	o := Outcome{Rounds: s.rounds, Hurried: s.hurried, Failed: s.failed, Seconds: s.passed().Seconds()}
	for _, c := range s.all {
		if !c.Raced {
			c.forget()
		}
		c.Life = results.Summarize(slices.Sorted(maps.Values(c.Result.rounds)))
		c.CPU = c.Life.Median * s.Workload.PerSecond(s.Workload.Rate) / 1e9
		o.Results = append(o.Results, c.Result)
	}
	o.rank()
	return o
}
