package run

import "time"

// Neighbour notices when something else computes on the same core: another program, or
// another guest of a shared machine, on the core's second thread. For as long as it does,
// often for seconds, all that is timed takes up to twice as long. What a neighbour does to
// caches and memory it does not notice.
type Neighbour struct {
	probe func() time.Duration // nil: probe
	least time.Duration        // that it took
}

const (
	probeTurns = 50_000 // some 0.1 ms
	probes     = 2      // the shorter counts: an interrupt is no neighbour
	shared     = 1.25   // times the least: two threads of a core slow each other by half to twice, its frequency changes by a tenth
)

// Busy reports whether a neighbour computes now. It takes some 0.2 ms, and knows a quiet
// core only from having seen it.
func (n *Neighbour) Busy() bool {
	if n.probe == nil {
		n.probe = probe
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

// probe returns the time for a fixed number of steps of four xorshift generators: as none
// waits for another, they use all of a core that is free.
func probe() time.Duration {
	var state [4]uint64
	for i := range state {
		state[i] = uint64(i + 1)
	}
	began := time.Now()
	a, b, c, d := state[0], state[1], state[2], state[3]
	for range probeTurns {
		a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
		a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
		a, b, c, d = a^a<<17, b^b<<17, c^c<<17, d^d<<17
	}
	took := time.Since(began)
	if a|b|c|d == 0 { // never: xorshift has no path to 0; keeps the loop
		return 0
	}
	return took
}
