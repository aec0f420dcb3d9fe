package claims

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"timerlab/harness"
	"timerlab/harness/results"
)

// timings reads the times of one claim from raw files. What is missing sticks.
type timings struct {
	*results.Table
	study study
	evidence
	missing error // why there is no verdict
}

// leastRounds is how many samples a cell must have: with fewer a median has no finite
// interval.
const leastRounds = 6

// intervalOfMedian is the reason given for the interval of a time.
var intervalOfMedian = fmt.Sprintf("interval: %.0f %%, order statistics of the ratios round by round",
	100*results.Confidence)

// unknown is the value of a cell that is missing: it decides nothing.
var unknown = Value{math.NaN(), math.NaN(), math.NaN()}

func (t *timings) lacks(format string, args ...any) {
	if t.missing == nil {
		t.missing = fmt.Errorf(format+": %w", append(args, ErrNotMeasured)...)
	}
}

// ratio compares the times of two cells, round by round.
func (t *timings) ratio(over, under results.Key, unit string) Value {
	r, err := t.Ratio(over, under, unit)
	return t.read(r, err, unit, over, under)
}

// median returns the time of a cell.
func (t *timings) median(k results.Key, unit string) Value {
	m, err := t.Median(k, unit)
	return t.read(m, err, unit, k)
}

// read returns an estimate from some cells as a value: unknown after an error, or if it is
// from too few rounds.
func (t *timings) read(e results.Estimate, err error, unit string, cells ...results.Key) Value {
	if err == nil && e.N < leastRounds {
		err = fmt.Errorf("%d rounds, at least %d needed", e.N, leastRounds)
	}
	if err != nil {
		t.lacks("%v: %v", cells, err)
		return unknown
	}
	for _, k := range cells {
		t.note(k, unit)
	}
	return valueOf(e)
}

func valueOf(e results.Estimate) Value { return Value{e.Median, e.Lo, e.Hi} }

