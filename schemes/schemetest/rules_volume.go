package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// The long runs compare less than the machine does, and so pass a million
// timers in a tenth of a second.

// Sizes of the volume: a scheme that loses one timer in a hundred thousand is
// caught for certain if it counts them, and nearly so if it rolls a die.
const (
	volumeTimers = 600_000
	volumeHeld   = 64 // outstanding, so that schemes of O(n) are quick too
	volumeLong   = 16 // longest interval
)

// volume keeps volumeHeld timers going: the action of each starts the next.
// Every few starts one more is started and soon stopped.
type volume struct {
	scheme  schemes.Scheme
	longest schemes.Tick
	oracle  *oracle // of a scheme with a Bound, else nil
	now     schemes.Tick
	started schemes.ID     // also the newest ID
	due     [][]schemes.ID // by deadline modulo its length
	got     []schemes.ID
	refused string
}

func checkVolume(s *suite) error {
	first, second := tiny(s.info)[1], tiny(s.info)[0]
	switch {
	case usesSlots(s.info):
		first, second = schemes.Config{Slots: 7}, schemes.Config{Slots: 16}
	case usesLevels(s.info):
		first, second = schemes.Config{Levels: []int{2, 2, 2, 2, 2}}, schemes.Config{Levels: []int{7, 3, 5}}
	}
	for i, cfg := range []schemes.Config{first, at(second, 1<<32-5)} {
		v := s.volume(cfg)
		if got := v.run(volumeTimers >> (2 * i)); got != "" {
			return s.violation(s.rule.Name, got, []string{
				describe(cfg), fmt.Sprintf("%d timers, %d at a time, each started by the action of another", v.started, volumeHeld),
			})
		}
	}
	return nil
}

// volume makes one. A ring of the longest time that a timer may take serves.
func (s *suite) volume(cfg schemes.Config) *volume {
	v := &volume{longest: min(s.info.Range(cfg), volumeLong), now: cfg.Now}
	v.scheme, _ = s.info.New(cfg)
	v.oracle = s.oracles.about(cfg, v.scheme)
	ring := v.longest
	for interval := schemes.Tick(1); v.oracle != nil && interval <= v.longest; interval++ {
		ring = max(ring, v.oracle.latest(v.now, interval))
	}
	v.due = make([][]schemes.ID, ring+1)
	return v
}

// run starts about n timers and returns what went wrong.
func (v *volume) run(n schemes.ID) string {
	for range volumeHeld {
		v.start()
	}
	action := func(id schemes.ID) {
		v.got = append(v.got, id)
		v.start()
	}
	for v.started < n && v.refused == "" {
		if v.started%4 == 0 {
			v.stopOne()
		}
		v.now++
		slot := v.slot(v.now)
		want := *slot
		if got := v.scheme.PerTick(); got != len(want) {
			return fmt.Sprintf("PerTick at tick %d returned %d instead of %d: of the IDs %d one was lost", v.now, got, len(want), want)
		}
		v.got = v.got[:0]
		v.scheme.Expire(action)
		if got := v.compare(want); got != "" {
			return got
		}
		*slot = want[:0]
	}
	return v.refused
}

// start starts a timer that will be handed out.
func (v *volume) start() {
	v.started++
	interval, wait := v.interval()
	if _, err := v.scheme.Start(interval, v.started); err != nil && v.refused == "" {
		v.refused = fmt.Sprintf("Start(interval %d, id %d) at tick %d failed: %v", interval, v.started, v.now, err)
	}
	slot := v.slot(v.now + wait)
	*slot = append(*slot, v.started)
}

// slot is the IDs that are due on a tick.
func (v *volume) slot(tick schemes.Tick) *[]schemes.ID { return &v.due[tick%schemes.Tick(len(v.due))] }

// interval is that of the timer being started, and the ticks that it takes. An
// oracle costs a scheme for each, so with one there are two intervals on a tick.
func (v *volume) interval() (interval, wait schemes.Tick) {
	if v.oracle == nil {
		interval = 1 + schemes.Tick(v.started*v.started>>3)%v.longest
		return interval, interval
	}
	interval = 1 + (v.now*v.now>>3+schemes.Tick(v.started%2)*5)%v.longest
	return interval, v.oracle.deadline(v.now, interval, endOfClock) - v.now
}

// stopOne starts a timer and stops it, in the place of another one.
func (v *volume) stopOne() {
	v.started++
	h, err := v.scheme.Start(1+schemes.Tick(v.started)%v.longest, v.started)
	v.start()
	if err != nil || !v.scheme.Stop(h) {
		v.refused = fmt.Sprintf("the timer with id %d could not be stopped right after its start, error %v", v.started-1, err)
	}
}

