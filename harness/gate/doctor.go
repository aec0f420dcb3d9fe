package gate

import (
	"math"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Diagnosis says whether a machine can carry a verdict on a change of times by VerdictOn.
type Diagnosis []Property

// Property is a difference between equal things, which must not be above a limit.
type Property struct {
	Name         string
	Share, Limit float64
	Advice       string // if the limit is not met
}

// Met reports whether the difference is within its limit.
func (p Property) Met() bool { return p.Share <= p.Limit }

// VerdictOn is the change that a machine is asked to carry a verdict on. The noise band may be half of it, since
// Check lets a time grow by twice the band.
const VerdictOn = 0.1

// Diagnose judges a machine by some runs of the same code, which are as many rounds of a table each. Every round was a
// process.
func Diagnose(t *results.Table) Diagnosis {
	noise, _ := t.NoiseBand(nil)
	furthest := 0.0
	for _, k := range t.Keys {
		if !isControl(k) {
			furthest = max(furthest, spread(t, k))
		}
	}
	return Diagnosis{
		{"noise band: a scheme under two names in one run", noise, VerdictOn / 2,
			"something else computes now and then: measure more rounds, or when it is quiet"},
		{"the same cell in two runs, the furthest", furthest, VerdictOn,
			"measure more rounds, or pool the files of several runs"},
		{"a fixed loop in two runs", spread(t, results.Key{Op: units.SpinName}), VerdictOn,
			"something else computes on this core, or its clock varies: stop it, or fix the frequency"},
	}
}

// spread returns by what share the largest of the runs' medians of a cell exceeds the smallest.
func spread(t *results.Table, k results.Key) float64 {
	low, high := math.Inf(1), 0.0
	for run := range slices.Chunk(t.Samples(k, units.NsPerOp), results.LeastRounds) {
		m := results.Median(run)
		low, high = min(low, m), max(high, m)
	}
	return max(0, high/low-1)
}

// OK reports whether the machine can carry a verdict.
func (d Diagnosis) OK() bool {
	return !slices.ContainsFunc(d, func(p Property) bool { return !p.Met() })
}