// cells returns the cells of one operation and scheme that keep accepts, by n.
func (t *timings) cells(op, scheme string, keep func(results.Key) bool) []results.Key {
	var keys []results.Key
	for _, k := range t.Keys {
		if k.Op == op && k.Scheme == scheme && (keep == nil || keep(k)) {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int { return cmp.Compare(timersOf(a), timersOf(b)) })
	return keys
}

// timersOf returns the n of a cell, 0 if it has none.
func timersOf(k results.Key) uint64 {
	n, _ := results.ParseCount(k.N)
	return n
}

// sameWorkload returns the cell of another scheme on the workload of k: the one with
// k's M if there is one, else any. The boolean reports whether there is one.
func (t *timings) sameWorkload(k results.Key, scheme string) (results.Key, bool) {
	found, ok := results.Key{}, false
	for _, o := range t.Keys {
		like := o
		like.Scheme, like.Slots, like.Levels = k.Scheme, k.Slots, k.Levels
		if o.Scheme == scheme && like == k && (!ok || o.Slots == k.Slots) {
			found, ok = o, true
		}
	}
	return found, ok
}

// onlyTimers keeps the cells with n timers.
func onlyTimers(n string) func(results.Key) bool {
	return func(k results.Key) bool { return k.N == n && !Own(k) }
}

// cell is a time, and the null scheme's on the same workload.
type cell struct{ scheme, null results.Key }

// net returns the first cell of one operation and scheme that keep accepts. The null scheme has
// no time of Expire, as it never has a timer due.
func (t *timings) net(op, scheme string, keep func(results.Key) bool) cell {
	for _, k := range t.cells(op, scheme, keep) {
		if op == "Expire" { // the null scheme has none
			return cell{scheme: k}
		}
		if null, ok := t.sameWorkload(k, harness.Null.Name); ok {
			return cell{k, null}
		}
	}
	t.lacks("%s of %s and of the null scheme on the same workload", op, scheme)
	return cell{}
}

// netEmpty returns the cell of ticks with next to no timers.
func (t *timings) netEmpty(scheme string) cell {
	return t.net("PerTick", scheme, func(k results.Key) bool { return isTicks(k) && k.N == "1" })
}

// netRatio compares two times less the null scheme's, round by round.
func (t *timings) netRatio(over, under cell) Value {
	if t.missing != nil {
		return unknown
	}
	a, b := t.netRounds(over), t.netRounds(under)
	var ratios []float64
	for _, round := range slices.Sorted(maps.Keys(a)) {
		if y, ok := b[round]; ok {
			ratios = append(ratios, a[round]/max(y, 0)) // infinite in a round in which nothing is left of y
		}
	}
	e, err := results.Estimate{}, results.ErrNoSamples
	if len(ratios) > 0 {
		e, err = results.Summarize(ratios), nil
	}
	return t.read(e, err, nsPerOp, over.scheme, over.null, under.scheme, under.null)
}

// netRounds returns a cell's times less the null scheme's, by round.
func (t *timings) netRounds(c cell) map[int]float64 {
	if c.null == (results.Key{}) {
		return t.ByRound(c.scheme, nsPerOp)
	}
	net, null := map[int]float64{}, t.ByRound(c.null, nsPerOp)
	for round, x := range t.ByRound(c.scheme, nsPerOp) {
		if y, ok := null[round]; ok {
			net[round] = x - y
		}
	}
	return net
}

// note adds a cell that was read to the rows, once, with median and interval.
func (t *timings) note(k results.Key, unit string) {
	if m, err := t.Median(k, unit); err == nil {
		t.rows = addOnce(t.rows, fmt.Sprintf("Benchmark%s %d %.4g %s  # median of %d, %.0f %% interval %.4g to %.4g",
			k, m.N, m.Median, unit, m.N, 100*results.Confidence, m.Lo, m.Hi))
	}
}

// Comparisons of times that several claims make.

// pairing is an operation of a scheme and the other schemes that it is compared with, on each
// workload that both were measured on.
type pairing struct {
	op, scheme string
	keep       func(results.Key) bool // of the scheme's cells
	others     []string
}

// compareAll compares the times of the scheme of each pairing with those of its others: theirs
// over its if inverse is true. The text what has {op}, {other}, {n}, {M} and {levels}.
func (t *timings) compareAll(r Relation, bound float64, inverse bool, what string, pairings ...pairing) {
	made := false
	for _, p := range pairings {
		for _, k := range t.cells(p.op, p.scheme, p.keep) {
			for _, name := range p.others {
				other, ok := t.sameWorkload(k, name)
				if !ok {
					continue
				}
				made = true
				over, under, unit := k, other, nsPerOp
				if inverse {
					over, under = other, k
				}
				if p.op == "Memory" {
					unit = results.BytesPerTimer
				}
				text := strings.NewReplacer("{op}", p.op, "{other}", name, "{n}", k.N, "{M}", k.Slots,
					"{levels}", k.Levels)
				t.timed(r, bound, t.ratio(over, under, unit), "%s", text.Replace(what))
			}
		}
	}
	if p := pairings[0]; !made {
		t.lacks("%s of %s and %s", p.op, p.scheme, strings.Join(p.others, ", "))
	}
}

// costsMore compares lifetimes of two schemes at every n: over must cost at least as
// much as under.
func (t *timings) costsMore(over, under string) {
	t.compareAll(AtLeast, 1, false, "a lifetime, "+over+" over "+under+", n = {n}",
		pairing{lifetime, over, IsTrees, []string{under}})
}

// modulo compares scheme 6 at an M that is not a power of two with one at the next
// power of two.
func (t *timings) modulo() {
	for _, op := range []string{"Start", "PerTick"} {
		mask, divided := t.cells(op, sixName, isHash(hashSlots)), t.cells(op, sixName, isHash(hashSlots-3))
		if len(mask) == 0 || len(divided) == 0 {
			t.lacks("%s of %s at M = %d and %d", op, sixName, hashSlots, hashSlots-3)
			return
		}
		t.timed(AtLeast, 1, t.ratio(divided[0], mask[0], nsPerOp),
			"%s, modulo (M = %d) over mask (M = %d)", op, hashSlots-3, hashSlots)
	}
}

// floorOfStarts compares START and STOP of every scheme with scheme 1's.
func floorOfStarts(t *timings) {
	others := harness.Names()[1:7]
	t.compareAll(AtLeast, 1, true, "{op}, {other} over unordered, n = {n}",
		pairing{"Start", "unordered", notOwn, others}, pairing{"Stop", "unordered", notOwn, others})
}
