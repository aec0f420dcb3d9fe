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

// otherTimes returns why no time of the two tables can be compared, or "".
func (c *checking) otherTimes() string {
	return cmp.Or(otherMachine(c.base, c.now), otherSpeed(c.base, c.now, c.gate.Time))
}

// machineKeys are the keys of a file's head without which times are not comparable.
var machineKeys = []string{"goos", "goarch", "cpu", "cpuid", "cores", "caches", "governor", "thp"}

// otherMachine returns the first of the machine's keys in which two tables differ, with
// both values, or "".
func otherMachine(base, now *results.Table) string {
	for _, key := range machineKeys {
		if was, is := base.Machine[key], now.Machine[key]; was != is {
			const unknown = "not recorded"
			return fmt.Sprintf("%s is %s in the base and %s here", key, cmp.Or(was, unknown), cmp.Or(is, unknown))
		}
	}
	return ""
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

// limit returns the share by which a time may grow, and whether there is one: it needs an A/A
// pair of the cell's operation in both tables. It is twice the noise floor, or what the gate
// allows if that is more. The floor is the noise band of these pairs, in either table, but for
// the cell's own pair in the new one: that differs too if only one of its cells became slower.
func (c *checking) limit(k results.Key) (limit float64, ok bool) {
	ofOp := func(twin results.Key) bool { return twin.Op == k.Op }
	others := func(twin results.Key) bool { first, _ := twin.Twin(); return twin.Op == k.Op && first != k }
	floor, inBase := c.base.NoiseBand(ofOp)
	_, inNow := c.now.NoiseBand(ofOp)
	if now, n := c.now.NoiseBand(others); n > 0 {
		floor = max(floor, now)
	}
	return max(c.gate.Time, 2*floor), inBase > 0 && inNow > 0
}

// isSlower reports whether a time grew by more than the limit and by more than chance.
func isSlower(d Difference, limit float64) bool { return d.Change() > limit && d.P < checkAlpha }

// time compares the time of a cell, if it has one. What cannot be judged is a fault.
func (c *checking) time(k results.Key) {
	was, is := c.base.Samples(k, results.NsPerOp), c.now.Samples(k, results.NsPerOp)
	if c.gate.Time == 0 || len(was) == 0 || isControl(k) {
		return
	}
	f := Fault{Cell: k.String(), Unit: results.NsPerOp, Base: results.Summarize(was)}
	limit, known := c.limit(k)
	switch {
	case len(is) == 0:
		f.Kind, f.Why = Missing, "not measured"
	case !known:
		f.Kind, f.Why = Unreliable, "no A/A pair of "+k.Op+" in both files"
	case min(len(was), len(is)) < results.LeastRounds:
		f.Kind, f.Why = Unreliable, fmt.Sprintf("%d and %d rounds (a time needs %d)", len(was), len(is), results.LeastRounds)
	default:
		c.Times++
		d := differ(was, is, false)
		if !isSlower(d, limit) {
			return
		}
		f.Kind = Slower
		f.Why = fmt.Sprintf("by %s; %s are allowed, p = %.2g", results.FormatPercent(d.Change()),
			results.FormatPercent(limit), d.P)
	}
	if len(is) > 0 {
		f.New = results.Summarize(is)
	}
	c.add(f)
}
