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
	entrants  = 6 // race in a pick: the first by their predicted costs
	ofOneRace = 3 // entrants at most are of one scheme, if there are others: predictions are worst between schemes

	mostPasses    = 4  // in a round: the least of four is rarely disturbed
	plannedRounds = 12 // that the number of passes is chosen for: twice what an interval needs, as a machine may get slower

	// A candidate leaves the race that took hopeless times as long as the best in each of trialRounds, or the square of that in
	// each of two. A layout in memory makes a third of difference at worst, but not three times in turn.
	trialRounds = 3
	hopeless    = 1.25

	// Where time is short, a candidate also leaves after nearRounds if it took more than nearCost times as long in the median,
	// and in no round less than 1/SameCost: of one that is a tenth faster, five rounds would say so once in 32 times.
	nearRounds = 5
	nearCost   = 1.05

	// A candidate whose filling takes abandonRatio times as long as the fastest one is abandoned: none that is so slow wins. But
	// not within leastLimit, in which a single collection of garbage or a page fault counts.
	abandonRatio = 4
	leastLimit   = 50 * time.Millisecond

	sureRounds    = 14 // after which a race ends that is sure, whether others tie or not: twice the first look
	duelRounds    = 56 // at most, in all races: an interval is half as wide as after sureRounds
	truthRounds   = sureRounds
	truthEntrants = 12 // of a thorough race after its trial: twice as many as race in a pick
)

// mostRaced is the most timers that race: more take minutes to fill, and fit no better into a cache. Tests make it less.
var mostRaced = 3_000_000

// looks are the rounds after which a race may end: few, since an interval that is looked at after each round is too narrow.
var looks = []int{firstLook, 10, sureRounds, 20, 28, 40, duelRounds}

const firstLook = 7 // one more than an interval needs

// race is a Race under way.
type race struct {
	Race
	begun    time.Duration
	all      []*candidate
	rounds   int
	hurried  bool
	tight    bool // there is no time for sureRounds of all
	failed   []Rejected
	progress run.Progress

	timers   int           // filled since garbage was collected
	making   time.Duration // that it takes to make a course, for each life in it
	fastest  time.Duration // filling of the present course
	parts    int           // of a segment, where a filling serves several: the passes of a round
	expected time.Duration // of the race: less than its budget if it will be sure earlier
}

// candidate is a subject under way.
type candidate struct {
	Result
	lazy   bool
	scheme schemes.Scheme
	drive  *drive.Drive // nil: it is not filled
	heap   int          // bytes that it holds there when it is filled; before, all that is there
	late   int          // times it was abandoned, one after the other

	round  int               // the present one
	passes [][]time.Duration // of the round: the CPU times of their pieces
	pieces []time.Duration   // of the present pass
	before schemes.Counts    // when the present pass began
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
		result := Result{Subject: c, rounds: map[int]float64{}}
		result.Early, result.Late = r.Workload.bound(c)
		s.all = append(s.all, &candidate{Result: result, lazy: lazy(c.Info)})
	}
	err := s.run(ctx)
	return s.outcome(), err
}

func (s *race) run(ctx context.Context) error {
	if s.Depth > Quick {
		return s.compare(ctx, s.all)
	}
	queue, err := s.predict(ctx)
	limited := s.Limits.Memory > 0 || s.Limits.Tail > 0
	if err == nil && limited {
		queue, err = s.withinLimits(ctx, queue)
	}
	exact := queue[:0:0] // the best of them races in any case: what it costs is the price of exactness
	if i := slices.IndexFunc(queue, (*candidate).Exact); i >= 0 {
		exact = queue[i : i+1]
	}
	queue = firstOf(entrants, exact, ofSchemes(queue, ofOneRace, farBehind), ofSchemes(queue, entrants, abandonRatio))
	if err == nil {
		err = s.compare(ctx, queue)
	}
	if err == nil && s.Limits.Tail == 0 {
		err = s.timeTicks(ctx, queue)
	}
	return err
}

// forget forgets the rounds so far.
func (c *candidate) forget() { c.rounds, c.late, c.round = map[int]float64{}, 0, -1 }

// errEnough ends the rounds of a race.
var errEnough = errors.New("enough")

