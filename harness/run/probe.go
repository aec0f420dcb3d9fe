package run

import (
	"slices"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"
)

// ClockQuality is the cost and the resolution of a reading of the clock.
type ClockQuality struct {
	Cost       time.Duration // median time of a reading
	Resolution time.Duration // smallest difference seen between two readings
}

// minReadings is the number of resolutions that a single measurement must last to have
// an error below one percent.
const minReadings = 100

// Limit is the shortest time that a single measurement resolves.
func (q ClockQuality) Limit() time.Duration { return minReadings * q.Resolution }

// MeasureClock reads the clock many times.
func MeasureClock() ClockQuality {
	const readings, batches = 1000, 101
	best := time.Hour
	costs := make([]time.Duration, batches)
	for i := range costs {
		first := drive.Clock()
		last := first
		for range readings {
			now := drive.Clock()
			if d := now - last; d > 0 && d < best {
				best = d
			}
			last = now
		}
		costs[i] = (last - first) / readings
	}
	slices.Sort(costs)
	return ClockQuality{Cost: costs[batches/2], Resolution: best}
}

// spin times the noise probe, in which no scheme takes part: its spread is the
// machine's own noise.
func spin() results.Result {
	const turns = 1_000_000
	r := results.Result{Name: results.SpinName, Iters: turns}
	r.Add(float64(probe(turns))/turns, results.NsPerOp)
	return r
}

// probe returns the time that a number of turns of four xorshift generators take. No
// scheme takes part, and as no generator waits for another, they use all of a core
// that is free: the time is longer while anything else computes on the core.
func probe(turns int) time.Duration {
	a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
	began := drive.Clock()
	for range turns {
		a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
		a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
		a, b, c, d = a^a<<17, b^b<<17, c^c<<17, d^d<<17
	}
	took := drive.Clock() - began
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
