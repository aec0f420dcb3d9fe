package pick

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/schemes"
)

// Judgement is a file of verdicts on picks.
type Judgement struct {
	Version  int             `json:"version"`
	Machine  results.Machine `json:"machine"`
	Seed     uint64          `json:"seed"`
	Budget   time.Duration   `json:"budget_ns"` // of a pick; 0: BudgetFor
	Verdicts []Verdict       `json:"verdicts"`

	cost func(done schemes.Counts) float64
}

// identity is what costs depend on: of the code, its digests.
func identity(m results.Machine) string {
	return fmt.Sprint(m.Get("cpu"), m.Get("cpuid"), m.Get("caches"), m.Get("cores"), m.Get("thp"), m.Get("go"), m.Get("code"))
}

// JudgementVersion is the version of the files. Version 1 was made by a picker that predicted costs, and version 2
// chose the best and compared with it in one race.
const JudgementVersion = 3

// ErrTerms is wrapped by the error about a file that cannot be continued.
var ErrTerms = errors.New("its machine, Go version, code, seed or budget is another")

// ReadJudgement reads the file of a judgement.
func ReadJudgement(path string) (j Judgement, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return j, err
	}
	if err = json.Unmarshal(data, &j); err == nil && j.Version != JudgementVersion {
		err = fmt.Errorf("version %d is of another picker (must be %d)", j.Version, JudgementVersion)
	}
	if err != nil {
		return j, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// Continue adds the verdicts of a file of the same machine, seed and budget, if there is one.
func (j *Judgement) Continue(path string) error {
	j.Version = JudgementVersion
	t, err := ReadJudgement(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && (j.Seed != t.Seed || j.Budget != t.Budget || identity(j.Machine) != identity(t.Machine)):
		err = fmt.Errorf("%s: %w", path, ErrTerms)
	}
	j.Verdicts = t.Verdicts
	return err
}

// Judge adds the verdicts that are missing, and saves the file after each. It leaves out a case that fails, and
// joins the errors at the end.
func (j *Judgement) Judge(ctx context.Context, path string, cases []Case, progress run.Progress) error {
	var failed []error
	for i, c := range cases {
		if slices.ContainsFunc(j.Verdicts, func(v Verdict) bool { return v.Name == c.Name }) {
			continue
		}
		v, err := c.verdict(ctx, *j, func(_, _ int, label string) { progress(i, len(cases), c.Name+", "+label) })
		if err != nil {
			failed = append(failed, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		j.Verdicts = append(j.Verdicts, v)
		data, err := json.MarshalIndent(j, "", "\t")
		if err == nil { // in one step, so that readers never find half of it
			err = maybe.WriteFile(path, append(data, '\n'), 0o644)
		}
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
	}
	return errors.Join(failed...)
}

// Multiples of what the best other candidate costs.
const (
	GoodPick   = 1.10 // is what a good pick costs at most
	heldWithin = 1.05 // is as good as the best: half of what a pick promises
)

// Summary compares the verdicts on some cases with the targets.
type Summary struct {
	Good       int            `json:"good"`   // picks within GoodPick
	Grades     map[string]int `json:"grades"` // by the intervals of the ratios
	OverMemory int            `json:"over_memory_limit"`
	Short      int            `json:"short"`      // picks whose time was too short
	Tied       int            `json:"tied"`       // picks that name a tie
	TiesRight  int            `json:"ties_right"` // ties of which every candidate is within GoodPick
	Unjudged   []string       `json:"not_judged"` // cases
	Worst      float64        `json:"-"`          // ratio of a pick
	Held       int            `json:"held"`       // cases in which a candidate within heldWithin of the best raced

	All, Beyond int     `json:"-"` // cases, judged or not; picks that are not good
	GoodShare   float64 `json:"-"` // of good picks among all cases
	MostGood    float64 `json:"-"` // the same if all cases that are not judged have one
}

// Summary returns the summary of the cases with these names.
func (j Judgement) Summary(names []string) Summary {
	s := Summary{Grades: map[string]int{"within": 0, "beyond": 0, "undecided": 0}}
	s.Unjudged = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(j.Verdicts, func(v Verdict) bool { return v.Name == name })
	})
	for _, v := range j.Verdicts {
		s.Grades[v.grade()]++
		switch {
		case v.Short:
			s.Short++ // which is a miss
		case v.Ratio <= GoodPick:
			s.Good++
		}
		if v.Tied > 1 {
			s.Tied++
			if v.WorstTied <= GoodPick {
				s.TiesRight++
			}
		}
		if v.Memory > 0 && v.Bytes > v.Memory {
			s.OverMemory++
		}
		if s.Worst = max(s.Worst, v.Ratio); v.Held > 0 && v.Held <= heldWithin {
			s.Held++
		}
	}
	s.All, s.Beyond = len(j.Verdicts)+len(s.Unjudged), len(j.Verdicts)-s.Good
	s.GoodShare, s.MostGood = float64(s.Good)/float64(s.All), float64(s.Good+len(s.Unjudged))/float64(s.All)
	return s
}

// Verdict is how a pick compares with a measurement of all candidates.
type Verdict struct {
	Name      string  `json:"name"`
	About     string  `json:"about"`
	N         int     `json:"n"`
	Rate      float64 `json:"rate_per_tick"`
	MeanStay  float64 `json:"mean_ticks"`
	Memory    int64   `json:"memory_limit"`    // bytes; 0: no limit
	Scheme    string  `json:"scheme"`          // of the pick
	Picked    string  `json:"picked"`          // with its sizes
	Best      string  `json:"best"`            // of all others, in the thorough race
	Tied      int     `json:"tied"`            // candidates that the pick named
	Bytes     int64   `json:"bytes"`           // the most that the picked candidate held in the pick and the duel
	Seconds   float64 `json:"seconds"`         // that the pick took
	Short     bool    `json:"short,omitempty"` // the pick says that it is not sure
	BestNs    float64 `json:"best_ns"`         // per timer, in the duel
	Ratio     float64 `json:"ratio"`           // of the pick to the best, round by round
	Low       float64 `json:"ratio_low"`       // the interval of the ratio; 0, 0: too few rounds
	High      float64 `json:"ratio_high"`      // "
	WorstTied float64 `json:"worst_tied"`      // the ratio of the slowest candidate that the pick named
	Measured  int     `json:"measured"`        // candidates in the thorough race
	Held      float64 `json:"held"`            // there, the least ratio to the best of a candidate that raced in the pick
	Rounds    int     `json:"rounds"`          // of the duel
}

// grade says whether the pick costs at most GoodPick times the best: "within", "beyond", or
// "undecided" if its interval reaches both sides or is unknown.
func (v Verdict) grade() string {
	switch {
	case v.High == 0:
	case v.High <= GoodPick:
		return "within"
	case v.Low > GoodPick:
		return "beyond"
	}
	return "undecided"
}

// verdict picks as a user would. A thorough race of all candidates and more sizes, on other operations of the same workload,
// finds the best candidate but the picked one. A duel on new operations compares the two, and all that tied in the pick.
// The times of the thorough race itself would not do, as the winner of many candidates is in part lucky.
func (c Case) verdict(ctx context.Context, terms Judgement, progress run.Progress) (v Verdict, err error) {
	w := FromPreset(c.Preset)
	in, _ := candidates(w, c.Limits, 0)
	race := Race{Workload: w, Limits: c.Limits, Seed: terms.Seed, Cost: terms.cost}
	race.Budget = cmp.Or(terms.Budget, BudgetFor(w.N))
	o, err := c.race(ctx, race, in, progress)
	if err != nil {
		return v, err
	}
	won := o.Winners()
	if len(won) == 0 {
		return v, fmt.Errorf("pick: %s: no winner (%v: %s)", c.Name, o.Results[0].Subject, o.Results[0].Dropped)
	}
	v = Verdict{
		Name: c.Name, About: c.About, N: w.N, Rate: w.Rate, MeanStay: w.MeanStay, Memory: c.Limits.Memory,
		Scheme: won[0].Info.Name, Picked: won[0].Subject.String(), Tied: len(won), Bytes: won[0].Bytes,
		Seconds: o.Seconds, Short: !o.Sure,
	}
	race.Depth, race.Budget, race.Seed = Thorough, 24*time.Hour, terms.Seed+1
	all, _ := candidates(w, c.Limits, 1)
	truth, err := c.race(ctx, race, all, progress)
	if err != nil {
		return v, err
	}
	v.Measured = len(truth.Results)
	best := truth.bestBut(v.Picked)
	if best == nil {
		return v, fmt.Errorf("pick: %s: no candidate but %s ran to the end", c.Name, v.Picked)
	}
	v.Best, v.Held = best.Subject.String(), truth.held(o)
	in = []run.Subject{best.Subject}
	for _, r := range won {
		if r.Subject.String() != v.Best {
			in = append(in, r.Subject)
		}
	}
	race.Depth, race.Seed = Duel, race.Seed+1
	duel, err := c.race(ctx, race, in, progress)
	if err == nil {
		err = v.compare(duel, won)
	}
	return v, err
}

// held returns the least ratio to the best of this thorough race of the candidates that raced in a pick; 0: none ran.
func (o Outcome) held(pick Outcome) (least float64) {
	for _, r := range o.Results {
		raced := slices.ContainsFunc(pick.Results, func(c Result) bool { return c.Raced && c.Subject.String() == r.Subject.String() })
		if raced && r.Rank > 0 && (least == 0 || r.Ratio.Median < least) {
			least = r.Ratio.Median
		}
	}
	return least
}

// bestBut returns the fastest candidate but this one, or nil.
func (o Outcome) bestBut(picked string) (best *Result) {
	for _, r := range o.Results {
		ran := r.Dropped == "" && r.Ratio.N > 0 && r.Subject.String() != picked
		if ran && (best == nil || r.Ratio.Median < best.Ratio.Median) {
			best = &r
		}
	}
	return best
}

// race runs a race. A wrong outcome is an error.
func (c Case) race(ctx context.Context, r Race, in []run.Subject, progress run.Progress) (o Outcome, err error) {
	if o, err = r.Run(ctx, in, progress); err == nil && len(o.Failed) > 0 {
		err = fmt.Errorf("pick: %s: %v: %s", c.Name, o.Failed[0].Subject, o.Failed[0].Why)
	}
	return o, err
}

// compare fills in the results of a duel of the picked candidates with the best.
func (v *Verdict) compare(duel Outcome, won []Result) error {
	v.Rounds = duel.Rounds
	lives := map[string]map[int]float64{}
	for _, r := range duel.Results {
		lives[r.Subject.String()] = r.rounds
		if r.Subject.String() == v.Picked { // it may hold more on other operations, or after more rounds
			v.Bytes = max(v.Bytes, r.Bytes)
		}
	}
	v.BestNs = results.Median(slices.Collect(maps.Values(lives[v.Best])))
	e := results.Summarize(ratios(lives[v.Picked], lives[v.Best]))
	if v.Ratio = e.Median; e.N == 0 {
		return fmt.Errorf("pick: %s: %s was not measured to the end", v.Name, v.Picked)
	}
	if e.Bounded() {
		v.Low, v.High = e.Lo, e.Hi
	}
	for _, r := range won {
		for _, other := range []string{v.Best, v.Picked} {
			v.WorstTied = max(v.WorstTied, results.Summarize(ratios(lives[r.Subject.String()], lives[other])).Median)
		}
	}
	return nil
}

// Case is a workload on which a pick is judged.
type Case struct {
	demand.Preset
	Limits Limits
}

// Cases returns the workloads on which picks are judged: all presets whose clock passes tick by tick, since the thorough race
// of ten million entries of a cache would take hours, and random ones of up to most timers, of which every third has a limit
// of memory.
func Cases(random, most int, seed uint64) (all []Case) {
	for _, p := range demand.Presets() {
		if p.Step == 0 {
			all = append(all, Case{Preset: p})
		}
	}
	for i := range random {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		c := Case{Preset: randomPreset(r, most)}
		c.Name = fmt.Sprintf("random-%03d", i+1)
		if i%3 == 0 { // so little that not all candidates fit
			in, _ := candidates(FromPreset(c.Preset), Limits{}, 0)
			slices.SortFunc(in, func(a, b run.Subject) int { return cmp.Compare(memory(a, c.N), memory(b, c.N)) })
			c.Limits.Memory = memory(in[len(in)/2], c.N)
		}
		all = append(all, c)
	}
	return all
}

// evenly draws from low to high, evenly in the logarithm.
func evenly(r *rand.Rand, low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }

// randomPreset draws a workload: n from 10 to most and mean intervals from 4 to 10 million ticks;
// one in ten has bursts, and one in ten deadlines on multiples of a period.
func randomPreset(r *rand.Rand, most int) (p demand.Preset) {
	p.N, p.Tick = int(evenly(r, 10, float64(most))), time.Millisecond
	kind := r.IntN(10)
	if period := schemes.Tick(evenly(r, 2, 1e5)); kind < 2 {
		p.About = fmt.Sprintf("in bursts every %d ms", period)
		groups := schemes.Tick(1 + r.IntN(50)) // each on a tick of its own, for as many periods
		interval := demand.Phased(groups*period, func(timer schemes.Tick) schemes.Tick { return 1 + timer%groups*period })
		intervals := fmt.Sprintf("const:%dms", interval(0, 1))
		if kind == 1 {
			p.About = fmt.Sprintf("deadlines on multiples of %d ms", period)
			// Timers expire on the first multiple of the period that is half to two and a half periods later. They start on
			// multiples, so a quarter of the intervals are a period, half of them two.
			interval = func(timer int, now schemes.Tick) schemes.Tick {
				after := now + period/2 + 1 + schemes.Tick(workload.Mix(now, schemes.ID(timer)))%(2*period)
				return (after+period-1)/period*period - now
			}
			intervals = fmt.Sprintf("mix:0.25*const:%dms+0.5*const:%dms+0.25*const:%dms", period, 2*period, 3*period)
		}
		p.Phases = interval
		p.Classes = []demand.Class{class(intervals, "", "")}
		return p
	}
	for range 1 + r.IntN(3) {
		c := randomClass(r, evenly(r, 4, 1e7))
		c.Share = evenly(r, 0.01, 1)
		p.Classes = append(p.Classes, c)
		p.About += c.String() + "; "
	}
	p.About = p.About[:len(p.About)-2]
	return p
}

// randomClass draws timers of a mean interval in ticks, which are of 1 ms.
func randomClass(r *rand.Rand, mean float64) demand.Class {
	ms := func(x float64) string { return fmt.Sprintf("%.0fms", math.Max(1, x)) }
	interval := []string{
		"const:" + ms(mean), "exp:" + ms(mean), "uniform:" + ms(mean/4) + "," + ms(2*mean+2),
		"lognormal:" + ms(mean/2) + "," + ms(mean+2), "pareto:" + ms(mean/4) + ",1.5", "erlang:" + ms(mean),
		"bimodal:" + ms(mean), "mix:0.99*exp:" + ms(mean/100) + "+0.01*const:" + ms(mean),
	}[r.IntN(5+3*min(1, int(mean/1000)))] // the last three have parts far below the mean
	after := ms(mean * evenly(r, 0.001, 0.5))
	after = []string{"exp:" + after, "const:" + after, "uniform:1us," + after}[r.IntN(3)]
	share := fmt.Sprintf("%v@", 0.01+0.99*r.Float64())
	ends := [][2]string{{share + after}, {"", after}, {"", share + after}, {}}[r.IntN(4)] // a stop and a restart
	return class(interval, ends[0], ends[1])
}

// class returns the class of texts that are valid.
func class(interval, stop, restart string) demand.Class {
	c, err := demand.ParseClass(interval, stop, restart)
	if err != nil {
		panic(err)
	}
	return c
}
