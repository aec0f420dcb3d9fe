package pick

import (
	"cmp"
	"math"
	"slices"

	"timerlab/harness/results"
)

// Outcome is the race's.
type Outcome struct {
	Results []Result // the fastest first; then those that dropped out
	Model   float64  // by how much the model's predictions are off, as a part of what was timed: the median of those that ran
	Noise   float64  // by how much the same candidate differs from itself, as a part of its time
	Rounds  int
	Shared  int       // runs that were made again, as something else computed on the same core
	Failed  []LeftOut // wrong outcomes
}

// outcome ranks what was run.
func (x *running) outcome() Outcome {
	o := Outcome{Rounds: x.rounds, Shared: x.quiet.again, Failed: x.failed}
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
		}
		o.Results[i].Life = results.Summarize(ran(o.Results[i].lives))
		o.Results[i].Quartile = o.Results[i].quartile()
		o.Results[i].Predicted, _ = x.Model.Predict(o.Results[i].Candidate, x.Workload)
	}
	o.Model = off(o.Results)
	slices.SortStableFunc(o.Results, func(a, b Result) int {
		if out := cmp.Compare(min(len(a.Dropped), 1), min(len(b.Dropped), 1)); out != 0 {
			return out
		}
		return cmp.Compare(a.Quartile, b.Quartile)
	})
	for i := range o.Results {
		o.Results[i].Ratio = results.Summarize(ratios(o.Results[i].lives, o.Results[0].lives))
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

// lowerQuartile returns that of what was seen, the least of up to four; 0 of none.
func lowerQuartile(seen []float64) float64 {
	if len(seen) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(seen))[(len(seen)-1)/4]
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
func (o Outcome) mayBeFirst(ratio results.Estimate) bool {
	if math.IsInf(ratio.Lo, -1) {
		return ratio.Median < max(tolerated(o.Rounds-1, false), 1+clearly*o.Noise)
	}
	return !(ratio.Lo > 1) || ratio.Median < 1+o.Noise
}
