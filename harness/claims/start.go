package claims

import (
	"cmp"
	"slices"

	"timerlab/harness/results"
)

// StartRatio compares START of scheme 7 with that of scheme 6 on one workload.
// The paper expects scheme 7 to cost more: it must find the level (section 6.2).
type StartRatio struct {
	Key   results.Key // of scheme 7
	Six   results.Estimate
	Seven results.Estimate
	Ratio results.Estimate // 7 over 6, round by round
	Noise results.Estimate // the A/A pair's ratio on this workload
}

// Starts returns the comparison at every workload measured, by n.
func Starts(t *results.Table) []StartRatio {
	var all []StartRatio
	for _, k := range t.Keys {
		if k.Op != "Start" || k.Scheme != sevenName || Own(k) {
			continue
		}
		six := sixKey(k)
		s := StartRatio{Key: k}
		var err error
		if s.Ratio, err = t.Ratio(k, six, nsPerOp); err != nil {
			continue
		}
		s.Six, _ = t.Median(six, nsPerOp)
		s.Seven, _ = t.Median(k, nsPerOp)
		again := six
		again.Scheme += results.Again
		s.Noise, _ = t.Ratio(again, six, nsPerOp)
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b StartRatio) int {
		x, _ := results.ParseCount(a.Key.N)
		y, _ := results.ParseCount(b.Key.N)
		return cmp.Compare(x, y)
	})
	return all
}

// Verdict says whether scheme 7's START costs more: "costs more", "costs less",
// or "undecided" if the interval holds 1 or the A/A pair differs as much.
func (s StartRatio) Verdict() string {
	noise := max(s.Noise.Median, 1/s.Noise.Median)
	switch {
	case s.Ratio.Lo > 1 && s.Ratio.Median > noise:
		return "costs more"
	case s.Ratio.Hi < 1 && 1/s.Ratio.Median > noise:
		return "costs less"
	}
	return "undecided"
}
