package claims

import (
	"timerlab/harness"
	"timerlab/harness/results"
)

// Comparisons of times that several claims make.

// dearer compares lifetimes of two schemes at every n: over must cost as much as
// under, or more.
func (t *timings) dearer(over, under string) []Point {
	var points []Point
	for _, k := range t.cells(lifetime, over, IsTrees) {
		if other, ok := t.beside(k, under); ok {
			points = append(points, timed(AtLeast, 1, t.ratio(k, other, nsPerOp), "a lifetime, %s over %s, n = %s", over, under, k.N))
		}
	}
	if len(points) == 0 {
		t.lacks("lifetimes of %s and %s", over, under)
	}
	return points
}

// modulo compares scheme 6 at an M that is no power of two with the power of two
// beside it.
func (t *timings) modulo() []Point {
	var points []Point
	for _, op := range []string{"Start", "PerTick"} {
		mask, divided := t.cells(op, sixName, isHash(hashSlots)), t.cells(op, sixName, isHash(hashSlots-3))
		if len(mask) == 0 || len(divided) == 0 {
			t.lacks("%s of %s at M = %d and %d", op, sixName, hashSlots, hashSlots-3)
			return nil
		}
		points = append(points, timed(AtLeast, 1, t.ratio(divided[0], mask[0], nsPerOp), "%s, modulo (M = %d) over mask (M = %d)", op, hashSlots-3, hashSlots))
	}
	return points
}

// floorOfStarts compares START and STOP of every scheme with scheme 1's.
func floorOfStarts(t *timings) []Point {
	var points []Point
	for _, op := range []string{"Start", "Stop"} {
		for _, k := range t.cells(op, "unordered", func(k results.Key) bool { return !Own(k) }) {
			for _, info := range harness.Schemes[1:7] {
				other, ok := t.beside(k, info.Name)
				if ok {
					points = append(points, timed(AtLeast, 1, t.ratio(other, k, nsPerOp), "%s, %s over unordered, n = %s", op, info.Name, k.N))
				}
			}
		}
	}
	if len(points) == 0 {
		t.lacks("START of unordered and others")
	}
	return points
}

// fewTimers compares the ticks of schemes 1 and 6 for very few timers.
func fewTimers(t *timings) []Point {
	var points []Point
	for _, k := range t.cells("PerTick", "unordered", isTicks) {
		if k.N != "1" && k.N != "2" {
			continue
		}
		if six, ok := t.beside(k, sixName); ok {
			points = append(points, timed(AtMost, 1, t.ratio(k, six, nsPerOp), "PerTick, scheme 1 over scheme 6, n = %s", k.N))
		}
	}
	if len(points) == 0 {
		t.lacks("PerTick of schemes 1 and 6 for few timers")
	}
	return points
}

// instructions compares the five costs of scheme 6 with the paper's, against START.
func instructions(t *timings) []Point {
	start := t.net("Start", sixName, onlyTimers("1k"))
	against := func(instructions float64, what string, c cell) Point {
		return timed(Equal, instructions/13, t.netRatio(c, start), "%s over START, each less the harness's part", what)
	}
	points := []Point{
		against(7, "STOP", t.net("Stop", sixName, onlyTimers("1k"))),
		against(4, "an empty tick", t.netEmpty(sixName)),
		timed(AtLeast, 9./13, t.netRatio(t.gross("Expire", sixName, onlyTimers("1k")), start), "an expiry, with the harness's part and so at most this, over START without"),
	}
	if c, ok := t.choice(); ok {
		net := t.median(start.scheme, nsPerOp).minus(t.median(start.null, nsPerOp))
		points = append(points, timed(Equal, 6./13, valueOf(c.C6).over(net), "a visit (c6) over START, less the harness's part"))
	}
	return points
}

// startsOfScheme7 compares START of schemes 7 and 6: at several m, and in the sweep.
func startsOfScheme7(t *timings) []Point {
	var points []Point
	for _, k := range append(t.cells("Start", sevenName, forLevels), t.cells("Start", sevenName, func(k results.Key) bool { return !Own(k) })...) {
		if six, ok := t.beside(k, sixName); ok {
			points = append(points, timed(AtLeast, 1, t.ratio(k, six, nsPerOp), "START of 7 over START of 6, levels %s, n = %s", k.Levels, k.N))
		}
	}
	if len(points) == 0 {
		t.lacks("START of schemes 6 and 7")
	}
	return points
}
