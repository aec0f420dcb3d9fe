package pick

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime/debug"
	"slices"
	"time"

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

	// Cost returns the cost of a piece by its counts, which makes the outcome the same on every
	// machine; nil: the CPU time.
	Cost func(done schemes.Counts) float64

	// Thorough makes the race the truth that picks are compared with: more candidates become
	// finalists and run more rounds, whatever Budget is. No tick is timed. The candidates in
	// Keep run to the end however slow and large they are.
	Thorough bool
	Keep     []string
}

const (
	lostPart    = 5    // one in five runs, and of the time one fifth, may be lost to neighbours
	firstLost   = 10   // runs that may be lost besides
	batchSize   = 16   // candidates alive at once
	batchShare  = 0.45 // of the time left, for a batch
	batchEnd    = 0.6  // of the budget, after which no batch begins
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
	begun    time.Time
	cpu      time.Duration // CPU time of the process at begun
	all      []*Result
	queue    []*Result    // probed, and not yet in a batch; the best first
	ticks    schemes.Tick // of a piece
	pieces   int
	rounds   int // since the count of lives was last reset to 0
	hurried  bool
	needs    time.Duration
	failed   []Rejected
	progress run.Progress

	quiet     run.Quiet
	driven    int // runs of candidates through pieces
	disturbed int // those that do not count
}

// Run runs the race. An interrupted one returns what it has, with the context's error.
func (r Race) Run(ctx context.Context, in []Subject, progress run.Progress) (Outcome, error) {
	if len(in) == 0 {
		return Outcome{}, errors.New("pick: no candidate is left")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage from one run is not charged to the next
	stream, err := r.Workload.Stream(r.Seed)
	if err != nil {
		return Outcome{}, err
	}
	quiet := run.Quiet{Slack: r.Budget / lostPart}
	if r.Thorough { // which may use far less than its budget
		quiet = run.Quiet{Slack: time.Minute / lostPart, Share: 1. / lostPart}
	}
	s := &race{Race: r, stream: stream, begun: time.Now(), cpu: run.CPUTime(), quiet: quiet, progress: progress}
	for _, c := range in {
		s.all = append(s.all, &Result{Subject: c})
	}
	err = s.run(ctx)
	return s.outcome(), err
}

func (s *race) run(ctx context.Context) error {
	if err := s.probe(ctx); err != nil {
		return err
	}
	s.ticks = s.Workload.roundTicks(s.queue, s.part())
	forMean, forTicks := s.Workload.warmUps()
	switch {
	case s.Limits.Tail > 0:
		forMean = forTicks
	case s.Thorough || !s.timed(): // no tick is timed
		forTicks = forMean
	}
	for s.admit(forMean) {
		if err := s.trial(ctx); err != nil {
			return err
		}
	}
	return s.final(ctx, forTicks)
}

// left returns the time that is left of the budget.
func (s *race) left() time.Duration { return s.Budget - time.Since(s.begun) }

// past reports whether this part of the budget is used up, if the race must keep it.
func (s *race) past(part float64) bool {
	return s.timed() && !s.Thorough && s.left() < time.Duration((1-part)*float64(s.Budget))
}

// timed reports whether costs are times. If not, no decision depends on the clock.
func (s *race) timed() bool { return s.Cost == nil }

// part is by how much pieces are shorter than those that can be timed.
func (s *race) part() float64 {
	if s.timed() {
		return 1
	}
	return 1. / 16
}

// limit returns the time that a candidate may take for a piece: four times that of the fastest,
// and what it may take for all timers to move at once.
func (s *race) limit(in []*Result, c *Result, ticks schemes.Tick) time.Duration {
	if !s.timed() || s.keeps(c) {
		return math.MaxInt64
	}
	pace := math.Inf(1)
	for _, other := range in {
		pace = min(pace, other.pace)
	}
	move := time.Duration(s.Workload.N) * time.Microsecond
	return max(10*leastLimit, time.Duration(abandonRatio*pace*float64(ticks))+move)
}

func (s *race) keeps(c *Result) bool { return slices.Contains(s.Keep, c.Subject.String()) }

// alive returns the candidates that run, the best so far first.
func (s *race) alive() (in []*Result) {
	for _, c := range s.all {
		if c.drive != nil {
			in = append(in, c)
		}
	}
	slices.SortStableFunc(in, func(a, b *Result) int { return cmp.Compare(a.cost(), b.cost()) })
	return in
}
