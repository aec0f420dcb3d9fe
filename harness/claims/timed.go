package claims

import (
	"strings"

	"timerlab/harness"
	"timerlab/harness/results"
)

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

// leastMemory compares the bytes of a timer with scheme 1's.
func leastMemory(t *timings) {
	t.compareAll(AtLeast, 1, true, "bytes per timer, {other} over unordered, n = {n}",
		pairing{"Memory", "unordered", notOwn, harness.Names()[1:7]})
}
