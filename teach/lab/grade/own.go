package grade

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// The lab's own rules are about time, and about memory within a tick, so they are not part of the conformance suite.
var (
	growth = schemetest.Rule{
		Name: "growth",
		Sentence: "Start, Stop and PerTick take about as long with 16 times as many timers in 16 times as many slots, and " +
			"Start and Stop also in as many slots as before, unless the paper says otherwise of the scheme.",
	}
	frees = schemetest.Rule{
		Name: "stop-frees",
		Sentence: "Stop gives the storage of a timer back at once: many starts and stops within a tick hold no more memory " +
			"than a few.",
	}
)

// own returns a rule of the lab and its check, or nil.
func own(name string) (*schemetest.Rule, func(*schemes.Info) *schemetest.Violation) {
	switch name {
	case growth.Name:
		return &growth, checkGrowth
	case frees.Name:
		return &frees, checkFrees
	}
	return nil, nil
}

// checkFrees compares the heap after 1,000 starts and stops with the heap after up to two million, all within a tick. A leak may be
// a slice with spare capacity from earlier rules, which two million appends exceed. Other goroutines may allocate meanwhile,
// so a violation must occur in each of three tries.
func checkFrees(info *schemes.Info) (v *schemetest.Violation) {
	const settling, most, tries, slack = 1000, 2_000_000, 3, 4 << 10
	for range tries {
		l, stops, began := load{n: 8, slots: 64}, 0, time.Now()
		if err := l.fill(info); err != nil {
			return violated(info, frees.Name, "%v", err)
		}
		var before, after runtime.MemStats
		for ; stops < most && (stops <= settling || stops%1024 != 0 || time.Since(began) < longest); stops++ {
			if stops == settling {
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
			h, _ := l.scheme.Start(l.interval(stops), 1)
			if !l.scheme.Stop(h) {
				return violated(info, "stop", "Stop returned false for a timer just started")
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(l.scheme)
		if after.HeapAlloc <= before.HeapAlloc+slack+uint64(stops) {
			return nil
		}
		v = violated(info, frees.Name, "%d times Start and Stop leave %d bytes more", stops, after.HeapAlloc-before.HeapAlloc)
	}
	return v
}

const (
	fewTimers  = 128
	manyTimers = 16 * fewTimers // about 100 kB, which is near enough to the processor
	fewSlots   = fewTimers / 4
	batch      = manyTimers / 4 // of each operation, timed together: some microseconds, so most are not interrupted

	// A walk over all timers, all slots or a slot takes almost 16 times as long. What is independent of n takes once to
	// twice as long, since the memory is farther away. The limit is in the middle of 1 and 16, as factors.
	maxGrowth = 4

	// The least of many batches is one that nothing disturbed. More are made while a growth is too large, so a
	// busy machine takes longer and gives the same verdict.
	minBatches = 20
	maxBatches = 500
	longest    = time.Second // no more batches or stops after that, beyond the fewest
)

var timed = []string{"Start", "Stop", "PerTick"}

// checkGrowth compares the least times of batches with few timers, with many, and with many that crowd in few slots.
func checkGrowth(info *schemes.Info) *schemetest.Violation {
	few, many, crowded := load{n: fewTimers, slots: fewSlots}, load{n: manyTimers, slots: 16 * fewSlots}, load{n: manyTimers, slots: fewSlots}
	if err := cmp.Or(few.fill(info), many.fill(info), crowded.fill(info)); err != nil {
		return violated(info, growth.Name, "%v", err)
	}
	var worst *schemetest.Violation
	for i, began := 0, time.Now(); i < minBatches || worst != nil && i < maxBatches && time.Since(began) < longest; i++ {
		if !few.batch(true) || !many.batch(true) || !crowded.batch(false) {
			return violated(info, growth.Name, "Stop returned false for a timer that waits")
		}
		worst = cmp.Or(few.exceeded(info, &many), few.exceeded(info, &crowded))
	}
	return worst
}

// load is a scheme with n timers that wait for long.
type load struct {
	n, slots int
	scheme   schemes.Scheme
	most     schemes.Tick     // the longest interval
	handles  []schemes.Handle // of the timers
	next     int              // timer to be stopped, by its place in handles
	least    [3]time.Duration // of a batch of each operation in timed
}

// interval returns one of many between half of the longest and the longest, in no order.
func (l *load) interval(i int) schemes.Tick {
	return l.most - schemes.Tick(i)*2_654_435_761%(l.most/2+1) // 2^32 over the golden ratio
}

func (l *load) fill(info *schemes.Info) (err error) {
	cfg := schemes.Config{Slots: l.slots, Capacity: l.n + 1}
	if l.scheme, err = info.New(cfg); err != nil {
		return err
	}
	l.most, l.handles = min(info.Range(cfg), 1<<24), make([]schemes.Handle, l.n)
	l.least = [3]time.Duration{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	moved, ticks := 0, 2*cfg.Slots+2
	_, err = l.scheme.Start(1, 1)
	for i := 0; i < ticks && moved == 0; i++ { // a wrong clock is another stage's
		moved = l.scheme.PerTick()
	}
	if err == nil && moved == 0 {
		err = fmt.Errorf("a timer of interval 1 is not due after %d ticks", ticks)
	}
	for i := 0; i < l.n && err == nil; i++ {
		l.handles[i], err = l.scheme.Start(l.interval(i), 1)
	}
	return err
}

// batch times a batch of each operation, PerTick if the time passes, and reports whether all timers could be stopped.
// The timers that it stops are anywhere in their slots: a list is cheap to search for those near its ends.
func (l *load) batch(passes bool) bool {
	var took [3]time.Duration
	stopped, part := 0, l.n/4
	const stride = 77 // odd, so all timers are stopped in turn
	for range batch / part {
		t0 := time.Now()
		for i := range part {
			if l.scheme.Stop(l.handles[(l.next+i)*stride%l.n]) {
				stopped++
			}
		}
		t1 := time.Now()
		for i := range part {
			i += l.next
			l.handles[i*stride%l.n], _ = l.scheme.Start(l.interval(l.n+i), 1)
		}
		t2 := time.Now()
		for i := 0; i < part && passes; i++ {
			l.scheme.PerTick()
		}
		t3 := time.Now()
		l.next += part
		took[0], took[1], took[2] = took[0]+t2.Sub(t1), took[1]+t1.Sub(t0), took[2]+t3.Sub(t2)
	}
	for k, d := range took {
		l.least[k] = min(l.least[k], d)
	}
	return stopped == batch
}

// exceeded returns the violation if an operation takes too much longer with another load.
func (l *load) exceeded(info *schemes.Info, other *load) (worst *schemetest.Violation) {
	for k, operation := range timed {
		mayGrow := info.Number == 1 && operation == "PerTick" || // O(n) in the paper
			info.Number == 2 && operation == "Start" || info.Number == 5 && operation == "Start" && l.slots == other.slots
		if a, b := l.least[k], other.least[k]; b > maxGrowth*a && !mayGrow {
			worst = violated(info, growth.Name, "%s takes %.1f times as long with %d timers in %d slots as with %d in %d: %v instead of %v",
				operation, float64(b)/float64(a), other.n, other.slots, l.n, l.slots, b/batch, a/batch)
		}
	}
	return worst
}
