package choice

import (
	"cmp"
	"slices"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// StartRatio compares START of scheme 7 with that of scheme 6 on one workload.
// The paper expects scheme 7 to cost more: it must find the level (section 6.2).
type StartRatio struct {
	Key   results.Key      // of scheme 7
	Ratio results.Estimate // 7 over 6, round by round
	Noise results.Estimate // the A/A pair's ratio on this workload
}

// Starts returns the comparison at every workload measured, by n, but for those that only claims read.
func Starts(t *results.Table) (all []StartRatio) {
	for _, k := range t.Keys {
		if k.Op != "Start" || k.Scheme != sevenName || strings.Contains(k.Rest, "/set=") {
			continue
		}
		s, six := StartRatio{Key: k}, SixOf(k)
		var err error
		if s.Ratio, err = t.Ratio(k, six, results.NsPerOp); err != nil {
			continue
		}
		again := six
		again.Scheme += results.Again
		s.Noise, _ = t.Ratio(again, six, results.NsPerOp)
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b StartRatio) int {
		n, _ := workload.Parse[workload.Count](a.Key.N)
		o, _ := workload.Parse[workload.Count](b.Key.N)
		return cmp.Compare(n, o)
	})
	return all
}

// Verdict says whether scheme 7's START costs more: "costs more", "costs less",
// or "undecided" if the interval holds 1 or the A/A pair differs as much.
func (s StartRatio) Verdict() string {
	noise := max(s.Noise.Hi, 1/s.Noise.Lo) - 1
	// The ratio is of 7 to 6, so what winner takes for scheme 6 is 7.
	return map[Winner]string{7: "costs more", 6: "costs less", Tie: "undecided"}[winner(s.Ratio, noise)]
}
