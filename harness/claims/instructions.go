package claims

import (
	"slices"

	"timerlab/harness/drive"
	"timerlab/harness/results"
)

// vaxProgram reports what the operations of scheme 6 cost today for which the paper gives the
// instructions of a VAX: in instructions where they were counted, and in time.
func vaxProgram(t *timings) {
	thousand := both(notOwn, timersFrom(1_000, 1_000))
	fewOrThousand := func(k results.Key) bool { return isFew(k) || thousand(k) }
	for _, o := range []struct {
		paper    float64
		op, what string
		keep     cellSet
	}{
		{13, "Start", "START", fewOrThousand}, {7, "Stop", "STOP", fewOrThousand},
		{4, "PerTick", "an empty tick", isSingle},
		{4 + 15, "PerTick", "a tick at n = M = T", isVisit},
	} {
		t.reportNet(o.paper, o.op, nsPerOp, o.what, o.keep)
		t.reportNet(o.paper, results.InstructionsOp+o.op, results.InstructionsPerOp, o.what, o.keep)
	}
}

// reportNet reports a cost of scheme 6 less the harness's part, which is that of the null scheme on
// the same workload, in a unit: in the cell with the most timers that keep accepts.
func (t *timings) reportNet(predicted float64, op, unit, what string, keep cellSet) {
	for _, k := range slices.Backward(cellsOf(t.Table, op, sixName, keep)) {
		null, ok := t.sameWorkload(k, drive.Null.Name)
		if !ok {
			continue
		}
		e, err := t.Paired(k, null, unit, func(x, harness float64) float64 { return x - harness })
		if err != nil {
			continue
		}
		t.note(k, unit)
		t.note(null, unit)
		p := t.add(Report, predicted, valueOf(e), "95 %, order statistics of the differences round by round, less the "+
			"null scheme's", "%s, n = %s, today in %s", what, k.N, unit)
		if len(t.Samples(k, results.ShortLap)) > 0 {
			p.Open = shortLaps
		}
		return
	}
	t.lacks("%s of %s and of the null scheme in %s", op, sixName, unit)
}
