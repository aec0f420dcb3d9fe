package pick

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

	"timerlab/harness/results"
	"timerlab/harness/run"
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

// Verdict is how a pick compares with a measurement of all candidates.
type Verdict struct {
	Name      string  `json:"name"`
	About     string  `json:"about"`
	N         int     `json:"n"`
	Rate      float64 `json:"rate_per_tick"`
	MeanStay  float64 `json:"mean_ticks"`
	Memory    int64   `json:"memory_limit"` // bytes; 0: no limit
	Picked    string  `json:"picked"`
	Best      string  `json:"best"`            // of all others, in the thorough race
	Tied      int     `json:"tied"`            // candidates that the pick named
	Bytes     int64   `json:"bytes"`           // the most that the picked candidate held in the pick and the duel
	Seconds   float64 `json:"seconds"`         // that the pick took
	Short     bool    `json:"short,omitempty"` // the pick says that its time was too short
	BestNs    float64 `json:"best_ns"`         // per timer, in the duel
	Ratio     float64 `json:"ratio"`           // of the pick to the best, round by round
	Low       float64 `json:"ratio_low"`       // the interval of the ratio; 0, 0: too few rounds
	High      float64 `json:"ratio_high"`      // "
	WorstTied float64 `json:"worst_tied"`      // the ratio of the slowest candidate that the pick named
	Measured  int     `json:"measured"`        // candidates in the thorough race
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
	w := c.Workload()
	in, _ := candidates(w, c.Limits, 0)
	race := Race{Workload: w, Limits: c.Limits, Budget: terms.Budget, Seed: terms.Seed, Cost: terms.cost}
	if race.Budget == 0 {
		race.Budget = BudgetFor(w.N)
	}
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
		Picked: won[0].Subject.String(), Tied: len(won), Bytes: won[0].Bytes, Seconds: o.Seconds, Short: o.Needs > 0,
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
	v.Best = best.Subject.String()
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

// bestBut returns the fastest candidate but this one, or nil.
func (o Outcome) bestBut(picked string) *Result {
	ran := slices.DeleteFunc(slices.Clone(o.Results), func(r Result) bool {
		return r.Dropped != "" || r.Ratio.N == 0 || r.Subject.String() == picked
	})
	if len(ran) == 0 {
		return nil
	}
	best := slices.MinFunc(ran, func(a, b Result) int { return cmp.Compare(a.Ratio.Median, b.Ratio.Median) })
	return &best
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
	lives := map[string][]float64{}
	for _, r := range duel.Results {
		lives[r.Subject.String()] = r.roundNanos
		if r.Subject.String() == v.Picked { // it may hold more on other operations, or after more rounds
			v.Bytes = max(v.Bytes, r.Bytes)
		}
	}
	v.BestNs = medianOrZero(positive(lives[v.Best]))
	e := results.Summarize(ratios(lives[v.Picked], lives[v.Best]))
	if v.Ratio = e.Median; e.N == 0 {
		return fmt.Errorf("pick: %s: %s was not measured to the end", v.Name, v.Picked)
	}
	if e.Bounded() {
		v.Low, v.High = e.Lo, e.Hi
	}
	for _, r := range won {
		own := lives[r.Subject.String()]
		v.WorstTied = max(v.WorstTied, medianOrZero(ratios(own, lives[v.Best])), medianOrZero(ratios(own, lives[v.Picked])))
	}
	return nil
}