// compare demands that the IDs handed out are the wanted ones, in any order.
func (v *volume) compare(want []schemes.ID) string {
	sum := schemes.ID(0)
	for _, id := range want {
		sum += id * id
	}
	for _, id := range v.got {
		sum -= id * id
	}
	if sum != 0 || len(v.got) != len(want) {
		return fmt.Sprintf("Expire at tick %d handed out the IDs %d instead of %d", v.now, v.got, want)
	}
	return ""
}

// checkReuse starts and stops in the same storage far more often than a small
// generation can count, first with one timer outstanding. Ticks make a scheme
// that stops lazily give the storage back.
func checkReuse(s *suite) error {
	const cycles = 1<<20 + 10
	cfg := at(tiny(s.info)[0], 9)
	scheme, _ := s.info.New(cfg)
	_, holds := scheme.(schemes.Holder)
	first, _ := scheme.Start(1, 1)
	scheme.Stop(first)
	for i := range cycles {
		if holds {
			scheme.PerTick()
		}
		h, err := scheme.Start(1, schemes.ID(i))
		if h != first && err == nil && (i%1024 != 0 || !scheme.Stop(first)) && scheme.Stop(h) {
			continue
		}
		return s.violation(s.rule.Name, fmt.Sprintf("start number %d returned the first handle again, or made it valid, or cannot be stopped; error %v", i+2, err),
			[]string{describe(cfg), "Start(interval 1, id 1) -> h1", "Stop(h1) = true", fmt.Sprintf("%d times Start and Stop", i+1)})
	}
	return nil
}

// Sizes of the peak. A scheme that compares too much on the way gets a smaller
// one: memory is the matter here, not order.
const (
	peakTimers   = 100_000
	peakCompares = 10_000_000
)

// peak is a scheme on the way up and down.
type peak struct {
	scheme schemes.Scheme
	order  func(int) schemes.Tick // deadline of the i-th start
	n      int
	old    map[schemes.Handle]bool // of the rounds before
	fresh  []schemes.Handle
}

// checkPeak starts many timers, stops them all, ticks a little, so that memory
// may be given back, starts as many again, and tries all the old handles.
func checkPeak(s *suite) error {
	cfgs := configs(s.info)
	cfg := cfgs[len(cfgs)-1]
	p := &peak{order: s.cheapest(cfg), n: peakTimers, old: map[schemes.Handle]bool{}}
	p.scheme, _ = s.info.New(cfg)
	for _, step := range []func() string{p.up, p.down, p.up, p.tryOld, p.down} {
		if got := step(); got != "" {
			return s.violation(s.rule.Name, got, []string{
				describe(cfg), fmt.Sprintf("%d starts, all stopped, 20 PerTicks, as many starts, stops of the first handles", p.n),
			})
		}
	}
	return nil
}

// up starts n timers, or lowers n to what was cheap.
func (p *peak) up() string {
	p.fresh = p.fresh[:0]
	before := compares(p.scheme)
	for i := 0; i < p.n; i++ {
		h, err := p.scheme.Start(p.order(i), schemes.ID(i))
		if err != nil || p.old[h] || h == 0 {
			return fmt.Sprintf("start %d returned the handle %#x, used before: %t, error %v", i, uint64(h), p.old[h], err)
		}
		p.fresh = append(p.fresh, h)
		if i%1024 == 1023 && compares(p.scheme)-before > peakCompares {
			p.n = i
		}
	}
	return ""
}

// down stops them all, twice, and passes some ticks.
func (p *peak) down() string {
	for _, h := range p.fresh {
		if p.old[h] = true; !p.scheme.Stop(h) || p.scheme.Stop(h) {
			return "Stop did not return true once and then false"
		}
	}
	for range 20 {
		if p.scheme.PerTick() != 0 {
			return "a stopped timer became due"
		}
	}
	return ""
}

func (p *peak) tryOld() string {
	for h := range p.old {
		if p.scheme.Stop(h) {
			return "a handle of the first round stopped a timer of the second"
		}
	}
	return ""
}

// cheapest finds an order of deadlines that the scheme takes quickly, as lists
// searched from one end take a sorted order.
func (s *suite) cheapest(cfg schemes.Config) (order func(int) schemes.Tick) {
	longest := int(min(s.info.Range(cfg), 1<<20))
	best := ^uint64(0)
	for _, o := range []func(int) schemes.Tick{
		func(i int) schemes.Tick { return schemes.Tick(longest - i%longest) },
		func(i int) schemes.Tick { return schemes.Tick(1 + i%longest) },
		func(i int) schemes.Tick { return schemes.Tick(1 + i*0x9e377%longest) },
	} {
		scheme, _ := s.info.New(cfg)
		for i := range 512 {
			scheme.Start(o(i), 1)
		}
		if c := compares(scheme); c < best {
			best, order = c, o
		}
	}
	return order
}

// compares is 0 for a scheme that does not count.
func compares(scheme schemes.Scheme) uint64 {
	if c, ok := scheme.(schemes.Counter); ok {
		return c.Counts().Compares
	}
	return 0
}
