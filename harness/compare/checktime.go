package compare

import (
	"fmt"
	"strings"

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
	was, is   []pairNoise
	why       string // why no time can be compared
}

// timing prepares the check of times. It is closed: what cannot be judged is a fault.
func (g Gate) timing(base, now *results.Table) timing {
	t := timing{base: base, now: now}
	if g.Time == 0 {
		return t
	}
	if t.why = otherMachine(base, now); t.why == "" {
		t.allowed, t.was, t.is = g.Time, noiseOf(base), noiseOf(now)
	}
	return t
}

// pairNoise is the share by which a scheme differs from itself under its other name.
type pairNoise struct {
	once  results.Key
	share float64
}

// noiseOf returns the noise of each A/A pair of a table, by the median of the ratios taken
// round by round.
func noiseOf(t *results.Table) (all []pairNoise) {
	for _, k := range t.Keys {
		once := k
		once.Scheme = strings.TrimSuffix(k.Scheme, results.Again)
		once.Facility = strings.TrimSuffix(k.Facility, results.Again)
		if once == k {
			continue
		}
		if r, err := t.Ratio(k, once, results.NsPerOp); err == nil {
			all = append(all, pairNoise{once, max(r.Median, 1/r.Median) - 1})
		}
	}
	return all
}

// floor returns the noise floor for a cell: the largest noise among the A/A pairs of its
// operation, in either table, but for the cell's own in the new one. That pair differs too
// if only one of its cells became slower. It needs a pair in both.
func (t timing) floor(k results.Key) (floor float64, ok bool) {
	inBase, inNow := false, false
	for _, n := range t.was {
		if n.once.Op == k.Op {
			floor, inBase = max(floor, n.share), true
		}
	}
	for _, n := range t.is {
		inNow = inNow || n.once.Op == k.Op
		if n.once.Op == k.Op && n.once != k {
			floor = max(floor, n.share)
		}
	}
	return floor, inBase && inNow
}

// limit returns the share by which a time may grow.
func (t timing) limit(floor float64) float64 { return max(t.allowed, 2*floor) }

// slower reports whether a time grew by more than the limit and by more than chance.
func slower(r Ratio, limit float64) bool { return r.Change() > limit && r.P < checkAlpha }

// time compares the time of a cell, if it has one.
func (v *Verdict) time(t timing, k results.Key) {
	was, is := t.base.Samples(k, results.NsPerOp), t.now.Samples(k, results.NsPerOp)
	if t.allowed == 0 || len(was) == 0 || control(k) {
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
		if !slower(r, limit) {
			return
		}
		f.Kind = Slower
		f.Why = fmt.Sprintf("by %s; %s are allowed, p = %.4f", results.FormatPercent(r.Change()),
			results.FormatPercent(limit), r.P)
	}
	if len(is) > 0 {
		f.New = results.Summarize(is)
	}
	v.Faults = append(v.Faults, f)
}
