package claims

import (
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
func Starts(t *results.Table) (all []StartRatio) {
	for _, k := range cellsOf(t, "Start", sevenName, notOwn) {
		s, six := StartRatio{Key: k}, SixOf(k)
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
	return all
}

// Verdict says whether scheme 7's START costs more: "costs more", "costs less",
// or "undecided" if the interval holds 1 or the A/A pair differs as much.
func (s StartRatio) Verdict() string {
	noise := max(s.Noise.Hi, 1/s.Noise.Lo) - 1
	// The ratio is of 7 to 6, so what winner takes for scheme 6 is 7.
	return map[Winner]string{7: "costs more", 6: "costs less", Tie: "undecided"}[winner(s.Ratio, noise)]
}
