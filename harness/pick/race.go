package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"timerlab/harness"
	"timerlab/harness/measure"
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
	Keep     []string // candidates that run to the end however slow they are
	Thorough bool     // all within twice the best run all rounds, whatever they take, and no tick is timed: the truth that a pick is compared with
}

// Result is how a candidate did.
type Result struct {
	Candidate
	Life      measure.Estimate // ns for a timer's life: start, restart or stop, ticks, expiry
	Predicted float64          // what the model said of it; 0: nothing
	Ratio     measure.Estimate // of that over the first one's, round by round
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

// Outcome is the race's.
type Outcome struct {
	Results []Result // the fastest first; then those that dropped out
	Model   float64  // by how much the model's predictions are off, as a part of what was timed: the median of those that ran
	Noise   float64  // by how much the same candidate differs from itself, as a part of its time
	Rounds  int
	Failed  []LeftOut // wrong outcomes
}

const (
	enoughRounds   = 12   // twice what an interval needs, if they take time enough
	enoughTime     = 4    // part of the budget: shorter races go on, as what disturbs a machine lasts for seconds
	undecided      = 0.05 // of its time that another one may save: half of what a good pick may be off; above it the race goes on
	mostRounds     = 100
	thoroughRounds = 7                // an odd number, enough for an interval
	thoroughTime   = 20 * time.Second // and as many more as this takes, up to
	thoroughMost   = 25               // rounds
	farBehind      = 2.5              // times the best after one round, in which either may have been disturbed: out
	behind         = 1.5              // times the best after two, by their shorter runs; nothing that far behind was seen to win
	atMost         = 2                // the same in a thorough race
	farther        = 1.25             // times the best after three rounds, by their medians, which a single disturbed run does not move
	clearly        = 3                // times the noise that was seen: below it nobody drops out
	finalists      = 4                // few enough for six rounds within a minute at two million timers
)

// Run runs the race. Progress is told before each run.
func (r Race) Run(ctx context.Context, in []Candidate, progress measure.Progress) (Outcome, error) {
	if len(in) == 0 {
		return Outcome{}, errors.New("no candidate is left")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // what one run leaves is not the next one's to pay
	x := &running{Race: r, began: time.Now(), all: make([]Result, len(in))}
	for i, c := range in {
		x.all[i] = Result{Candidate: c}
	}
	if r.Limits.Tail > 0 { // before the fast ones push out who keeps it
		if err := x.latencies(ctx, len(x.all), progress); err != nil {
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
		if r.Thorough && x.settled() {
			return x.outcome(), nil
		}
		x.drop(round)
		if !r.Thorough && (x.settled() || !x.another()) {
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

// settled reports whether there were rounds enough.
func (x *running) settled() bool {
	took := time.Since(x.began)
	if x.Thorough {
		return x.rounds >= thoroughRounds && took > thoroughTime || x.rounds >= thoroughMost
	}
	return x.rounds >= enoughRounds && took > x.Budget/enoughTime && !x.open() || x.rounds >= mostRounds
}

// open reports whether somebody may still be clearly faster than the first.
func (x *running) open() bool {
	at := x.racing()
	for _, i := range at {
		if measure.Summarize(ratios(x.all[i].lives, x.all[at[0]].lives)).Lo < 1-undecided {
			return true
		}
	}
	return false
}

// sure reports whether medians tell enough to leave only the best: after three rounds, in
// a part of the time that is enough.
func (x *running) sure(round int) bool {
	return round >= 2 && time.Since(x.began) > x.Budget/(2*enoughTime)
}

// another reports whether there is time for another round, and the latencies. If there
// is not for two, with all, those that are behind leave while two remain or more: a
// second and a third round of the best say more than one of all.
func (x *running) another() bool {
	at := x.racing()
	left := x.Budget - time.Since(x.began)
	runs := 0 // that there is time for
	if took := x.took(at); took > 0 {
		runs = int(left / took)
	}
	if x.Limits.Tail == 0 { // else ticks were timed at the beginning
		runs -= min(len(at), finalists)
	}
	fit := runs/2 - 1 // the best one runs twice
	if x.rounds < 3 && fit >= leastFew && fit < len(at) {
		for _, i := range at[fit:] {
			x.all[i].Dropped, x.all[i].Cut = fmt.Sprintf("there was time for more rounds of the first %d only", fit), true
		}
		return true
	}
	return runs > len(at)
}

const leastFew = 2

// took returns how long a run takes, its filling included, on average.
func (x *running) took(at []int) time.Duration {
	sum := time.Duration(0)
	for _, i := range at {
		sum += x.all[i].took
	}
	return sum / time.Duration(max(1, len(at)))
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
	failed []LeftOut
}

// racing returns the places of those that are in the race, the best so far first.
func (x *running) racing() (at []int) {
	for i := range x.all {
		if x.all[i].Dropped == "" {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(x.all[a].median(), x.all[b].median()) })
	return at
}

func (r *Result) median() float64 {
	return middle(ran(r.lives))
}

// round runs everyone once, and the best one twice.
func (x *running) round(ctx context.Context, round int, random *rand.Rand, progress measure.Progress) error {
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
		if !x.Thorough && x.pace[stretches-1] > 0 && time.Since(x.began) > x.Budget {
			if len(ran(c.lives)) == 0 {
				c.Dropped, c.Cut = "no time was left", true
			}
			continue
		}
		left := len(at) + 1 - x.runs%(len(at)+1)
		progress(x.runs, x.runs+left, fmt.Sprintf("round %d, %v", round+1, c.Candidate))
		x.runs++
		began := time.Now()
		ns, err := x.run(c, nil)
		c.took = time.Since(began)
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

// run drives a candidate through the trace, and returns the time for each life. With
// ticks it times each PerTick instead.
func (x *running) run(c *Result, ticks *measure.Latencies) (ns float64, err error) {
	before := measure.LiveHeap()
	cfg := c.Config(x.Trace.Timers)
	s, err := c.Info.New(cfg)
	if err != nil {
		return 0, err
	}
	d := harness.NewDrive(s, x.Trace)
	if err := d.Fill(); err != nil {
		return 0, err
	}
	counter, _ := s.(schemes.Counter)
	if c.Bytes == 0 {
		c.Bytes = int64(measure.LiveHeap() - before - measure.HandleBytes*x.Trace.Timers + measure.OffHeap(s))
	}
	if limit := x.Limits.Memory; limit > 0 && c.Bytes > limit { // nobody is compared with its time
		return 0, fmt.Errorf("%w %s, allowed %s", errMemory, FormatBytes(c.Bytes), FormatBytes(limit))
	}
	counts := counter.Counts()
	if err := d.RunTo(0, nil); err != nil { // what is made before the first tick is no part of the run
		return 0, err
	}
	began := time.Now()
	if err := x.drive(c, d, ticks, began); err != nil {
		return 0, err
	}
	took := time.Since(began)
	err = d.Verify()
	lives := float64(x.Trace.Lifetimes())
	c.Counts = perLife(counter.Counts().Sub(counts), lives)
	return float64(took.Nanoseconds()) / lives, err
}

const (
	stretches     = 64                     // of a run, between which it may be given up
	early         = 32                     // of them before a run is compared with the shortest: half
	slowButSteady = 10                     // times the best that a candidate may take which may be the only one to keep a limit
	hopeless      = 3                      // times the time that the shortest run took so far: given up
	brief         = 200 * time.Millisecond // what a run may always take: a disturbance can be as long as a short run
)

var (
	errHopeless = errors.New("given up")
	errMemory   = errors.New("it takes")
)

// patience is how many times the time of the best a candidate may take: more while it is
// not known who keeps the limit of a tick's time, since that may be one of the slow ones.
func (x *running) patience(c *Result) float64 {
	switch {
	case slices.Contains(x.Keep, c.Candidate.String()):
		return math.Inf(1)
	case x.Limits.Tail > 0 && c.Worst == 0:
		return slowButSteady
	}
	return hopeless
}

// drive takes the drive to the trace's end, unless another candidate was far faster up to
// the same tick. The margin is wide, because wheels do not migrate evenly: one of 64 slots
// has done so by then, and one of 256 may have it all before it.
func (x *running) drive(c *Result, d *harness.Drive, ticks *measure.Latencies, began time.Time) error {
	var watch harness.Watch
	if ticks != nil {
		watch = ticks
	}
	var pace [stretches]time.Duration
	for k := range stretches {
		if err := d.RunTo(x.Trace.Ticks*schemes.Tick(k+1)/stretches, watch); err != nil {
			return err
		}
		pace[k] = time.Since(began)
		best := x.pace[k]
		whole := x.pace[stretches-1]
		switch {
		case whole > 0 && float64(pace[k]) > max(x.patience(c)*float64(whole), float64(brief)):
			return fmt.Errorf("%w after %d %% of a run: %.2g times the time of the best for all of it", errHopeless, 100*(k+1)/stretches, float64(pace[k])/float64(whole))
		case k >= early && best > 0 && float64(pace[k]) > max(x.patience(c)*float64(best), float64(brief)):
			return fmt.Errorf("%w after %d %% of a run: %.2g times the time of the best", errHopeless, 100*(k+1)/stretches, float64(pace[k])/float64(best))
		case pace[k] > x.Budget/2:
			x.short = true
			return fmt.Errorf("%w after %d %% of a run, which took half of the budget, %v", errHopeless, 100*(k+1)/stretches, x.Budget)
		}
	}
	if last := x.pace[stretches-1]; last == 0 || pace[stretches-1] < last {
		x.pace = pace
	}
	return nil
}

// perLife divides counts by lives, in thousandths.
func perLife(c schemes.Counts, lives float64) schemes.Counts {
	each := func(n uint64) uint64 { return uint64(1000 * float64(n) / lives) }
	return schemes.Counts{Compares: each(c.Compares), Visits: each(c.Visits), Links: each(c.Links), Migrations: each(c.Migrations), EmptySlots: each(c.EmptySlots)}
}

// drop ends the race for those that are clearly behind and, after three rounds, all but the first few.
func (x *running) drop(round int) {
	at := x.racing()
	if len(at) == 0 {
		return
	}
	best := slices.MinFunc(at, func(a, b int) int { return cmp.Compare(x.all[a].standing(round), x.all[b].standing(round)) })
	unclear := 1 + clearly*noise(x.all)
	for place, i := range at {
		c := &x.all[i]
		switch times := c.standing(round) / x.all[best].standing(round); {
		case slices.Contains(x.Keep, c.Candidate.String()):
		case times > x.tolerates(round) && times > unclear:
			c.Dropped = fmt.Sprintf("%.2g times the time of the best after %s", times, rounds(round+1))
		case x.sure(round) && place >= finalists && times > unclear && !x.Thorough:
			c.Dropped = fmt.Sprintf("not among the first %d after %s", finalists, rounds(round+1))
		}
	}
}

// standing is the time by which a candidate is compared after a round: a disturbance only
// adds, so it is the shorter of two, and the median of more.
func (r *Result) standing(round int) float64 {
	if all := ran(r.lives); round < 2 && len(all) > 0 {
		return slices.Min(all)
	}
	return r.median()
}

// tolerates is tolerated, while nothing is sure at most as after two rounds.
func (x *running) tolerates(round int) float64 {
	if !x.sure(round) {
		round = min(round, 1)
	}
	return tolerated(round, x.Thorough)
}

// tolerated returns how many times the best a candidate may take after a round, counted
// from 0.
func tolerated(round int, thorough bool) float64 {
	switch {
	case round <= 0:
		return farBehind
	case thorough:
		return atMost
	case round == 1:
		return behind
	}
	return farther
}

func rounds(n int) string {
	if n == 1 {
		return "a round"
	}
	return fmt.Sprintf("%d rounds", n)
}

// latencies times every PerTick of the first in the race, once, and puts out who exceeds
// the limit. With a limit, whoever there was no time for cannot win.
func (x *running) latencies(ctx context.Context, most int, progress measure.Progress) error {
	at := x.racing()
	for _, i := range at[:min(len(at), most)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &x.all[i]
		if c.Worst > 0 {
			continue
		}
		if x.Limits.Tail > 0 && x.pace[stretches-1] > 0 && time.Since(x.began) > x.Budget/2 {
			c.Dropped, c.Cut = "there was no time for its ticks", true
			continue
		}
		progress(x.runs, x.runs+1, fmt.Sprintf("every tick of %v", c.Candidate))
		l := measure.NewLatencies()
		_, err := x.run(c, l)
		switch {
		case errors.Is(err, errHopeless) && c.median() > 0: // something disturbed it
			continue
		case err != nil:
			x.out(c, err)
			continue
		}
		c.P50, c.Tail, c.Worst = l.At(50), l.At(99.9), l.Worst()
		if x.Limits.Tail > 0 && c.Tail > x.Limits.Tail {
			c.Dropped = fmt.Sprintf("99.9 %% of its ticks take up to %v, allowed %v", c.Tail, x.Limits.Tail)
		}
	}
	return nil
}

// outcome ranks what was run.
func (x *running) outcome() Outcome {
	o := Outcome{Rounds: x.rounds, Failed: x.failed}
	at := x.racing()
	if len(at) == 0 {
		o.Results = x.all
		return o
	}
	o.Noise = noise(x.all)
	o.Results = slices.Clone(x.all)
	for i := range o.Results {
		if c := &o.Results[i]; c.Dropped == "" && len(ran(c.lives)) == 0 { // it was interrupted
			c.Dropped = "it has not run"
		} else if c.Dropped == "" && x.Limits.Tail > 0 && c.Worst == 0 {
			c.Dropped = "interrupted before its ticks were timed, so that nothing is known of their limit"
		}
		o.Results[i].Life = measure.Summarize(ran(o.Results[i].lives))
		o.Results[i].Predicted, _ = x.Model.Predict(o.Results[i].Candidate, x.Workload)
	}
	o.Model = off(o.Results)
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		if out := cmp.Compare(min(len(a.Dropped), 1), min(len(b.Dropped), 1)); out != 0 {
			return out
		}
		return cmp.Compare(a.Life.Median, b.Life.Median)
	})
	for i := range o.Results {
		o.Results[i].Ratio = measure.Summarize(ratios(o.Results[i].lives, o.Results[0].lives))
	}
	return o
}

// off returns the median of |predicted/timed - 1|; 0 if nothing was predicted.
func off(all []Result) float64 {
	var seen []float64
	for _, r := range all {
		if r.Predicted > 0 && r.Life.Median > 0 {
			seen = append(seen, math.Abs(r.Predicted/r.Life.Median-1))
		}
	}
	return middle(seen)
}

// middle returns the upper median; 0 of none.
func middle(seen []float64) float64 {
	if len(seen) == 0 {
		return 0
	}
	slices.Sort(seen)
	return seen[len(seen)/2]
}

func ran(lives []float64) (all []float64) {
	for _, ns := range lives {
		if ns > 0 {
			all = append(all, ns)
		}
	}
	return all
}

// ratios returns those of two lists in the rounds that both have.
func ratios(over, under []float64) (all []float64) {
	for i := range min(len(over), len(under)) {
		if over[i] > 0 && under[i] > 0 {
			all = append(all, over[i]/under[i])
		}
	}
	return all
}

// noise returns by how much a run differs from another one of the same candidate in
// the same round: the median of what is seen.
func noise(all []Result) float64 {
	var seen []float64
	for _, c := range all {
		for _, r := range ratios(c.again, c.lives) {
			seen = append(seen, max(r, 1/r)-1)
		}
	}
	return middle(seen)
}

// Winners returns those that share the first place: the one whose time is least, and
// those whose time may be as small, by the interval of their ratio or as it is within the
// noise. More than one is a tie.
func (o Outcome) Winners() (tied []Result) {
	for _, c := range o.Results {
		if c.Dropped == "" && (len(tied) == 0 || o.mayBeFirst(c.Ratio)) {
			tied = append(tied, c)
		}
	}
	return tied
}

// mayBeFirst reports whether a candidate with this ratio to the first may be as fast. With
// too few rounds for an interval, whoever would have dropped out later, or is beyond the
// noise by far, is not.
func (o Outcome) mayBeFirst(ratio measure.Estimate) bool {
	if math.IsInf(ratio.Lo, -1) {
		return ratio.Median < max(tolerated(o.Rounds-1, false), 1+clearly*o.Noise)
	}
	return !(ratio.Lo > 1) || ratio.Median < 1+o.Noise
}
