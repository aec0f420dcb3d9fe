package claims

import (
	"strings"

	"timerlab/harness/results"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// Comparisons of times that several claims make.

// pairing is an operation of a scheme and the other schemes that it is compared with, on each
// workload that both were measured on.
type pairing struct {
	op, scheme string
	keep       func(results.Key) bool // of the scheme's cells; nil: all
	others     []string
}

// compareAll compares the times of the scheme of each pairing with those of its others: theirs
// over its if inverse is true. The text what has {op}, {other}, {n}, {M} and {levels}.
func (t *timings) compareAll(r Relation, bound float64, inverse bool, what string, pairings ...pairing) {
	for _, p := range pairings {
		made := false
		for _, k := range t.cells(p.op, p.scheme, p.keep) {
			for _, name := range p.others {
				other, ok := t.sameWorkload(k, name)
				if !ok {
					continue
				}
				made = true
				over, under := k, other
				if inverse {
					over, under = other, k
				}
				text := strings.NewReplacer("{op}", p.op, "{other}", name, "{n}", k.N, "{M}", k.Slots,
					"{levels}", k.Levels)
				t.timed(r, bound, t.ratio(over, under, nsPerOp), "%s", text.Replace(what))
			}
		}
		if !made {
			t.lacks("%s of %s and %s", p.op, p.scheme, strings.Join(p.others, ", "))
		}
	}
}

// severely is how many times as long a scheme takes that is unsuitable, or degrades severely. The
// sources name no number.
const severely = 2

// bestHeap is the heap that the peers are compared with, in a module of its own: a 4-ary heap of
// values.
const bestHeap = "valueheap"

// The forms of schemes 6 and 7: the paper's, with lists, and all.
var (
	linked   = []string{sixName, sevenName}
	anyWheel = []string{sixName, sevenName, hashunsorted.Chunked.Name, hierarchical.Chunked.Name}
)

// Scenarios of the peers, in which every timer is measured on the same loop.
var (
	steadyState = []string{"Hold"}
	restarting  = []string{"Restart", "PairHot", "PairCold", "Churn"}
)

// heaps compares the best heap with the cheapest of some wheels, on each size of some
// scenarios with n from least to most.
func (t *timings) heaps(r Relation, bound float64, wheels, scenarios []string, least, most uint64) {
	for _, op := range scenarios {
		made := false
		for _, k := range t.cells(op, bestHeap, nil) {
			wheel, ok := t.cheapest(k, wheels)
			if n := timersOf(k); !ok || n < least || n > most {
				continue
			}
			made = true
			t.timed(r, bound, t.ratio(k, wheel, nsPerOp), "%s, the best heap over %s, n = %s, T = %s", op,
				wheel.Scheme, k.N, k.T)
		}
		if !made {
			t.lacks("%s of %s and wheels (raw files of the peers)", op, bestHeap)
		}
	}
}

// everyN is a range of n without end.
const everyN = 1 << 62

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
