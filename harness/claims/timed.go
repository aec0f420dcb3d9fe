package claims

import (
	"timerlab/harness"
	"timerlab/harness/results"
)

// Comparisons of times that several claims make.

// costsMore compares lifetimes of two schemes at every n: over must cost at least as
// much as under.
func (t *timings) costsMore(over, under string) {
	made := t.against(lifetime, over, IsTrees, []string{under}, func(k, other results.Key) {
		t.timed(AtLeast, 1, t.ratio(k, other, nsPerOp), "a lifetime, %s over %s, n = %s", over, under, k.N)
	})
	if made == 0 {
		t.lacks("lifetimes of %s and %s", over, under)
	}
}

// against calls compare for each cell of an operation and scheme that keep accepts and
// each other scheme that was measured on the same workload, and returns the number of
// calls.
func (t *timings) against(op, scheme string, keep func(results.Key) bool, others []string,
	compare func(k, other results.Key)) (made int) {
	for _, k := range t.cells(op, scheme, keep) {
		for _, name := range others {
			if other, ok := t.sameWorkload(k, name); ok {
				compare(k, other)
				made++
			}
		}
	}
	return made
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
	made := 0
	for _, op := range []string{"Start", "Stop"} {
		made += t.against(op, "unordered", notOwn, harness.Names()[1:7], func(one, other results.Key) {
			t.timed(AtLeast, 1, t.ratio(other, one, nsPerOp), "%s, %s over unordered, n = %s", op, other.Scheme, one.N)
		})
	}
	if made == 0 {
		t.lacks("START of unordered and others")
	}
}

// fewTimers compares the ticks of schemes 1 and 6 for very few timers.
func fewTimers(t *timings) {
	oneOrTwo := func(k results.Key) bool { return isTicks(k) && (k.N == "1" || k.N == "2") }
	made := t.against("PerTick", "unordered", oneOrTwo, []string{sixName}, func(one, six results.Key) {
		t.timed(AtMost, 1, t.ratio(one, six, nsPerOp), "PerTick, scheme 1 over scheme 6, n = %s", one.N)
	})
	if made == 0 {
		t.lacks("PerTick of schemes 1 and 6 for few timers")
	}
}

// instructions compares the five costs of scheme 6 with the paper's, against START.
func instructions(t *timings) {
	start := t.net("Start", sixName, onlyTimers("1k"))
	against := func(instructions float64, what string, c cell) {
		t.timed(Equal, instructions/13, t.netRatio(c, start), "%s over START, each less the harness's part", what)
	}
	against(7, "STOP", t.net("Stop", sixName, onlyTimers("1k")))
	against(4, "an empty tick", t.netEmpty(sixName))
	t.timed(AtLeast, 9./13, t.netRatio(t.gross("Expire", sixName, onlyTimers("1k")), start),
		"an expiry, with the harness's part and so at most this, over START without")
	if c, ok := t.choice(); ok {
		net := t.median(start.scheme, nsPerOp).minus(t.median(start.null, nsPerOp))
		t.timed(Equal, 6./13, valueOf(c.C6).over(net), "a visit (c6) over START, less the harness's part")
	}
}

// startsOfScheme7 compares START of schemes 7 and 6: at several m, and in the sweep.
func startsOfScheme7(t *timings) {
	compare := func(seven, six results.Key) {
		t.timed(AtLeast, 1, t.ratio(seven, six, nsPerOp),
			"START of 7 over START of 6, levels %s, n = %s", seven.Levels, seven.N)
	}
	made := t.against("Start", sevenName, forLevels, []string{sixName}, compare) +
		t.against("Start", sevenName, notOwn, []string{sixName}, compare)
	if made == 0 {
		t.lacks("START of schemes 6 and 7")
	}
}
