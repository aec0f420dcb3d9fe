package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

	runTime time.Duration // of its last run, filling included
	lives   []float64     // ns, by round; 0: no run ended
	reruns  []float64     // the same of the second run in a round, which the best candidate has
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
	shortest time.Duration // run that ended; 0: none has
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
	err := s.run(ctx)
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

func (s *raceState) run(ctx context.Context) error {
	if s.Limits.Tail > 0 { // before the fast candidates drop those that keep the limit
		if err := s.qualify(ctx); err != nil {
			return err
		}
	}
	for len(s.racing()) > 0 {
		if err := s.round(ctx); err != nil {
			return err
		}
		s.drop()
		if s.converged() || !s.timeForAnotherRound() {
			break
		}
	}
	if s.Thorough > 0 {
		return nil
	}
	return s.timeTicks(ctx, finalists)
}

// racing returns the candidates in the race, the best so far first.
func (s *raceState) racing() (in []*Result) {
	for i := range s.all {
		if s.all[i].Dropped == "" {
			in = append(in, &s.all[i])
		}
	}
	slices.SortStableFunc(in, func(a, b *Result) int {
		return cmp.Compare(lowerQuartile(a.lives), lowerQuartile(b.lives))
	})
	return in
}

// round runs every candidate once, and the best so far twice, which shows the noise.
func (s *raceState) round(ctx context.Context) error {
	runs := s.racing()
	for _, c := range runs {
		c.lives, c.reruns = append(c.lives, 0), append(c.reruns, 0)
	}
	runs = append(runs, runs[0])
	order := run.Order(s.Seed, s.rounds, make([]int, len(runs)))
	if s.rounds == 0 { // those that are predicted to win run first and set the pace
		slices.Sort(order)
	}
	for _, k := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := runs[k]
		late := s.outOfTime(s.Budget)
		if late && c.Dropped == "" && !c.ran() {
			c.Dropped, c.NoTime = "no time was left", true
		}
		if late || c.Dropped != "" {
			continue
		}
		last := len(c.lives) - 1
		if ns := s.runOnce(ctx, c, false); c.lives[last] == 0 {
			c.lives[last] = ns
		} else {
			c.reruns[last] = ns
		}
	}
	s.rounds++
	return nil
}

// qualify times every tick of all candidates. These runs do not set the pace of the race: the
// fastest may break the limit.
func (s *raceState) qualify(ctx context.Context) error {
	defer func() { s.shortest = 0 }()
	return s.timeTicks(ctx, len(s.all))
}

// timeTicks times every PerTick of the first candidates, once, and drops those that exceed the
// limit. If there is a limit, those for which there is no time drop out too.
func (s *raceState) timeTicks(ctx context.Context, most int) error {
	in, limit := s.racing(), s.Limits.Tail
	for _, c := range in[:min(len(in), most)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case c.Worst > 0:
		case limit > 0 && s.outOfTime(s.Budget/2):
			c.Dropped, c.NoTime = "there was no time to time its ticks", true
		default:
			if s.runOnce(ctx, c, true); limit > 0 && c.P999 > limit {
				c.Dropped = fmt.Sprintf("p99.9 of its ticks is %v, the limit is %v", c.P999, limit)
			}
		}
	}
	return nil
}

// ran reports whether a run of the candidate has ended.
func (c *Result) ran() bool { return len(positive(c.lives)) > 0 }
