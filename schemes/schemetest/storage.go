package schemetest

import (
	"fmt"
	"runtime"
	"time"

	"timerlab/schemes"
)

// The rules about storage: it grows, is used again, and nothing is allocated in the steady state.

func checkCapacity(s *suite) {
	for _, capacity := range some(s, []int{0, 1, 64, 65, 1000}, 1) {
		c := s.few()[len(s.few())-1]
		c.cfg.Capacity = capacity
		s.each([]setting{c}, func(w *writer) {
			longest := w.most(100)
			for i := range schemes.Tick(700) {
				l := w.start(longest - i%longest)
				if i%5 == 0 {
					w.stop(l)
				}
			}
			w.tickExpire(longest)
		})
	}
}

// allocated is the least that f allocates in several tries: other goroutines may
// allocate meanwhile, but not always. No try follows one within the limit.
func allocated(tries int, limit uint64, read func(*runtime.MemStats) uint64, f func()) uint64 {
	least := ^uint64(0)
	var before, after runtime.MemStats
	for try := 0; try < tries && least > limit; try++ {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, read(&after)-read(&before))
	}
	return least
}

func mallocs(m *runtime.MemStats) uint64 { return m.Mallocs }

// checkCapacityAhead counts the allocations of the first starts, after one timer of the longest interval: what
// a scheme makes for an interval when it needs it, such as a level, is not what Capacity is about.
func checkCapacityAhead(s *suite) {
	const capacity, tries = 500, 10
	for _, c := range settings(s.info)[:2] {
		c.cfg.Capacity = capacity
		longest := c.most(50)
		var made []schemes.Scheme
		for range tries {
			one := s.scheme(c)
			made = append(made, one)
			one.Start(longest, 1)
			for passed := schemes.Tick(0); passed < 4*longest && one.PerTick() == 0; passed++ { // a Bound may allow that
			}
			one.Expire(func(schemes.ID) {})
		}
		n := allocated(tries, 0, mallocs, func() {
			for i := range schemes.Tick(capacity) {
				made[0].Start(1+i%longest, 1)
			}
			made = made[1:]
		})
		s.require(n == 0, "the first %d starts allocate %d times", capacity, n)
	}
}

// steady keeps a scheme at a number of timers: an action starts the next. It returns what passes n ticks; on
// each, one timer is started and stopped, and one waits to be stopped while due.
func (s *suite) steady(c setting, timers int, longest schemes.Tick) (pass func(n int)) {
	made, started := s.scheme(c), schemes.Tick(0)
	longest = c.most(longest)
	action := func(id schemes.ID) {
		started++
		made.Start(1+started*7%longest, id)
	}
	for range timers {
		action(0)
	}
	return func(n int) {
		for i := 0; s.goesOn(i, n); i++ {
			h, _ := made.Start(longest, 0)
			d, _ := made.Start(1, 0)
			made.PerTick()
			made.Stop(h)
			made.Stop(d)
			made.Stop(d)
			made.Expire(action)
		}
	}
}

// checkAllocation counts the allocations of some ticks. Storage that is used only once, or given back whenever
// there is no timer, shows too seldom for that, so the bytes of long runs are added up as well.
func checkAllocation(s *suite) {
	const timers, settling, some, many, bytesEach = 32, 2000, 200, 1 << 17, 8
	for _, c := range s.settings() {
		pass := s.steady(c, timers, 500)
		pass(settling)
		n := allocated(10, 0, mallocs, func() { pass(some) })
		s.require(n == 0, "%d ticks with some starts and stops allocate %d times", some, n)
	}
	limit := uint64(s.scaled(many) * bytesEach)
	for timers := range 2 {
		pass := s.steady(s.few()[0], timers, 1)
		bytes := func(m *runtime.MemStats) uint64 { return m.TotalAlloc }
		n := allocated(3, limit, bytes, func() { pass(many) })
		s.require(n <= limit, "%d ticks with some starts and stops allocate %d bytes", many, n)
	}
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

// Sizes of the peak. It doubles, but no more once the last one took as many comparisons or, where they
// are not counted, all took a quarter of longRun: memory is the matter here, not the speed of a scheme whose
// operations are O(n).
const (
	lastPeak     = 100_000
	firstPeak    = lastPeak >> 6
	mostCompares = 1 << 25
)

// checkPeak starts timers in ascending and in descending order of deadlines: lists are searched from one end.
func checkPeak(s *suite) {
	cs := s.settings()
	c := cs[len(cs)-1]
	longest := c.most(1 << 20)
	for _, interval := range []func(i schemes.Tick) schemes.Tick{
		func(i schemes.Tick) schemes.Tick { return 1 + i%longest },
		func(i schemes.Tick) schemes.Tick { return longest - i%longest },
	} {
		began := time.Now()
		for n := firstPeak; n <= s.scaled(lastPeak); n *= 2 {
			counter, counts := s.peak(c, n, interval).(schemes.Counter)
			if counts && counter.Counts().Compares > mostCompares || !counts && time.Since(began) > s.longRun/4 {
				break
			}
		}
	}
}

// peak starts many timers, stops them all, passes some ticks, so that memory may be
// given back, starts as many again, and tries all the old handles. It returns the scheme.
func (s *suite) peak(c setting, n int, interval func(i schemes.Tick) schemes.Tick) schemes.Scheme {
	made, old := s.scheme(c), map[schemes.Handle]bool{}
	s.made = append(s.made,
		fmt.Sprintf("%d starts, all stopped, 20 PerTicks, as many starts, stops of the first handles", n))
	for range 2 {
		var all []schemes.Handle
		for i := range n {
			h, err := made.Start(interval(schemes.Tick(i)), schemes.ID(i))
			s.require(err == nil && !old[h] && h != 0,
				"start %d returned the handle %#x, used before: %t, error %v", i, uint64(h), old[h], err)
			all = append(all, h)
		}
		for h := range old {
			s.require(!made.Stop(h), "a handle of the first round stopped a timer of the second")
		}
		for _, h := range all {
			old[h] = true
			s.require(made.Stop(h) && !made.Stop(h), "Stop did not return true once and then false")
		}
		for range 20 {
			s.require(made.PerTick() == 0, "a stopped timer became due")
		}
	}
	return made
}
