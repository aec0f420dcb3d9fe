package schemetest

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"timerlab/schemes"
)

// checkCapacity grows schemes made for few timers to many, in the machine.
func checkCapacity(s *suite) error {
	for _, capacity := range []int{0, 1, 2, 63, 64, 65, 1000} {
		cfg := tiny(s.info)[len(tiny(s.info))-1]
		cfg.Capacity = capacity
		if err := s.try(grown(s.info, cfg)); err != nil {
			return err
		}
	}
	return nil
}

func grown(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	longest := min(info.Range(cfg), 100)
	for i := range schemes.Tick(800) {
		l := w.start(longest - i%longest)
		if i%5 == 0 {
			w.stop(l)
		}
	}
	w.tickExpire(longest)
	return w.program
}

// mallocs is the least number of allocations of f in several tries: other
// goroutines may allocate meanwhile, but not always.
func mallocs(tries int, f func()) uint64 {
	least := ^uint64(0)
	var before, after runtime.MemStats
	for try := 0; try < tries && least > 0; try++ {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

// checkCapacityAhead counts the allocations of the first starts, behind one
// timer of the longest interval: what a scheme makes for an interval on demand,
// such as a level, is not what Capacity is about.
func checkCapacityAhead(s *suite) error {
	const capacity, tries = 500, 10
	for _, cfg := range configs(s.info)[:2] {
		cfg.Capacity = capacity
		longest := min(s.info.Range(cfg), 50)
		var made []schemes.Scheme
		for range tries {
			scheme, err := s.info.New(cfg)
			if err != nil {
				return s.broken("New failed: %v", err)
			}
			lastOne(scheme, longest)
			made = append(made, scheme)
		}
		n := mallocs(tries, func() {
			for i := range schemes.Tick(capacity) {
				made[0].Start(1+i%longest, 1)
			}
			made = made[1:]
		})
		if n > 0 {
			return s.violation(s.rule.Name, fmt.Sprintf("the first %d starts allocate %d times", capacity, n), []string{describe(cfg)})
		}
	}
	return nil
}

// lastOne starts one timer and lets it expire, with time for what a Bound allows.
func lastOne(scheme schemes.Scheme, interval schemes.Tick) {
	scheme.Start(interval, 1)
	for range 4 * interval {
		if scheme.PerTick() > 0 {
			break
		}
	}
	scheme.Expire(func(schemes.ID) {})
}

// steady is a scheme kept at a constant number of timers.
type steady struct {
	scheme  schemes.Scheme
	longest schemes.Tick
	started schemes.ID
	action  func(schemes.ID)
}

// turn passes one tick: the expired are started again, one timer is started and
// stopped, one waits to be stopped while due.
func (y *steady) turn() {
	h, _ := y.scheme.Start(y.longest, 0)
	d, _ := y.scheme.Start(1, 0)
	y.scheme.PerTick()
	y.scheme.Stop(h)
	y.scheme.Stop(d)
	y.scheme.Stop(d)
	y.scheme.Expire(y.action)
}

func (y *steady) again(id schemes.ID) {
	y.started++
	y.scheme.Start(1+schemes.Tick(y.started*7)%y.longest, id)
}

func checkAllocation(s *suite) error {
	for _, cfg := range configs(s.info) {
		scheme, err := s.info.New(cfg)
		if err != nil {
			return s.broken("New failed: %v", err)
		}
		y := &steady{scheme: scheme, longest: min(s.info.Range(cfg), 500)}
		y.action = y.again
		for range 32 {
			y.again(0)
		}
		for range 2000 {
			y.turn()
		}
		n := mallocs(10, func() {
			for range 200 {
				y.turn()
			}
		})
		if n > 0 {
			return s.violation(s.rule.Name, fmt.Sprintf("200 ticks with some starts and stops allocate %d times", n), []string{describe(cfg)})
		}
	}
	return s.checkLeak(tiny(s.info)[0])
}

// checkLeak adds up what a long run of one timer at a time allocates: storage
// that is used only once shows too seldom for the rule above.
func (s *suite) checkLeak(cfg schemes.Config) error {
	const cycles, limit = 1 << 18, 1 << 20 // 4 bytes for each
	scheme, err := s.info.New(cfg)
	if err != nil {
		return s.broken("New failed: %v", err)
	}
	least := ^uint64(0)
	var before, after runtime.MemStats
	ignore := func(schemes.ID) {}
	for try := 0; try < 3 && least > limit; try++ {
		runtime.ReadMemStats(&before)
		for i := range cycles {
			if h, _ := scheme.Start(1, 1); i%2 == 0 {
				scheme.Stop(h)
				continue
			}
			scheme.PerTick()
			scheme.Expire(ignore)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > limit {
		return s.violation(s.rule.Name, fmt.Sprintf("%d timers, one at a time, allocate %d bytes", cycles, least), []string{describe(cfg)})
	}
	return nil
}

// checkErrorText reads the errors of a refused interval and a refused size.
func checkErrorText(s *suite) error {
	scheme, err := s.info.New(at(tiny(s.info)[0], endOfClock-1234))
	if err != nil {
		return s.broken("New failed: %v", err)
	}
	base, _, _ := strings.Cut(s.info.Name, "-")
	for _, interval := range []schemes.Tick{0, endOfClock - 77} {
		if _, err = scheme.Start(interval, 1); err == nil || !names(err, base, strconv.FormatUint(uint64(interval), 10)) {
			return s.broken("Start(interval %d): %v", interval, err)
		}
	}
	if _, err = s.info.New(schemes.Config{Capacity: -4321}); err == nil || !names(err, base, "-4321") {
		return s.broken("New with Capacity -4321: %v", err)
	}
	return nil
}

func names(err error, words ...string) bool {
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			return false
		}
	}
	return true
}
