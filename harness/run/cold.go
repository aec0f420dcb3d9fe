package run

import (
	"context"
	"runtime"
	"sync"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Cold is what the rest of an application does while a scheme runs. The zero Cold is nothing: the scheme has the caches
// for itself.
type Cold struct {
	Touched   int // MiB that are written before each tick
	Collected int // MiB of the application's heap, which the collector marks again and again meanwhile
}

// pieceLives is how many timers end in a piece of a run, at least: it lasts 0.4 ms or more, so that reading the clock
// takes less than a thousandth of it.
const pieceLives, mostPieces = 20_000, 10

// run takes a drive to the end of its trace and returns the times of PerTick, Expire and the operations, by pieces of the
// run. If the application does anything, it is one piece, in which two readings of the clock on each tick are, as in the
// null scheme's.
func (c Cold) run(d *drive.Drive, t *workload.Trace, clock func() time.Duration) (pieces []time.Duration, err error) {
	if c == (Cold{}) {
		n := schemes.Tick(max(1, min(mostPieces, t.Lifetimes()/pieceLives)))
		for k := schemes.Tick(1); k <= n && err == nil; k++ {
			began := clock()
			err = d.RunTo(t.Ticks/n*k+t.Ticks%n*k/n, nil, nil)
			pieces = append(pieces, clock()-began)
		}
		return pieces, err
	}
	memory := make([]byte, c.Touched<<20)
	defer c.collect()()
	pieces = []time.Duration{0}
	for tick := schemes.Tick(1); tick <= t.Ticks && err == nil; tick++ {
		touch(memory)
		began := clock()
		err = d.RunTo(tick, nil, nil)
		pieces[0] += clock() - began
	}
	return pieces, err
}

const cacheLine = 64

// touch writes to each line of the cache that the memory takes.
func touch(memory []byte) {
	for i := 0; i < len(memory); i += cacheLine {
		memory[i]++
	}
}

// collect fills the heap and collects garbage until the function that it returns is called.
func (c Cold) collect() (stop func()) {
	if c.Collected == 0 {
		return func() {}
	}
	type object struct {
		_ [cacheLine - 8]byte
		_ *object // the collector looks at it
	}
	heap := make([]*object, c.Collected<<20/cacheLine)
	for i := range heap {
		heap[i] = new(object)
	}
	var collector sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	collector.Go(func() {
		for ctx.Err() == nil {
			runtime.GC()
		}
		runtime.KeepAlive(heap)
	})
	return func() { cancel(); collector.Wait() }
}
