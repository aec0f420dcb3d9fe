package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// Race measures candidates on one trace, in interleaved rounds in shuffled order.
type Race struct {
	Workload Workload
	Trace    *workload.Trace
	Model    *CostModel // nil: nothing is predicted
	Budget   time.Duration
	Limits   Limits
	Seed     uint64

	// Thorough, if above 0, is how long all candidates that may be the best run all
	// rounds, whatever Budget is. No tick is timed. It is the truth that picks are
	// compared with. The candidates in Keep run to the end however slow they are.
	Thorough time.Duration
	Keep     []string
}

// Result is how a candidate did.
type Result struct {
	run.Subject
	Rank      int              `json:"rank"`              // 1: the best and those that tie; 0: dropped out
	Life      results.Estimate `json:"ns_per_timer"`      // start, restart or stop, ticks, expiry
	Quartile  float64          `json:"ns_lower_quartile"` // by which candidates are ranked
	Ratio     results.Estimate `json:"vs_best"`           // round by round
	Predicted float64          `json:"ns_predicted,omitempty"`
	CPU       float64          `json:"cpu"` // share of one
	Bytes     int64            `json:"bytes"`
	P50       time.Duration    `json:"tick_p50_ns"` // of PerTick
	P999      time.Duration    `json:"tick_p99_9_ns"`
	Worst     time.Duration    `json:"tick_max_ns"` // 0: ticks were not timed
	PerTimer  PerTimer         `json:"counts_per_timer"`
	Static    bool             `json:"upper_levels_static,omitempty"` // upper wheels did not advance in a run
	Missing   float64          `json:"ns_unmeasured,omitempty"`       // predicted for their migrations
	Dropped   string           `json:"dropped,omitempty"`             // why it left the race
	NoTime    bool             `json:"no_time,omitempty"`             // not dropped for being slower

	runTime    time.Duration // of its last run, filling included
	lives      []float64     // ns, by round; 0: it did not run
	rerunLives []float64     // ns of the second run of the best one
}

// PerTimer are the counts of a timer's life.
type PerTimer struct {
	Compares   float64 `json:"compares"`
	Visits     float64 `json:"visits"`
	Migrations float64 `json:"migrations"`
}

// raceState is a race under way.
type raceState struct {
	Race
	began    time.Time
	all      []Result
	pace     [runParts]time.Duration // of the shortest run, by part; 0: no run has ended
	rounds   int
	tooShort bool // the budget, for some run
	quiet    *quietCore
	failed   []Rejected
	progress run.Progress
}

// Run runs the race. An interrupted one returns what it has, with the context's error.
func (r Race) Run(ctx context.Context, in []run.Subject, progress run.Progress) (Outcome, error) {
	if len(in) == 0 {
		return Outcome{}, errors.New("pick: no candidate is left")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage from one run is not charged to the next
	s := r.begin(in, progress)
	if r.Limits.Tail > 0 { // before the fast candidates drop those that keep the limit
		if err := s.qualify(ctx); err != nil {
			return s.outcome(), err
		}
	}
	random := rand.New(rand.NewPCG(r.Seed, 1))
	for len(s.racing()) > 0 && s.rounds < mostRounds {
		if err := s.round(ctx, random); err != nil {
			return s.outcome(), err
		}
		if r.Thorough > 0 && s.converged() {
			return s.outcome(), nil
		}
		s.drop()
		if r.Thorough == 0 && (s.converged() || !s.timeForAnotherRound()) {
			break
		}
	}
	err := s.timeTicks(ctx, finalists)
	o := s.outcome()
	if err == nil && s.tooShort && len(o.Winners()) == 0 {
		err = fmt.Errorf("pick: a budget of %v is too short for one run of any candidate", r.Budget)
	}
	return o, err
}

func (r Race) begin(in []run.Subject, progress run.Progress) *raceState {
	s := &raceState{
		Race: r, began: time.Now(), all: make([]Result, len(in)),
		quiet: newQuietCore(r.length() / slackParts), progress: progress,
	}
	for i, c := range in {
		s.all[i].Subject = c
	}
	return s
}

// length is how long the race takes at most, by plan.
func (r Race) length() time.Duration { return cmp.Or(r.Thorough, r.Budget) }

// racing returns the indexes of the candidates in the race, the best so far first.
func (s *raceState) racing() (at []int) {
	for i := range s.all {
		if s.all[i].Dropped == "" {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int {
		return cmp.Compare(lowerQuartile(s.all[a].lives), lowerQuartile(s.all[b].lives))
	})
	return at
}

// round runs every candidate once, and the best so far twice, which shows the noise.
func (s *raceState) round(ctx context.Context, random *rand.Rand) error {
	const rerun = -1
	at := s.racing()
	order := append(slices.Clone(at), rerun)
	if s.rounds > 0 { // in the first, those that are predicted to win run first and set the pace
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	}
	for _, k := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		again := k == rerun
		if again {
			k = at[0]
		}
		c := &s.all[k]
		if c.Dropped != "" { // in this round
			continue
		}
		if ns := s.runOnce(ctx, c); ns > 0 && again {
			c.rerunLives = s.record(c.rerunLives, ns)
		} else if ns > 0 {
			c.lives = s.record(c.lives, ns)
		}
	}
	s.rounds++
	return nil
}

// runOnce runs a candidate if there is time, and returns the ns of a life; 0: the run did not
// end.
func (s *raceState) runOnce(ctx context.Context, c *Result) (ns float64) {
	if s.Thorough == 0 && s.pace[runParts-1] > 0 && time.Since(s.began) > s.Budget {
		if !c.ran() {
			c.Dropped, c.NoTime = "no time was left", true
		}
		return 0
	}
	s.report(fmt.Sprintf("round %d, %v", s.rounds+1, c.Subject))
	err := s.quiet.run(ctx, func() (err error) {
		began := time.Now()
		ns, err = s.drive(c, nil)
		c.runTime = time.Since(began)
		return err
	})
	if err != nil {
		s.dropFailed(c, err)
		return 0
	}
	return ns
}

// report shows how much of the race's time has passed, in percent.
func (s *raceState) report(label string) {
	s.progress(int(min(100*time.Since(s.began)/s.length(), 99)), 100, label)
}

// ran reports whether a run of the candidate has ended.
func (c *Result) ran() bool { return len(positive(c.lives)) > 0 }

// dropFailed ends the race for a candidate whose run has failed or was abandoned. A run that
// is abandoned after others were not was disturbed: it is only skipped.
func (s *raceState) dropFailed(c *Result, err error) {
	abandoned := errors.Is(err, errAbandoned)
	if abandoned && c.ran() {
		return
	}
	c.Dropped = err.Error()
	if !abandoned && !errors.Is(err, errMemory) {
		s.failed = append(s.failed, Rejected{c.Subject, err.Error()})
	}
}

// record appends the time of this round to those of the rounds before it.
func (s *raceState) record(lives []float64, ns float64) []float64 {
	return append(lives, append(make([]float64, s.rounds-len(lives)), ns)...)
}
