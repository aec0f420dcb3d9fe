package run

import (
	"context"
	"math"
	"runtime"
	"sync"
	"time"

	"timerlab/harness/drive"
)

// quietCore waits for a quiet core before each pass, within a budget of time.
type quietCore struct {
	busy  func() bool          // whether a neighbour computes
	slack time.Duration        // may always be spent waiting
	share float64              // of the time used so far that may be spent in addition
	clock func() time.Duration // of the wall

	began time.Duration
	lost  time.Duration // by waiting for neighbours
}

// Clocks are what times are read from.
type Clocks struct{ Wall, CPU func() time.Duration }

// RealTime are the monotonic clock and the CPU time of this process.
var RealTime = Clocks{drive.Clock, CPUTime}

const busyPause = 20 * time.Millisecond // a neighbour computes for 0.1 s to some seconds

// wait returns when no neighbour computes, or the time is up that may be lost by waiting for that.
func (q *quietCore) wait(ctx context.Context) {
	if q.began == 0 {
		q.began = q.clock()
	}
	for q.busy() {
		used := q.clock() - q.began - q.lost
		if ctx.Err() != nil || q.lost+busyPause > q.slack+time.Duration(q.share*float64(used)) {
			return
		}
		q.lost += busyPause
		time.Sleep(busyPause)
	}
}

// ClockSteps is the number of resolutions of the clock that a single measurement must last to have an error
// below one percent.
const ClockSteps = 100

// ClockLimit returns the shortest time that a single measurement resolves: ClockSteps times the smallest
// difference seen between two readings of the clock.
var ClockLimit = sync.OnceValue(func() time.Duration {
	const readings = 100_000
	resolution, last := time.Hour, drive.Clock()
	for range readings {
		now := drive.Clock()
		if d := now - last; d > 0 {
			resolution = min(resolution, d)
		}
		last = now
	}
	return ClockSteps * resolution
})

// probe returns the time that a number of turns of four xorshift generators take. No
// scheme takes part, and as no generator waits for another, they use all of a core
// that is free: the time is longer while anything else computes on the core, on a second thread or as another guest of
// the machine. A program that takes turns with this one on the core does not show, since this is CPU time.
func probe(turns int) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
	began := ThreadTime()
	for range turns {
		a, b, c, d = a^a<<13, b^b<<13, c^c<<13, d^d<<13
		a, b, c, d = a^a>>7, b^b>>7, c^c>>7, d^d>>7
		a, b, c, d = a^a<<17, b^b<<17, c^c<<17, d^d<<17
	}
	took := ThreadTime() - began
	if a|b|c|d == 0 { // never: xorshift has no path to 0; keeps the loop
		return 0
	}
	return took
}

const (
	probeTurns = 50_000 // some 0.1 ms
	probes     = 2      // the shorter counts: an interrupt is no neighbour
	shared     = 1.25   // times the least: threads of a core slow each other by half to twice, its frequency by a tenth
)

// neighbour returns a function that reports whether something else computes on the same core now: another program, or
// another guest of a shared machine, on the core's second thread. While it does, often for seconds, everything that is
// timed takes up to twice as long. What a neighbour does to caches and memory goes unnoticed. The function takes some
// 0.2 ms, and recognizes a quiet core only by having seen one.
func neighbour(probe func() time.Duration) (busy func() bool) {
	least := time.Duration(math.MaxInt64)
	return func() bool {
		took := probe()
		for range probes - 1 {
			took = min(took, probe())
		}
		least = min(least, took)
		return float64(took) > shared*float64(least)
	}
}
