package run

import (
	"context"
	"runtime"
	"sync"
	"time"

	"timerlab/harness/drive"
	"timerlab/schemes"
)

// Cold is what the rest of an application does while a scheme runs. The zero Cold is nothing: the scheme has the caches
// for itself.
type Cold struct {
	Touched   int // MiB that are written before each tick
	Collected int // MiB of the application's heap, which the collector marks again and again meanwhile
}

// run takes a drive to its last tick and returns the time of PerTick, Expire and the operations. If the application does
// anything, two readings of the clock on each tick are in it, as in the null scheme's.
func (c Cold) run(d *drive.Drive, last schemes.Tick, clock func() time.Duration) (took time.Duration, err error) {
	if c == (Cold{}) {
		began := clock()
		err = d.Run(nil)
		return clock() - began, err
	}
	memory := make([]byte, c.Touched<<20)
	defer c.collect()()
	for tick := schemes.Tick(1); tick <= last && err == nil; tick++ {
		touch(memory)
		began := clock()
		err = d.RunTo(tick, nil, nil)
		took += clock() - began
	}
	return took, err
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
