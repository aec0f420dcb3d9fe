package grade

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// growth is the lab's own rule. It measures time, so it is not part of the conformance suite.
var growth = schemetest.Rule{
	Name: "growth",
	Sentence: "Start, Stop and PerTick take about as long with 16 times as many timers in 16 times as many slots, " +
		"unless the paper says otherwise of the scheme.",
}

const (
	fewTimers  = 128
	manyTimers = 16 * fewTimers // about 100 kB, which is near enough to the processor
	perSlot    = 4
	batch      = manyTimers / 4 // of each operation, timed together: some microseconds, so most are not interrupted

	// A walk over all timers or all slots takes almost 16 times as long. What is independent of n takes once to
	// twice as long, since the memory is farther away. The limit is in the middle of 1 and 16, as factors.
	maxGrowth = 4

	// The least of many batches is one that nothing disturbed. More are made while a growth is too large, so a
	// busy machine takes longer and gives the same verdict.
	minBatches = 20
	maxBatches = 500
	longest    = time.Second // no more batches after that, beyond the fewest
)

var timed = []string{"Start", "Stop", "PerTick"}

// checkGrowth compares the least times of batches with few and with many timers.
func checkGrowth(info *schemes.Info) *schemetest.Violation {
	few, many := load{n: fewTimers}, load{n: manyTimers}
	if err := cmp.Or(few.fill(info), many.fill(info)); err != nil {
		return violated(info, growth.Name, "%v", err)
	}
	var worst *schemetest.Violation
	for i, began := 0, time.Now(); i < minBatches || worst != nil && i < maxBatches && time.Since(began) < longest; i++ {
		if !few.batch() || !many.batch() {
			return violated(info, growth.Name, "Stop returned false for a timer just started")
		}
		worst = nil
		for k, operation := range timed {
			mayGrow := info.Number == 1 && operation == "PerTick" || // O(n) in the paper
				info.Number == 2 && operation == "Start"
			if a, b := few.least[k], many.least[k]; b > maxGrowth*a && !mayGrow {
				worst = violated(info, growth.Name, "%s takes %.1f times as long with %d timers as with %d, and as many slots for "+
					"each timer: %v instead of %v", operation, float64(b)/float64(a), manyTimers, fewTimers, b/batch, a/batch)
			}
		}
	}
	return worst
}

// load is a scheme with n timers that wait for long.
type load struct {
	n       int
	scheme  schemes.Scheme
	most    schemes.Tick     // the longest interval
	handles []schemes.Handle // of the timers that are started and stopped, a quarter of n
	least   [3]time.Duration // of a batch of each operation in timed
}

// interval returns one of many between half of the longest and the longest, in no order.
func (l *load) interval(i int) schemes.Tick {
	return l.most - schemes.Tick(i)*2_654_435_761%(l.most/2+1) // 2^32 over the golden ratio
}

func (l *load) fill(info *schemes.Info) (err error) {
	cfg := schemes.Config{Slots: l.n / perSlot, Capacity: l.n + l.n/4}
	if l.scheme, err = info.New(cfg); err != nil {
		return err
	}
	l.most, l.handles = min(info.Range(cfg), 1<<24), make([]schemes.Handle, l.n/4)
	l.least = [3]time.Duration{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	_, err = l.scheme.Start(1, 1)
	for i := 0; i < l.n && err == nil; i++ {
		_, err = l.scheme.Start(l.interval(i), 1)
	}
	moved, ticks := 0, 2*cfg.Slots+2
	for range ticks { // a wrong clock is another stage's
		moved += l.scheme.PerTick()
	}
	if err == nil && moved == 0 {
		err = fmt.Errorf("a timer of interval 1 is not due after %d ticks", ticks)
	}
	return err
}

// batch times a batch of each operation and reports whether all timers could be stopped.
func (l *load) batch() bool {
	var took [3]time.Duration
	stopped := 0
	for range batch / len(l.handles) {
		t0 := time.Now()
		for i := range l.handles {
			l.handles[i], _ = l.scheme.Start(l.interval(l.n+i), 1)
		}
		t1 := time.Now()
		for _, h := range l.handles {
			if l.scheme.Stop(h) {
				stopped++
			}
		}
		t2 := time.Now()
		for range l.handles {
			l.scheme.PerTick()
		}
		t3 := time.Now()
		took[0], took[1], took[2] = took[0]+t1.Sub(t0), took[1]+t2.Sub(t1), took[2]+t3.Sub(t2)
	}
	for k, d := range took {
		l.least[k] = min(l.least[k], d)
	}
	return stopped == batch
}
