package choice

import (
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Start compares the operations of schemes 6 and 7 on one workload. The paper expects START of scheme 7 to cost more, as
// it must find the level (section 6.2), and its longest PER_TICK to cost less.
type Start struct {
	Key           results.Key         // of scheme 7
	Ratio         results.Estimate    // START of 7 over 6, round by round
	Verdict       string              // costs more, costs less, or undecided: the interval holds 1, or equal cells differ as much
	Tick, Longest [2]results.Estimate // PER_TICK of 6 and of 7 in the mean, and the longest; N = 0: not measured
}

// Starts returns the comparison at every workload measured, by n, but for those that only claims read.
func Starts(t *results.Table) (all []Start) {
	for _, k := range t.Keys {
		if k.Op != "Start" || k.Scheme != sevenName || k.Value("set") != "" {
			continue
		}
		six, _ := SixOf(k)
		again := six
		again.Scheme += units.Again
		ratio, err := t.Ratio(k, six, units.NsPerOp)
		if err != nil {
			continue
		}
		noise, _ := t.Ratio(again, six, units.NsPerOp)
		s := Start{Key: k, Ratio: ratio}
		switch winner(ratio, max(noise.Hi, 1/noise.Lo)-1) { // which is for a ratio of 6 to 7
		case 7:
			s.Verdict = "costs more"
		case 6:
			s.Verdict = "costs less"
		default:
			s.Verdict = "undecided"
		}
		for i, k := range []results.Key{six, k} {
			k.Op = units.TickOp
			s.Tick[i], _ = t.Median(k, units.NsPerOp)
			k.Op = units.LatencyOp
			s.Longest[i], _ = t.Median(k, "max-ns")
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b Start) int { return t.Cell(a.Key).Spec.N - t.Cell(b.Key).Spec.N })
	return all
}