// measure takes candidates through a course, in rounds of some passes, until enough says so at the beginning of one.
func (s *race) measure(ctx context.Context, doing string, in []*candidate, on *course, passes int, enough func(round int) bool) error {
	s.fastest, s.parts = 0, passes
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
		c.forget()
		defer c.release()
		byName[c.String()] = c
		r.Cells = append(r.Cells, run.Cell{Name: c.String(), Rounds: duelRounds + 1, Passes: passes,
			Sample: func(_ context.Context, round int) ([]results.Result, error) { return nil, s.sample(c, on, round) }})
	}
	_, _, err := r.Run(ctx, failures{s, byName}, func(_, _ int, name string) {
		s.report(doing + " " + name)
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// sample makes a pass of a round, unless the time is up. A candidate is filled for each pass, but once for all segments. One that is abandoned sits
// out. It is weighed in the first round, and where memory has a limit.
func (s *race) sample(c *candidate, on *course, round int) error {
	if s.over(0) {
		return nil
	}
	if c.round != round {
		c.round, c.passes, c.pieces = round, nil, nil
	}
	several := len(on.segments) > 1
	if several && len(c.passes) > 0 {
		return nil // it has had its turns
	}
	full := on.N == s.Workload.N
	if len(c.pieces) == 0 && (!several || round%len(on.segments) == 0) {
		err := s.fill(c, on, s.limit(on), full && (s.Limits.Memory > 0 || round == 0))
		switch {
		case errors.Is(err, run.ErrTime):
			c.release()
			if c.late++; c.late == copyRounds {
				return fmt.Errorf("twice %d times as long as the fastest, or longer", abandonRatio)
			}
			return nil
		case err != nil:
			return err
		}
		c.late = 0
	}
	if c.drive == nil {
		return nil
	}
	err := c.run(s, on, round)
	if err == nil {
		err = s.weigh(c, s.Limits.Memory > 0 && full)
	}
	if len(c.pieces) == 0 && (round+1)%len(on.segments) == 0 {
		c.release()
	}
	return err
}

// limit returns the CPU time that a candidate may take to be filled.
func (s *race) limit(on *course) time.Duration {
	switch {
	case s.Depth == Duel:
		return math.MaxInt64
	case s.fastest > 0:
		return leastLimit + abandonRatio*s.fastest
	}
	return time.Second + 10*time.Microsecond*time.Duration(on.N) // a hundred times what a fast scheme takes
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
	c.release()
	c.Dropped = why.Error()
	if errors.Is(why, errWrong) {
		s.failed = append(s.failed, Rejected{c.Subject, c.Dropped})
	}
}

// passed returns the time since the race began.
func (s *race) passed() time.Duration { return s.clocks.Wall() - s.begun }

// over reports whether a pick will have taken longer than its budget after some time more.
func (s *race) over(more time.Duration) bool { return s.Depth == Quick && s.passed()+more > s.Budget }

// report calls progress with the share of the expected time that has passed.
func (s *race) report(doing string) {
	passed := s.passed()
	s.progress(int(passed.Milliseconds()), int(max(s.expected, passed+time.Second).Milliseconds()), doing)
}

// compare races candidates at the workload's n until enough is known.
func (s *race) compare(ctx context.Context, in []*candidate) error {
	if len(in) == 0 {
		return nil
	}
	w := s.Workload.copyOf(min(s.Workload.N, mostRaced))
	warm, _ := w.warmUps()
	warm, timed := s.affordableWarmUp(w, in, warm), w.timedTicks(in)
	if s.Cost != nil {
		timed = max(1, timed/16) // counts have no noise
	}
	segments := w.segments(warm, timed)
	lives := float64(w.N) + w.Rate*float64(warm+timed*schemes.Tick(segments))
	if first := time.Duration(lives * (float64(s.making) + predictedOf(in))); s.over(first) {
		return nil // there is no time for one filling of all and its rounds
	}
	on, err := s.newCourse(w.N, warm, timed, segments)
	if err != nil {
		return err
	}
	for _, c := range in {
		c.Raced = true
		if w.N < s.Workload.N { // all of them are never filled, so their bytes are estimated
			c.Bytes = memory(c.Subject, s.Workload.N)
		}
	}
	if s.Depth == Thorough {
		err := s.measure(ctx, "trial of", in, on, 1, func(round int) bool { return round == trialRounds })
		if err != nil {
			return err
		}
		s.enough(trialRounds, in)
		slices.SortStableFunc(in, func(a, b *candidate) int { return cmp.Compare(a.mean(), b.mean()) })
		for i, c := range slices.DeleteFunc(slices.Clone(in), func(c *candidate) bool { return c.Dropped != "" }) {
			if i >= truthEntrants {
				s.drop(c, fmt.Errorf("not among the first %d of %d rounds", truthEntrants, trialRounds))
			}
		}
	}
	passes, err := s.passes(ctx, in, on)
	if err != nil {
		return err
	}
	began := s.passed()
	return s.measure(ctx, "rounds of", in, on, passes, func(round int) bool {
		s.rounds = round
		if round == 0 {
			return false
		}
		each := (s.passed() - began) / time.Duration(round)
		s.tight = s.over(each * time.Duration(sureRounds-round))
		s.expected = min(s.Budget, s.passed()+each*time.Duration(max(0, firstLook-round)))
		return s.over(each) || s.enough(round, in)
	})
}

// passes returns how many passes a candidate has in a round: as many as the time allows for all in the rounds that an interval
// needs, by a first one.
func (s *race) passes(ctx context.Context, in []*candidate, on *course) (int, error) {
	switch {
	case s.Cost != nil:
		return 1, nil
	case len(on.segments) > 1:
		return turns, nil
	case s.Depth != Quick:
		return run.Passes, nil
	}
	began := s.passed()
	err := s.measure(ctx, "steady state of", in[:1], on, 1, func(round int) bool { return round == 1 })
	each := (s.passed() - began) * time.Duration(len(in)*plannedRounds)
	return int(max(1, min(mostPasses, (s.Budget-s.passed())/max(1, each)))), err
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
	left := len(o.Results)
	for _, c := range in {
		why, stays := s.whyLeaves(c, best), s.Depth > Quick && left <= 2 || c.lastExact(in) // a pick is compared with another
		if why != nil && !stays {
			s.drop(c, why)
			left--
		}
	}
	switch {
	case s.Cost != nil:
		return round >= firstLook
	case s.Depth == Thorough:
		return round >= truthRounds
	case !slices.Contains(looks, round):
		return false
	}
	ratio := func(r, first Result) results.Estimate { return results.Summarize(ratios(r.rounds, first.rounds)) }
	return round >= duelRounds || !slices.ContainsFunc(o.Results, func(r Result) bool {
		if s.Depth == Duel {
			e := ratio(r, in[0].Result)
			return e.Lo <= GoodPick && e.Hi > GoodPick
		}
		e := ratio(r, best)
		return !o.Sure || round < sureRounds && e.Lo <= 1 && e.Hi > SameCost
	})
}

// whyLeaves returns why a candidate leaves the race, or nil.
func (s *race) whyLeaves(c *candidate, best Result) error {
	all := ratios(c.rounds, best.rounds)
	switch n := len(all); {
	case n < 2 || c.Dropped != "" || s.Depth == Duel:
	case all[0] > hopeless*hopeless, n >= trialRounds && all[0] > hopeless:
		return fmt.Errorf("%.2f times the best", results.Median(all))
	case s.tight && n >= nearRounds && all[0] > 1/SameCost && results.Median(all) > nearCost:
		return fmt.Errorf("%.2f times the best, at least %.2f in each of %d rounds", results.Median(all), all[0], n)
	}
	return nil
}

// lastExact reports whether no other exact candidate is left.
func (c *candidate) lastExact(in []*candidate) bool {
	return c.Exact() && !slices.ContainsFunc(in, func(o *candidate) bool { return o != c && o.Exact() && o.Dropped == "" })
}

// affordableWarmUp returns for how many ticks candidates run into the steady state: half of the time left is for it, in as many
// rounds as an interval needs.
func (s *race) affordableWarmUp(w Workload, in []*candidate, warm schemes.Tick) schemes.Tick {
	most := float64(s.Budget-s.passed()) / 2 / float64(firstLook) / max(1, predictedOf(in)*w.Rate)
	if s.Depth != Quick || float64(warm) <= most {
		return warm
	}
	s.hurried = true
	return schemes.Tick(max(1, most, min(w.MeanStay, float64(warm))))
}

// mean returns the median of the rounds so far.
func (c *candidate) mean() float64 {
	return results.Summarize(slices.Sorted(maps.Values(c.rounds))).Median
}

// outcome ranks the candidates.
func (s *race) outcome() Outcome {
	o := Outcome{Rounds: s.rounds, Timers: min(s.Workload.N, mostRaced), Hurried: s.hurried, Failed: s.failed}
	o.Seconds = s.passed().Seconds()
	for _, c := range s.all {
		if !c.Raced {
			c.forget() // the rounds on copies
		}
		c.Raced = len(c.rounds) > 0
		c.Life = results.Summarize(slices.Sorted(maps.Values(c.rounds)))
		c.CPU = c.Life.Median * s.Workload.PerSecond(s.Workload.Rate) / 1e9
		o.Results = append(o.Results, c.Result)
	}
	o.rank()
	return o
}

// firstOf returns the first n candidates of some queues: of the first queue, then of the next.
func firstOf(n int, queues ...[]*candidate) (in []*candidate) {
	for _, c := range slices.Concat(queues...) {
		if len(in) < n && !slices.Contains(in, c) {
			in = append(in, c)
		}
	}
	return in
}

// predictedOf returns what a life costs with all of these candidates, one after the other.
func predictedOf(in []*candidate) (sum float64) {
	for _, c := range in {
		sum += c.Predicted
	}
	return sum
}
