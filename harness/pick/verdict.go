package pick

import (
	"context"
	"fmt"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Verdict is how a pick compares with a measurement of all candidates.
type Verdict struct {
	Name      string  `json:"name"`
	About     string  `json:"about"`
	N         int     `json:"n"`
	Rate      float64 `json:"rate_per_tick"`
	Residence float64 `json:"mean_ticks"`
	Memory    int64   `json:"memory_limit"` // bytes; 0: no limit
	Picked    string  `json:"picked"`
	Best      string  `json:"best"`
	Tied      int     `json:"tied"` // candidates that the pick named
	Bytes     int64   `json:"bytes"`
	Seconds   float64 `json:"seconds"`      // that the pick took
	PickedNs  float64 `json:"picked_ns"`    // per timer, in the thorough race
	BestNs    float64 `json:"best_ns"`      // "
	Ratio     float64 `json:"ratio"`        // of the two, round by round
	Low       float64 `json:"ratio_low"`    // the interval of the ratio; 0, 0: too few rounds
	High      float64 `json:"ratio_high"`   // "
	WorstTied float64 `json:"worst_tied"`   // the ratio of the slowest candidate that the pick named
	Measured  int     `json:"measured"`     // candidates in the thorough race
	Rounds    int     `json:"rounds"`       // of the thorough race
	Noise     float64 `json:"noise"`        // "
	Model     float64 `json:"model_error"`  // in the pick
	Predicted float64 `json:"predicted_of"` // the best one's prediction over the least of all
}

// Grade says whether the pick costs at most this multiple of the best: "within", "beyond", or
// "undecided" if its interval reaches both sides or is unknown.
func (v Verdict) Grade(most float64) string {
	switch {
	case v.High == 0:
	case v.High <= most:
		return "within"
	case v.Low > most:
		return "beyond"
	}
	return "undecided"
}

// Judge picks as a user would, with the budget of the terms. It then measures all candidates
// thoroughly, on another trace of the same workload, and compares.
func (c Case) Judge(ctx context.Context, m *CostModel, terms Terms, progress run.Progress) (v Verdict, err error) {
	w := c.Workload()
	all, _ := Candidates(w, c.Limits)
	in, out := m.Prune(all, w, c.Limits)
	began := time.Now()
	o, err := c.race(ctx, Race{Workload: w, Model: m, Budget: terms.Budget, Seed: terms.Seed}, in, progress)
	if err != nil {
		return v, err
	}
	won := o.Winners()
	if len(won) == 0 {
		return v, fmt.Errorf("pick: %s: no winner", c.Name)
	}
	v = Verdict{
		Name: c.Name, About: c.About, N: w.N, Rate: w.Rate, Residence: w.Residence, Memory: c.Limits.Memory,
		Picked: won[0].Subject.String(), Tied: len(won), Bytes: won[0].Bytes,
		Seconds: time.Since(began).Seconds(), Model: o.ModelError,
	}
	thorough := Race{Workload: w, Model: m, Budget: time.Hour, Seed: terms.Seed + 1, Thorough: terms.Truth}
	for _, r := range won {
		thorough.Keep = append(thorough.Keep, r.Subject.String())
	}
	for _, r := range out {
		in = append(in, r.Subject)
	}
	truth, err := c.race(ctx, thorough, in, progress)
	if err == nil {
		err = v.compare(truth, won)
	}
	return v, err
}

// race runs on the trace of the race's seed. A wrong outcome is an error.
func (c Case) race(ctx context.Context, r Race, in []run.Subject, progress run.Progress) (o Outcome, err error) {
	r.Limits = c.Limits
	if r.Trace, err = r.Workload.Trace(r.Seed); err != nil {
		return o, fmt.Errorf("%s: %w", c.Name, err)
	}
	if o, err = r.Run(ctx, in, progress); err == nil && len(o.Failed) > 0 {
		err = fmt.Errorf("%s: %v: %s", c.Name, o.Failed[0].Subject, o.Failed[0].Why)
	}
	return o, err
}

// compare fills in the results of the thorough race. The best candidate is chosen on every
// other round and compared on the rest: chosen on all rounds of thirty candidates, it would in
// part be the luckiest.
func (v *Verdict) compare(truth Outcome, won []Result) error {
	v.Rounds, v.Noise, v.Measured = truth.Rounds, truth.Noise, len(truth.Results)
	lives := map[string][]float64{}
	fastest, predicted, least := 0.0, 0.0, 0.0
	for _, r := range truth.Results {
		name := r.Subject.String()
		if lives[name] = everyOther(r.lives, 1); len(positive(lives[name])) == 0 { // it ran once
			lives[name] = r.lives
		}
		if ns := lowerQuartile(everyOther(r.lives, 0)); ns > 0 && (v.Best == "" || ns < fastest) {
			v.Best, fastest, predicted = name, ns, r.Predicted
		}
		if r.Predicted > 0 && (least == 0 || r.Predicted < least) {
			least = r.Predicted
		}
	}
	over := func(name string) []float64 { return ratios(lives[name], lives[v.Best]) }
	v.PickedNs, v.BestNs = median(positive(lives[v.Picked])), median(positive(lives[v.Best]))
	if v.Ratio = median(over(v.Picked)); v.Ratio == 0 {
		return fmt.Errorf("pick: %s: %s was not measured to the end", v.Name, v.Picked)
	}
	if e := results.Summarize(over(v.Picked)); e.Bounded() {
		v.Low, v.High = e.Lo, e.Hi
	}
	for _, r := range won {
		v.WorstTied = max(v.WorstTied, median(over(r.Subject.String())))
	}
	if least > 0 {
		v.Predicted = predicted / least
	}
	return nil
}

// everyOther returns the times of every other round from first on, and 0 for the rest.
func everyOther(lives []float64, first int) []float64 {
	some := make([]float64, len(lives))
	for i := first; i < len(lives); i += 2 {
		some[i] = lives[i]
	}
	return some
}
