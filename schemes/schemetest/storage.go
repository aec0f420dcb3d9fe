package schemetest

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"timerlab/schemes"
)

// The rules about storage: it grows, is used again, and nothing is allocated in the steady state.

// tries is how often a rule about allocation tries again: other goroutines may allocate meanwhile, but not always.
const tries = 4

// allocations is the least that f allocates on average in a few series of runs, each after one more of f.
func allocations(runs int, f func()) float64 {
	least := math.Inf(1)
	for try := 0; try < tries && least > 0; try++ {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}

// checkCapacityAhead counts the allocations of the first starts, after one timer of the longest interval: what
// a scheme makes for an interval when it needs it, such as a level, is not what Capacity is about.
func checkCapacityAhead(s *suite) {
	const capacity, runs = 500, 3
	for _, c := range settings(s.info)[:2] {
		c.cfg.Capacity = capacity
		longest := c.most(50)
		var made []schemes.Scheme
		for range tries * (1 + runs) {
			one := s.scheme(c)
			made = append(made, one)
			one.Start(longest, 1)
			for passed := schemes.Tick(0); passed < 4*longest && one.PerTick() == 0; passed++ { // a Bound may allow that
			}
			one.Expire(func(schemes.ID) {})
		}
		n := allocations(runs, func() {
			for i := range schemes.Tick(capacity) {
				made[0].Start(1+i%longest, 1)
			}
			made = made[1:]
		})
		s.require(n == 0, "the first %d starts allocate %v times", capacity, n)
	}
}

// steady keeps a scheme at a number of timers: an action starts the next. It returns what passes n ticks, or fewer
// of a slow scheme; on each, one timer is started, restarted and stopped, and one waits to be stopped while due.
func (s *suite) steady(c setting, timers int, longest schemes.Tick) (made schemes.Scheme, pass func(n int) (passed int)) {
	made, started := s.scheme(c), schemes.Tick(0)
	restarter, restarts := made.(schemes.Restarter)
	longest = c.most(longest)
	action := func(id schemes.ID) {
		started++
		made.Start(1+started*7%longest, id)
	}
	for range timers {
		action(0)
	}
	return made, func(n int) (passed int) {
		for ; s.goesOn(passed, n); passed++ {
			h, _ := made.Start(longest, 0)
			d, _ := made.Start(1, 0)
			if restarts {
				h, _ = restarter.Restart(h, 1+started*5%longest)
			}
			made.PerTick()
			made.Stop(h)
			made.Stop(d)
			made.Stop(d)
			made.Expire(action)
		}
		return passed
	}
}

// checkAllocation counts the allocations of some ticks. Storage that is used only once, or given back whenever
// there is no timer, shows too seldom for that, so the bytes of long runs are added up as well.
func checkAllocation(s *suite) {
	const timers, settling, some, many, bytesEach = 32, 2000, 200, 1 << 17, 8
	for _, c := range s.settings() {
		_, pass := s.steady(c, timers, 500)
		pass(settling)
		n := allocations(2, func() { pass(some) })
		s.require(n == 0, "%d ticks with some starts and stops allocate %v times", some, n)
	}
	limit := uint64(s.scaled(many) * bytesEach)
	for timers := range 2 {
		least := ^uint64(0)
		_, pass := s.steady(s.few()[0], timers, 1)
		for try := 0; try < tries && least > limit; try++ {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			pass(many)
			runtime.ReadMemStats(&after)
			least = min(least, after.TotalAlloc-before.TotalAlloc)
		}
		s.require(least <= limit, "%d ticks with some starts and stops allocate %d bytes", many, least)
	}
}

// checkMemory compares the memory that is held after some starts, stops, restarts and expiries with the memory after
// many more. A stop that leaks a byte is noticed.
func checkMemory(s *suite) {
	const timers, settling, many, slack = 8, 2000, 1 << 17, 4 << 10
	made, pass := s.steady(s.few()[0], timers, 16)
	pass(settling)
	least, limit := ^uint64(0), uint64(0)
	for try := 0; try < tries && least > limit; try++ {
		before := held(made)
		limit = slack + uint64(pass(many))
		least = min(least, max(held(made), before)-before)
	}
	s.require(least <= limit, "%d ticks with some starts, stops and expiries leave %d bytes more", limit-slack, least)
}

// held returns the bytes in use in Go's heap, and the bytes that the scheme holds outside.
func held(made schemes.Scheme) uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if o, ok := made.(schemes.OffHeaper); ok {
		m.HeapAlloc += uint64(o.OffHeap())
	}
	return m.HeapAlloc
}

// checkReuse starts and stops in the same storage far more often than a small generation can count, first with
// one timer outstanding. Ticks make a scheme that stops lazily give the storage back.
func checkReuse(s *suite) {
	const cycles = 1<<20 + 10
	c := s.few()[0].at(9)
	made := s.scheme(c)
	_, holds := made.(schemes.Holder)
	first, _ := made.Start(1, 1)
	made.Stop(first)
	for i := 0; s.goesOn(i, cycles); i++ {
		if holds {
			made.PerTick()
		}
		h, err := made.Start(1, schemes.ID(i))
		if h == first || err != nil || i%1024 == 0 && made.Stop(first) || !made.Stop(h) {
			s.require(false, "Start %d returned or revived the first handle, or its timer cannot be stopped; error %v", i+2, err)
		}
	}
}

// checkPeak starts many timers, fewer on a slow scheme, stops them all, passes some ticks, so that memory may be
// given back, starts as many again, and tries all the old handles. Deadlines ascend, then descend: lists are
// searched from one end.
func checkPeak(s *suite) {
	const most = 100_000
	cs := s.settings()
	c := cs[len(cs)-1]
	c.cfg.Capacity = 65
	longest := c.most(1 << 20)
	for _, interval := range []func(n int) schemes.Tick{
		func(n int) schemes.Tick { return 1 + schemes.Tick(n)%longest },
		func(n int) schemes.Tick { return longest - schemes.Tick(n)%longest },
	} {
		made, began := s.scheme(c), time.Now()
		var all []schemes.Handle
		for n := 0; n < s.scaled(most) && (n%64 != 0 || time.Since(began) < s.longRun/4); n++ {
			h, _ := made.Start(interval(n), 1)
			all = append(all, h)
		}
		s.made = append(s.made, fmt.Sprintf("%d starts, all stopped, 20 PerTicks, as many starts", len(all)))
		old := map[schemes.Handle]bool{}
		for _, h := range all {
			old[h] = true
			s.require(made.Stop(h) && !made.Stop(h), "Stop did not return true once and then false")
		}
		for range 20 {
			s.require(made.PerTick() == 0, "a stopped timer became due")
		}
		for n := range all {
			h, err := made.Start(interval(n), 1)
			s.require(err == nil && !old[h], "start %d returned the handle %#x, used before, or the error %v", n, uint64(h), err)
		}
		for _, h := range all {
			s.require(!made.Stop(h), "a handle of the first round stopped a timer of the second")
		}
	}
}
