package claims

import (
	"math"

	"timerlab/harness/results"
)

// What the paper and later articles say of timers on a real clock, judged on what bench
// systems measured: the facilities of timerlab/systems.

var serviceChecks = checks{
	"A-6": {timed: func(t *timings) {
		held := func(scheme, n string) results.Key { return facility("Hold", locked+scheme, n, "") }
		const start = "start-p50-ns"
		for _, grown := range [][2]string{{"1k", "10k"}, {"10k", "100k"}} {
			r := t.ratio(held("ordered", grown[1]), held("ordered", grown[0]), start)
			t.timed(AtLeast, 5, r, "what a start of scheme 2 holds the lock, n = %s over %s; in proportion would be "+
				"10, and half of that leaves room for what does not grow", grown[1], grown[0])
		}
		for _, scheme := range []string{"hashsorted", "hashunsorted", "hierarchical"} {
			r := t.ratio(held(scheme, "100k"), held("ordered", "100k"), start)
			t.timed(AtMost, 0.1, r, "the same of %s over scheme 2, n = 100k; suited: a tenth or less", scheme)
		}
		for _, scheme := range []string{"hashsorted", "hashunsorted", "hierarchical"} {
			r := t.ratio(facility("StartStop", locked+"ordered", "10k", "/g=8"),
				facility("StartStop", locked+scheme, "10k", "/g=8"), nsPerOp)
			t.timed(AtLeast, 2, r, "a start and stop, 8 goroutines, n = 10k, scheme 2 over %s; blocked: twice", scheme)
		}
	}},
	"S2-7c": {timed: func(t *timings) {
		const timers = "300"
		t.timed(AtMost, 1, t.median(facility("Sparse", locked+"ordered", timers, ""), "wakeups/due-tick"),
			"wake-ups for each tick with timers that are due, of a worker that sleeps until "+
				"then").about(0.02, "two of a hundred for the first start and the last tick")
		t.timed(AtLeast, 0.5, t.median(facility("Sparse", "multilevel", timers, ""), "wakeups/tick"),
			"wake-ups for each tick of 1 ms, of one that counts them; those that it oversleeps it makes up for")
	}},
	"Z-2c": {timed: func(t *timings) {
		for _, n := range []string{"10k", "1M"} {
			for _, op := range []string{"StartStop", "Replace"} {
				r := t.ratio(facility(op, "jdk-pool", n, "/g=1"), facility(op, "kafka", n, "/g=1"), nsPerOp)
				t.timed(AtLeast, 2, r, "%s, heap over wheels, n = %s, one goroutine; twice: ours", op, n)
			}
		}
	}},
	// The check predicts how late the last of a million timers is from the ticks that it
	// takes to move them all, less the time that starting them took and they had to wait
	// anyway.
	"Z-3": {timed: func(t *timings) {
		const (
			timers   = 1_000_000
			each     = 100_000
			tick     = 100e6 // ns
			duration = 50e6
		)
		capped, quick := facility("Burst", "netty", "1M", ""), facility("Burst", "netty-1ms", "1M", "")
		starting := t.median(capped, nsPerOp)
		predicted := timers/each*tick - starting.Mean*timers - duration
		if math.IsNaN(predicted) {
			predicted = 0
		}
		t.timed(AtLeast, predicted, t.median(capped, "late-max-ns"),
			"lateness of the last, ns, tick 100 ms: ten ticks less what starting took (%.3g ms) and the 50 ms",
			starting.Mean*timers/1e6).about(tick, "a tick: the first one may be over at once")
		t.timed(AtLeast, 2, t.ratio(capped, quick, "late-max-ns"),
			"the same over that with a tick of 1 ms, on which the cap does not bite; late: twice")
	}},
	"Z-5c": {timed: func(t *timings) {
		idle := func(name string) reading { return t.median(facility("Idle", name, "10", ""), "wakeups/s") }
		t.timed(AtLeast, 500, idle("multilevel"),
			"wake-ups a second, tick 1 ms: most of a thousand; ticks that it oversleeps it makes up for")
		t.timed(AtMost, 1, idle("kafka"), "wake-ups a second, sleeping until the earliest slot")
		t.timed(AtMost, 1, idle("sharded"), "wake-ups a second, all workers of sharded")
	}},
}

// locked begins the names of facilities that are a scheme under one lock.
const locked = "locked-"

// facility is the cell of a timer facility.
func facility(op, name, n, rest string) results.Key {
	return results.Key{Op: op, Facility: name, N: n, Rest: rest}
}
