package grade

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// mayGrow reports whether the operation is O(n) in the paper.
func mayGrow(number int, operation string) bool {
	return number == 1 && operation == "PerTick" || number == 2 && operation == "Start"
}

// checkGrowth compares the least times of batches with few and with many timers.
func checkGrowth(info *schemes.Info) *schemetest.Violation {
	few, many := load{n: fewTimers}, load{n: manyTimers}
	for _, l := range []*load{&few, &many} {
		if err := l.fill(info); err != nil {
			return violated(info, growth.Name, "%v", err)
		}
	}
	began, worst := time.Now(), ""
	for i := 0; i < minBatches || worst != "" && i < maxBatches && time.Since(began) < longest; i++ {
		if !few.batch() || !many.batch() {
			return violated(info, growth.Name, "Stop returned false for a timer just started")
		}
		worst = ""
		for k, operation := range timed {
			if a, b := few.least[k], many.least[k]; b > maxGrowth*a && !mayGrow(info.Number, operation) {
				worst = fmt.Sprintf("%s takes %.1f times as long with %d timers as with %d, and as many slots for each timer: "+
					"%v instead of %v", operation, float64(b)/float64(a), manyTimers, fewTimers, b/batch, a/batch)
			}
		}
	}
	if worst != "" {
		return violated(info, growth.Name, "%s", worst)
	}
	return nil
}

// load is a scheme with n timers that wait for long.
type load struct {
	n       int
	scheme  schemes.Scheme
	handles []schemes.Handle // of the timers that are started and stopped, a quarter of n
	waits   []schemes.Tick   // their intervals
	least   [3]time.Duration // of a batch of each operation in timed
}

func (l *load) fill(info *schemes.Info) (err error) {
	cfg := schemes.Config{Slots: l.n / perSlot, Capacity: l.n + l.n/4}
	if l.scheme, err = info.New(cfg); err != nil {
		return err
	}
	random, most := rand.New(rand.NewPCG(1, 2)), min(info.Range(cfg), 1<<24)
	for range l.n + l.n/4 {
		l.waits = append(l.waits, most-schemes.Tick(random.Uint64())%(most/2+1))
	}
	for _, interval := range l.waits[:l.n] {
		if _, err := l.scheme.Start(interval, 1); err != nil {
			return err
		}
	}
	if _, err := l.scheme.Start(1, 1); err != nil {
		return err
	}
	moved := 0
	for range 2*cfg.Slots + 2 { // a wrong clock is another stage's
		moved += l.scheme.PerTick()
	}
	if moved == 0 {
		return fmt.Errorf("a timer of interval 1 is not due after %d ticks", 2*cfg.Slots+2)
	}
	l.least = [3]time.Duration{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	l.waits = l.waits[l.n:]
	l.handles = make([]schemes.Handle, len(l.waits))
	return nil
}

// batch times a batch of each operation and reports whether all timers could be stopped.
func (l *load) batch() bool {
	var took [3]time.Duration
	stopped := 0
	for range batch / len(l.handles) {
		t0 := time.Now()
		for i, interval := range l.waits {
			l.handles[i], _ = l.scheme.Start(interval, 1)
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
