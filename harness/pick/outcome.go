package pick

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Outcome is what a race found.
type Outcome struct {
	Results    []Result   `json:"results"`     // the best first; last those that dropped out
	ModelError float64    `json:"model_error"` // median of |predicted/measured - 1|; 0: nothing was predicted
	Noise      float64    `json:"noise"`       // median difference of two runs of one candidate, as a share; 0: unknown
	Rounds     int        `json:"rounds"`
	Reruns     int        `json:"reruns"`           // repeated runs that other load had disturbed
	Failed     []Rejected `json:"failed,omitempty"` // with a wrong outcome
}

// outcome ranks the candidates.
func (s *raceState) outcome() Outcome {
	o := Outcome{Results: slices.Clone(s.all), Rounds: s.rounds, Reruns: s.quiet.reruns, Failed: s.failed}
	o.Noise = noise(s.all)
	var errors []float64
	for i := range o.Results {
		c := &o.Results[i]
		if c.Dropped == "" && !c.ran() { // interrupted
			c.Dropped = "it has not run"
		}
		c.Life, c.Quartile = results.Summarize(positive(c.lives)), lowerQuartile(c.lives)
		c.Predicted, _ = s.Model.Predict(c.Subject, s.Workload)
		if c.Predicted > 0 && c.Life.Median > 0 {
			errors = append(errors, math.Abs(c.Predicted/c.Life.Median-1))
		}
		if c.ran() {
			c.CPU = c.Life.Median * s.Workload.PerSecond(s.Workload.Rate) / 1e9
		}
		if c.Static = upperLevelsStatic(c.Subject, s.Trace.Ticks, s.Workload.Longest); c.Static {
			c.Missing = s.Model.unmeasuredMigrations(*c, s.Workload)
		}
	}
	o.ModelError = median(errors)
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(min(len(a.Dropped), 1), min(len(b.Dropped), 1)), cmp.Compare(a.Quartile, b.Quartile))
	})
	best := o.Results[0].lives
	for i := range o.Results {
		o.Results[i].Ratio = results.Summarize(ratios(o.Results[i].lives, best))
	}
	o.rank()
	return o
}

// rank gives the best candidate, and those that tie with it, the first rank. These come first:
// a candidate whose ratio varies may tie although a faster one does not.
func (o *Outcome) rank() {
	const tied, slower, dropped = 1, 2, 3
	group := func(c Result) int {
		switch {
		case c.Dropped != "":
			return dropped
		case o.mayBeBest(c.Ratio):
			return tied
		}
		return slower
	}
	slices.SortStableFunc(o.Results, func(a, b Result) int { return cmp.Compare(group(a), group(b)) })
	for i := range o.Results {
		switch c := &o.Results[i]; group(*c) {
		case tied:
			c.Rank = 1
		case slower:
			c.Rank = i + 1
		}
	}
}

// Winners returns the best candidate and those that tie with it.
func (o Outcome) Winners() []Result {
	n := 0
	for n < len(o.Results) && o.Results[n].Rank == 1 {
		n++
	}
	return o.Results[:n]
}

// mayBeBest reports whether a candidate with this ratio to the best may be as fast: by the
// interval of the ratio, or within the noise. With too few rounds for an interval, it may
// unless it would drop out later, or exceeds the noise by far.
func (o Outcome) mayBeBest(ratio results.Estimate) bool {
	if math.IsInf(ratio.Lo, -1) {
		return ratio.Median < max(ratioAfter(o.Rounds, dropRatios), 1+noiseRatio*o.Noise)
	}
	return !(ratio.Lo > 1) || ratio.Median < 1+o.Noise
}

// upperLevelsStatic reports whether a wheel on which intervals of up to longest wait does not
// advance in a run of this many ticks, so that its migrations are not measured.
func upperLevelsStatic(c run.Subject, ticks, longest schemes.Tick) bool {
	granularity := schemes.Tick(1)
	for _, radix := range c.Levels[:max(len(c.Levels)-1, 0)] {
		if granularity *= schemes.Tick(radix); granularity > ticks && granularity <= longest {
			return true
		}
	}
	return false
}

// unmeasuredMigrations returns the ns per life of the migrations that a run did not have, by
// the formula of their mean.
func (m *CostModel) unmeasuredMigrations(r Result, w Workload) float64 {
	if _, ok := m.Predict(r.Subject, w); !ok {
		return 0
	}
	missing := moves(r.Subject, w) - r.PerTimer.Migrations
	return max(0, missing) * m.at(r.Subject, w.N).Steps[stepMove]
}

// median returns the median; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return results.Summarize(values).Median
}

// lowerQuartile returns the lower quartile of the runs that ended, the least of up to four; 0
// of none. Candidates are ranked by it: a disturbance only makes a run longer, for seconds at
// a time, and often doubles it. It moves the median of a few rounds if it meets half of them,
// the quartile only if it meets three of four. The minimum of many runs is luck.
func lowerQuartile(lives []float64) float64 {
	ended := slices.Sorted(slices.Values(positive(lives)))
	if len(ended) == 0 {
		return 0
	}
	return stat.Quantile(0.25, stat.Empirical, ended, nil)
}

// positive returns the times of the runs that ended.
func positive(lives []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(lives), func(ns float64) bool { return ns <= 0 })
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

// noise returns the median of how much two runs of one candidate in one round differ.
func noise(all []Result) float64 {
	var seen []float64
	for _, c := range all {
		for _, r := range ratios(c.reruns, c.lives) {
			seen = append(seen, max(r, 1/r)-1)
		}
	}
	return median(seen)
}
