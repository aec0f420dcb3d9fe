package pick

import (
	"context"
	"fmt"
	"math"
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
	order, predicted := m.sorted(all, w)
	in, _ := m.Prune(all, w, c.Limits)
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
	truth, err := c.race(ctx, thorough, order, progress)
	if err != nil {
		return v, err
	}
	if err := v.compare(truth, won); err != nil {
		return v, err
	}
	for i, s := range order {
		if s.String() == v.Best && !math.IsInf(predicted[i], 1) {
			v.Predicted = predicted[i] / predicted[0]
		}
	}
	return v, nil
}

// race runs on the trace of the race's seed. A wrong outcome is an error.
func (c Case) race(ctx context.Context, r Race, in []run.Subject, progress run.Progress) (o Outcome, err error) {
	r.Limits = c.Limits
	if r.Trace, err = Trace(r.Workload, r.Seed); err != nil {
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
	chosen, compared := map[string]float64{}, map[string][]float64{}
	v.Rounds, v.Noise, v.Measured = truth.Rounds, truth.Noise, len(truth.Results)
	for _, r := range truth.Results {
		name, first, rest := r.Subject.String(), everyOther(r.lives, 0), everyOther(r.lives, 1)
		if len(positive(rest)) == 0 { // it ran once
			rest = r.lives
		}
		compared[name] = rest
		if chosen[name] = lowerQuartile(first); chosen[name] > 0 && (v.Best == "" || chosen[name] < chosen[v.Best]) {
			v.Best = name
		}
	}
	over := func(name string) float64 { return median(ratios(compared[name], compared[v.Best])) }
	v.PickedNs, v.BestNs = median(positive(compared[v.Picked])), median(positive(compared[v.Best]))
	if v.Ratio = over(v.Picked); v.Ratio == 0 {
		return fmt.Errorf("pick: %s: %s was not measured to the end", v.Name, v.Picked)
	}
	e := results.Summarize(ratios(compared[v.Picked], compared[v.Best]))
	if !math.IsInf(e.Lo, 0) && !math.IsInf(e.Hi, 0) {
		v.Low, v.High = e.Lo, e.Hi
	}
	for _, r := range won {
		v.WorstTied = max(v.WorstTied, over(r.Subject.String()))
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
