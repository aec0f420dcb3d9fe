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
	"timerlab/schemes"
)

// Race is what is run.
type Race struct {
	Workload Workload
	Trace    *workload.Trace
	Model    *Model        // nil: nothing is predicted
	Budget   time.Duration // for all of it
	Limits   Limits
	Seed     uint64
	Keep     []string      // candidates that run to the end however slow they are
	Thorough time.Duration // above 0: for so long all that may be the best run all rounds, whatever Budget says, and no tick is timed: the truth that a pick is compared with
}

// Result is how a candidate did.
type Result struct {
	Candidate
	Life      results.Estimate // ns for a timer's life: start, restart or stop, ticks, expiry
	Quartile  float64          // the lower quartile of what Life is the median of, by which candidates are ranked
	Ratio     results.Estimate // of that over the first one's, round by round
	Predicted float64          // what the model said of Life; 0: nothing
	Counts    schemes.Counts   // for a life, in thousandths
	Bytes     int64            // for timers and slots
	P50, Tail time.Duration    // of PerTick, half of all and 99.9 %
	Worst     time.Duration    // PerTick
	Dropped   string           // why it left the race; "": it is at its end
	Cut       bool             // it dropped out because there was no time for it, not because it was clearly slower
	took      time.Duration    // for its last run and all around it
	lives     []float64        // ns, by round; 0: it did not run
	again     []float64        // of the second run of the first one
}

// Run runs the race. Progress is told before each run.
func (r Race) Run(ctx context.Context, in []Candidate, progress run.Progress) (Outcome, error) {
	if len(in) == 0 {
		return Outcome{}, errors.New("no candidate is left")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // what one run leaves is not the next one's to pay
	x := r.begin(in)
	if r.Limits.Tail > 0 { // before the fast ones push out who keeps it
		if err := x.qualify(ctx, progress); err != nil {
			return x.outcome(), err
		}
	}
	random := rand.New(rand.NewPCG(r.Seed, 1))
	for round := range mostRounds {
		if len(x.racing()) == 0 {
			break
		}
		if err := x.round(ctx, round, random, progress); err != nil {
			return x.outcome(), err
		}
		if r.Thorough > 0 && x.settled() {
			return x.outcome(), nil
		}
		x.drop(round)
		if r.Thorough == 0 && (x.settled() || !x.another()) {
			break
		}
	}
	err := x.latencies(ctx, finalists, progress)
	o := x.outcome()
	if err == nil && x.short && len(o.Winners()) == 0 {
		err = fmt.Errorf("a budget of %v is too short for one run of any candidate", r.Budget)
	}
	return o, err
}

func (r Race) begin(in []Candidate) *running {
	x := &running{Race: r, began: time.Now(), all: make([]Result, len(in)), quiet: newQuiet(r.spare())}
	for i, c := range in {
		x.all[i] = Result{Candidate: c}
	}
	return x
}

// running is a race on its way.
type running struct {
	Race
	began  time.Time
	all    []Result
	pace   [stretches]time.Duration // of the shortest run, by stretch; 0: there is none
	rounds int
	runs   int
	short  bool // the budget was too short for a run
	quiet  *quiet
	failed []LeftOut
}

// racing returns the places of those that are in the race, the best so far first.
func (x *running) racing() (at []int) {
	for i := range x.all {
		if x.all[i].Dropped == "" {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(x.all[a].quartile(), x.all[b].quartile()) })
	return at
}

// quartile is the time by which candidates are compared. What disturbs a run only makes it
// longer, for seconds at a time, and often doubles it: the median of a few rounds is that
// of the disturbance as soon as it meets half of them, and the least of many is luck.
func (r *Result) quartile() float64 { return lowerQuartile(ran(r.lives)) }

// round runs everyone once, and the best one twice.
func (x *running) round(ctx context.Context, round int, random *rand.Rand, progress run.Progress) error {
	at := x.racing()
	order := append(slices.Clone(at), -1)
	if round > 0 { // in the first, those that mostly win come first, so that others can be given up
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	}
	for _, k := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		again := k < 0
		if again {
			k = at[0]
		}
		c := &x.all[k]
		if c.Dropped != "" { // in this round: it does not run again
			continue
		}
		if x.Thorough == 0 && x.pace[stretches-1] > 0 && time.Since(x.began) > x.Budget {
			if len(ran(c.lives)) == 0 {
				c.Dropped, c.Cut = "no time was left", true
			}
			continue
		}
		left := len(at) + 1 - x.runs%(len(at)+1)
		progress(x.runs, x.runs+left, fmt.Sprintf("round %d, %v", round+1, c.Candidate))
		x.runs++
		ns := 0.0
		err := x.quiet.run(ctx, func() (err error) {
			began := time.Now()
			ns, err = x.run(c, nil)
			c.took = time.Since(began)
			return err
		})
		switch {
		case errors.Is(err, errHopeless) && len(ran(c.lives)) > 0: // something disturbed it
			continue
		case err != nil:
			x.out(c, err)
			continue
		}
		if again {
			c.again = append(pad(c.again, round), ns)
		} else {
			c.lives = append(pad(c.lives, round), ns)
		}
	}
	x.rounds = round + 1
	return nil
}

// out ends the race for a candidate whose run has failed, or was given up.
func (x *running) out(c *Result, err error) {
	c.Dropped = err.Error()
	if !errors.Is(err, errHopeless) && !errors.Is(err, errMemory) {
		x.failed = append(x.failed, LeftOut{c.Candidate, err.Error()})
	}
}

// pad makes a list as long as the rounds before this one.
func pad(list []float64, round int) []float64 {
	for len(list) < round {
		list = append(list, 0)
	}
	return list
}
