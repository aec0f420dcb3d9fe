package pick

import (
	"context"
	"fmt"
	"time"

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
	Tied      int     `json:"tied"`            // candidates that the pick named
	Bytes     int64   `json:"bytes"`           // the most that the picked candidate held in either race
	Seconds   float64 `json:"seconds"`         // that the pick took
	Short     bool    `json:"short,omitempty"` // the pick says that its time was too short
	BestNs    float64 `json:"best_ns"`         // per timer, in the thorough race
	Ratio     float64 `json:"ratio"`           // of the pick to the best, round by round
	Low       float64 `json:"ratio_low"`       // the interval of the ratio; 0, 0: too few rounds
	High      float64 `json:"ratio_high"`      // "
	WorstTied float64 `json:"worst_tied"`      // the ratio of the slowest candidate that the pick named
	Measured  int     `json:"measured"`        // candidates in the thorough race
	Rounds    int     `json:"rounds"`          // of the thorough race
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

// Judge picks as a user would. It then measures all candidates and more sizes thoroughly, on
// other operations of the same workload, and compares.
func (c Case) Judge(ctx context.Context, terms Terms, progress run.Progress) (v Verdict, err error) {
	w := c.Workload()
	in, _ := Candidates(w, c.Limits)
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
		Name: c.Name, About: c.About, N: w.N, Rate: w.Rate, Residence: w.Residence, Memory: c.Limits.Memory,
		Picked: won[0].Subject.String(), Tied: len(won), Bytes: won[0].Bytes, Seconds: o.Seconds, Short: o.Needs > 0,
	}
	race.Thorough, race.Budget, race.Seed = true, time.Hour, terms.Seed+1
	for _, r := range won {
		race.Keep = append(race.Keep, r.Subject.String())
	}
	all, _ := candidates(w, c.Limits, 1)
	truth, err := c.race(ctx, race, all, progress)
	if err == nil {
		err = v.compare(truth, won)
	}
	return v, err
}

// race runs a race. A wrong outcome is an error.
func (c Case) race(ctx context.Context, r Race, in []Subject, progress run.Progress) (o Outcome, err error) {
	if o, err = r.Run(ctx, in, progress); err == nil && len(o.Failed) > 0 {
		err = fmt.Errorf("pick: %s: %v: %s", c.Name, o.Failed[0].Subject, o.Failed[0].Why)
	}
	return o, err
}

// compare fills in the results of the thorough race. The best candidate is chosen on every
// other round and compared on the rest: chosen on all rounds of thirty candidates, it would in
// part be the luckiest.
func (v *Verdict) compare(truth Outcome, won []Result) error {
	v.Rounds, v.Measured = truth.Rounds, len(truth.Results)
	lives := map[string][]float64{}
	fastest := 0.0
	for _, r := range truth.Results {
		name := r.Subject.String()
		lives[name] = everyOther(r.lives, 1)
		if name == v.Picked { // it may hold more on other operations, or after more rounds
			v.Bytes = max(v.Bytes, r.Bytes)
		}
		if ns := lowerQuartile(everyOther(r.lives, 0)); ns > 0 && r.Dropped == "" && (v.Best == "" || ns < fastest) {
			v.Best, fastest = name, ns
		}
	}
	over := func(name string) []float64 { return ratios(lives[name], lives[v.Best]) }
	v.BestNs = median(positive(lives[v.Best]))
	if v.Ratio = median(over(v.Picked)); v.Ratio == 0 {
		return fmt.Errorf("pick: %s: %s was not measured to the end", v.Name, v.Picked)
	}
	if e := summarize(over(v.Picked)); e.Bounded() {
		v.Low, v.High = e.Lo, e.Hi
	}
	for _, r := range won {
		v.WorstTied = max(v.WorstTied, median(over(r.Subject.String())))
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
