package run

import "time"

// probe returns the time that a number of turns of four xorshift generators take. No
// scheme takes part, and as no generator waits for another, they use all of a core
// that is free: the time is longer while anything else computes on the core.
func probe(turns int) time.Duration {
	a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
	began := read()
	for range turns {
		a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
		a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
		a, b, c, d = a^a<<17, b^b<<17, c^c<<17, d^d<<17
	}
	took := read() - began
	if a|b|c|d == 0 { // never: xorshift has no path to 0; keeps the loop
		return 0
	}
	return took
}

// Neighbour notices when something else computes on the same core: another program, or
// another guest of a shared machine, on the core's second thread. While it does, often for
// seconds, everything that is timed takes up to twice as long. What a neighbour does to
// caches and memory goes unnoticed.
type Neighbour struct {
	probe func() time.Duration // nil: the probe
	least time.Duration        // that it took
}

const (
	probeTurns = 50_000 // some 0.1 ms
	probes     = 2      // the shorter counts: an interrupt is no neighbour
	shared     = 1.25   // times the least: threads of a core slow each other by half to twice, its frequency by a tenth
)

// Busy reports whether a neighbour computes now. It takes some 0.2 ms, and recognizes a
// quiet core only by having seen one.
func (n *Neighbour) Busy() bool {
	if n.probe == nil {
		n.probe = func() time.Duration { return probe(probeTurns) }
	}
	took := n.probe()
	for range probes - 1 {
		took = min(took, n.probe())
	}
	if n.least == 0 || took < n.least {
		n.least = took
	}
	return float64(took) > shared*float64(n.least)
}
