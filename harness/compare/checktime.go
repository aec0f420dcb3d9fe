package compare

import (
	"cmp"
	"fmt"

	"timerlab/harness/results"
)

// checkAlpha is the level at which a time is slower. A cell is also asked to be slower by
// more than the gate allows and by twice what a scheme differs from itself, so that a
// list of many cells needs no further correction.
const checkAlpha = 0.01

// timing compares times of two tables.
type timing struct {
	base, now *results.Table
	allowed   float64 // the gate's; 0: no time is compared
	why       string  // why no time can be compared
}

// timing prepares the check of times. It is closed: what cannot be judged is a fault.
func (g Gate) timing(base, now *results.Table) timing {
	t := timing{base: base, now: now}
	if g.Time == 0 {
		return t
	}
	if t.why = cmp.Or(otherMachine(base, now), otherSpeed(base, now, g.Time)); t.why == "" {
		t.allowed = g.Time
	}
	return t
}

// otherSpeed says, if so, that a fixed loop, in which no scheme takes part, took longer or
// shorter in one table by more than a share: then so did everything else, A/A pairs alike.
func otherSpeed(base, now *results.Table, share float64) string {
	spin := results.Key{Op: results.SpinName}
	was, errWas := base.Median(spin, results.NsPerOp)
	is, errIs := now.Median(spin, results.NsPerOp)
	if errWas != nil || errIs != nil || max(was.Median/is.Median, is.Median/was.Median) <= 1+share {
		return ""
	}
	return fmt.Sprintf("the machine was not as fast: an iteration of a fixed loop took %s in the base and %s here",
		results.FormatNanos(was.Median), results.FormatNanos(is.Median))
}

// floor returns the noise floor for a cell: the noise band of the A/A pairs of its
// operation, in either table, but for the cell's own pair in the new one. That pair differs
// too if only one of its cells became slower. It needs a pair in both.
func (t timing) floor(k results.Key) (floor float64, ok bool) {
	ofOp := func(twin results.Key) bool { return twin.Op == k.Op }
	others := func(twin results.Key) bool { first, _ := twin.Twin(); return twin.Op == k.Op && first != k }
	base, inBase := t.base.NoiseBand(ofOp)
	_, inNow := t.now.NoiseBand(ofOp)
	if now, n := t.now.NoiseBand(others); n > 0 {
		base = max(base, now)
	}
	return base, inBase > 0 && inNow > 0
}

// limit returns the share by which a time may grow.
func (t timing) limit(floor float64) float64 { return max(t.allowed, 2*floor) }

// isSlower reports whether a time grew by more than the limit and by more than chance.
func isSlower(r Ratio, limit float64) bool { return r.Change() > limit && r.P < checkAlpha }

// time compares the time of a cell, if it has one.
func (v *Verdict) time(t timing, k results.Key) {
	was, is := t.base.Samples(k, results.NsPerOp), t.now.Samples(k, results.NsPerOp)
	if t.allowed == 0 || len(was) == 0 || isControl(k) {
		return
	}
	f := Fault{Cell: k.String(), Unit: results.NsPerOp, Base: results.Summarize(was)}
	floor, hasFloor := t.floor(k)
	switch {
	case len(is) == 0:
		f.Kind, f.Why = Missing, "not measured"
	case !hasFloor:
		f.Kind, f.Why = Unreliable, "no A/A pair of "+k.Op+" in both files"
	case min(len(was), len(is)) < leastRounds:
		f.Kind, f.Why = Unreliable, fmt.Sprintf("%d and %d rounds (a time needs %d)", len(was), len(is), leastRounds)
	default:
		v.Times++
		r, limit := differ(was, is, false), t.limit(floor)
		if !isSlower(r, limit) {
			return
		}
		f.Kind = Slower
		f.Why = fmt.Sprintf("by %s; %s are allowed, p = %.2g", results.FormatPercent(r.Change()),
			results.FormatPercent(limit), r.P)
	}
	if len(is) > 0 {
		f.New = results.Summarize(is)
	}
	v.Faults = append(v.Faults, f)
}
