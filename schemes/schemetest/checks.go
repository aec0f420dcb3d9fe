package schemetest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"timerlab/schemes"
)

// The checks of rules that are not a matter of programs alone.

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func checkInfo(s *suite) {
	i := s.info
	switch {
	case i.Number < 0 || i.Number > 7:
		s.fail("Number is %d; that of a scheme which is not in the paper is 0", i.Number)
	case !nameForm.MatchString(i.Name):
		s.fail("Name is %q", i.Name)
	case i.Title == "" || i.Doc == "":
		s.fail("Title is %q, Doc has %d bytes", i.Title, len(i.Doc))
	case i.New == nil || i.Range == nil:
		s.fail("New or Range is nil")
	}
}

func checkInterfaces(s *suite) {
	all := []bool{has[schemes.Counter](s), has[schemes.Checker](s), has[schemes.Sized](s), has[fmt.Stringer](s)}
	if oneOfSeven(s.info) && slices.Contains(all, false) {
		s.fail("Counts %t, Check %t, Len %t, String %t", all[0], all[1], all[2], all[3])
	}
}

func checkRange(s *suite) {
	cs := s.withDefault()
	if usesLevels(s.info) {
		just := []int{65536, 65536, 65536, 65535}
		cs = append(cs, withLevels(s.info, wide, wide[:4], just, append([]int{3}, just...))...)
	}
	for _, c := range cs {
		got, want := c.longest(), c.required()
		if oneOfSeven(s.info) && got != want || got == 0 {
			s.fail("Range of %s is %d instead of %d", c, got, want)
		}
	}
}

// checkDefault compares the zero Config with the one that spells the defaults out:
// ranges, outcome and, as the structures are the same, counts.
func checkDefault(s *suite) {
	zero := setting{info: s.info}
	full := setting{s.info, schemes.Config{Slots: schemes.DefaultSlots, Levels: schemes.DefaultLevels()}}
	if a, b := zero.longest(), full.longest(); a != b {
		s.fail("Range of the zero Config is %d, of the defaults %d", a, b)
	}
	for _, text := range []func(*writer){plain, around(600)} { // in one revolution, and in several
		s.each([]setting{zero, full}, text)
		if a, b := s.countsOf(write(zero, text)), s.countsOf(write(full, text)); a != b {
			s.fail("one program counts %+v with the zero Config, %+v with the defaults", a, b)
		}
	}
}

// checkRejected tries the huge sizes first: a scheme that does not look cannot even
// try to allocate them. A scheme that is not of the paper may ignore Capacity.
func checkRejected(s *suite) {
	s.strict = true // a panic is no refusal
	bad := []setting{{s.info, schemes.Config{Capacity: -1}}, {s.info, schemes.Config{Capacity: math.MinInt}}}
	huge := min(1<<60, math.MaxInt)
	if usesSlots(s.info) {
		bad = append(bad, withSlots(s.info, -1, math.MinInt, math.MaxInt, huge, schemes.MaxSlots+1)...)
	}
	if usesLevels(s.info) {
		bad = append(bad, withLevels(s.info, [][]int{
			{0}, {-1}, {256, 0}, {0, 256}, {4, -4, 4}, {math.MinInt}, {math.MaxInt}, {math.MaxInt, math.MaxInt, 2},
			{huge}, {1, schemes.MaxSlots}, {1 << 30, 1 << 30, 1},
		}...)...)
	}
	for _, c := range bad {
		s.made = []string{c.String()}
		made, err := s.info.New(c.cfg)
		ignored := err == nil && c.cfg.Capacity < 0 && !ofPaper(s.info)
		if !ignored && (made != nil || !errors.Is(err, schemes.ErrConfig)) {
			s.fail("it made a scheme: %t, error: %v", made != nil, err)
		}
	}
}

func checkIgnored(s *suite) {
	if s.info.Number == 0 && s.info.Kind == schemes.Other {
		return // which fields it uses is not known
	}
	base := s.few()[0]
	for _, bad := range []int{-1, 0, math.MinInt, math.MaxInt} {
		c := base
		if !usesSlots(s.info) {
			c.cfg.Slots = bad
		}
		if !usesLevels(s.info) {
			c.cfg.Levels = []int{bad, bad}
		}
		if a, b := c.longest(), base.longest(); a != b {
			s.fail("%s has the range %d instead of %d", c, a, b)
		}
		s.each([]setting{c}, plain)
	}
}

// checkCopied changes Levels right after New: what runs afterwards must still be
// the scheme of the old ones.
func checkCopied(s *suite) {
	if !usesLevels(s.info) {
		return
	}
	s.strict = true
	for _, c := range s.few() {
		levels := slices.Clone(c.cfg.Levels)
		changing := *s.info
		changing.New = func(cfg schemes.Config) (schemes.Scheme, error) {
			cfg.Levels = slices.Clone(levels)
			made, err := s.info.New(cfg)
			for i := range cfg.Levels {
				cfg.Levels[i] = cfg.Levels[i]*3 + 1
			}
			return made, err
		}
		s.each([]setting{{&changing, c.cfg}}, plain, wholeRange)
		if s.scheme(c); !slices.Equal(c.cfg.Levels, levels) {
			s.fail("New made Levels %v of %v", c.cfg.Levels, levels)
		}
	}
}

func checkErrorText(s *suite) {
	made := s.scheme(s.few()[0].at(endOfClock - 1234))
	for _, interval := range []schemes.Tick{0, endOfClock - 77} {
		_, err := made.Start(interval, 1)
		s.requireText(err, "Start(interval %d)", interval)
	}
	if _, err := s.info.New(schemes.Config{Capacity: -4321}); err != nil || ofPaper(s.info) {
		s.requireText(err, "New with Capacity %d", -4321)
	}
}

func (s *suite) requireText(err error, call string, value any) {
	scheme, _, _ := strings.Cut(s.info.Name, "-")
	if text := fmt.Sprint(err); !strings.Contains(text, scheme) || !strings.Contains(text, fmt.Sprint(value)) {
		s.fail(call+": %v", value, err)
	}
}

func checkExact(s *suite) {
	for i, c := range s.settings() {
		most := schemes.Tick(3000)
		if (usesLevels(s.info) || i%4 == 1) && !s.short {
			most = 90_000
		}
		s.each([]setting{c}, around(600), around(most))
	}
}

func checkRangeEnds(s *suite) {
	cs := s.withDefault()
	if usesLevels(s.info) {
		cs = append(cs, withLevels(s.info, wide)...)
	}
	s.each(cs, wholeRange)
	cs = slices.DeleteFunc(cs, func(c setting) bool { return c.longest() > shortRange })
	s.each(s.atClocks(cs), wholeRange)
}

// sameOrder makes the check that programs hand out in the same order when they are run again, or run
// again and looked at.
func sameOrder(how string, look bool) func(*suite) {
	return func(s *suite) {
		order := func(p program, mute bool) []schemes.ID {
			m := s.machine(p)
			m.mute = mute
			m.execute()
			return m.order
		}
		differ := func(p program) bool { return !slices.Equal(order(p, true), order(p, !look)) }
		for i, c := range s.few() {
			for _, p := range []program{write(c, crowd), decode(s.info, noise(uint64(i), 400))} {
				if differ(p) {
					p = shrink(p, differ)
					s.failAfter(p.lines(), "the order of handing out changes when the program is %s", how)
				}
			}
		}
	}
}

// checkSeparate runs a program while another scheme, made after the first operation, starts timers
// and ticks.
func checkSeparate(s *suite) {
	s.strict = true
	for _, c := range s.few() {
		var running *machine
		var other schemes.Scheme
		i := schemes.Tick(0)
		s.between = func() {
			if m := s.running.Load(); m != running { // the program begins, perhaps in a shorter form
				running, i = m, 0
				other, _ = c.info.New(c.at(77).cfg)
			}
			i++
			other.Start(1+i*7%c.most(40), schemes.ID(i))
			other.PerTick()
			if i%11 == 0 {
				other.Expire(func(schemes.ID) {})
			}
		}
		s.each([]setting{c}, crowd)
	}
}

// checkVolume starts enough timers to catch a scheme that loses every hundred-thousandth one, and
// probably one that loses each with that chance. Most of the time there are few, so that
// schemes of O(n) are quick too.
func checkVolume(s *suite) {
	const timers = 120_000
	s.mute = true
	times := 1
	if has[schemes.Bounder](s) {
		times = 10
	}
	few := narrow(settings(s.info), fewSlots)
	for i, c := range []setting{few[len(few)/2], few[len(few)-1].at(1<<32 - 5)} {
		n := schemes.Tick(s.scaled(timers >> (2 * i)))
		s.each([]setting{c}, func(w *writer) {
			longest := w.most(16)
			for i := schemes.Tick(0); schemes.Tick(w.last) < n; i++ {
				interval := 1 + (i*i>>3)%longest
				var l label
				for range times { // of one interval: an oracle costs a scheme for each
					w.start(interval)
					w.stop(w.start(interval))
					l = w.start(interval, w.later(interval))
					w.start(interval)
				}
				w.tick(1)
				if i%8 == 7 {
					w.stop(l) // it may be due
				}
				w.expire()
			}
		})
	}
}

// checkNext looks at Next after every tick: see machine.look.
func checkNext(s *suite) {
	s.each(s.atClocks(s.settings(), 0, 1<<32-3), gather, around(300), again)
	s.each(s.atClocks(s.settings()[:1], endOfClock-9), toClockEnd)
}

// checkAdvance goes from due tick to due tick by Advance, with max in the way, too short, zero and far
// too long, and with PerTicks in between.
func checkAdvance(s *suite) {
	most := schemes.Tick(1 << 40)
	if has[schemes.Bounder](s) { // the oracle goes there tick by tick
		most = 3000
	}
	s.each(s.atClocks(s.settings()), func(w *writer) {
		w.advance(0)
		w.advance(3)
		intervals := w.boundaries(most)
		for _, pause := range []schemes.Tick{1, 2, w.lowest(), 1 << 50, 7} {
			for _, interval := range intervals {
				w.start(interval, w.later(interval))
			}
			w.advance(pause)
			w.advance(2) // something may be due already
			w.advance(0)
			w.tickExpire(1)
		}
		for range 6 * len(intervals) {
			w.advance(1 << 50)
			w.expire()
		}
		for _, interval := range intervals { // each alone
			w.start(interval)
			w.advance(1 << 50)
			w.expire()
		}
		w.advance(1000)
	})
}

// sweep makes a scheme with that many timers, due at equal distances up to far, passes them by Advance,
// and returns what that counted.
func (s *suite) sweep(c setting, timers int, far schemes.Tick) schemes.Counts {
	made := s.scheme(c)
	n := schemes.Tick(timers)
	for k := range n {
		made.Start(max(c.most(far)/n*(k+1), 1), 1)
	}
	for passed := schemes.Tick(1); far > 0 && passed > 0; far -= min(passed, far) {
		passed, _ = made.(schemes.Advancer).Advance(far)
		made.Expire(func(schemes.ID) {})
	}
	return made.(schemes.Counter).Counts()
}

// checkAdvanceSteps passes millions of ticks, without a timer and with one. A PerTick for each would
// count as many timers or slots.
func checkAdvanceSteps(s *suite) {
	const far, limit = 1 << 23, 1 << 16
	for _, c := range s.settings() {
		for timers := range 2 {
			if got := s.sweep(c, timers, far); got.Visits+got.EmptySlots > limit {
				s.fail("Advance over %d ticks with %d timers counts %+v", far, timers, got)
			}
		}
	}
}

// checkAdvanceVisits passes a thousand million ticks, or the range if that is less,
// and bounds the timers looked at: what a step costs must not grow with its ticks.
func checkAdvanceVisits(s *suite) {
	const timers = 10
	for _, c := range s.settings() {
		far := c.most(1_000_000_000)
		limit := uint64(timers * (3*timers + 2*len(c.wheels()))) // three looks at each, or a migration a level
		if got := s.sweep(c, timers, far).Visits; got > limit {
			s.fail("Visits is %d for %d timers in %d ticks (at most %d)", got, timers, far, limit)
		}
	}
}

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

// checkCapacityAhead counts the allocations of the first starts, after one timer of
// the longest interval: what a scheme makes for an interval when it needs it, such as a
// level, is not what Capacity is about.
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
		if n > 0 {
			s.fail("the first %d starts allocate %d times", capacity, n)
		}
	}
}

// steady keeps a scheme at a number of timers: an action starts the next. It returns
// what passes n ticks; on each, one timer is started and stopped, and one waits to be
// stopped while due.
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

// checkAllocation counts the allocations of some ticks. Storage that is used only
// once, or given back whenever there is no timer, shows too seldom for that, so the
// bytes of long runs are added up as well.
func checkAllocation(s *suite) {
	const timers, settling, some, many, bytesEach = 32, 2000, 200, 1 << 17, 8
	for _, c := range s.settings() {
		pass := s.steady(c, timers, 500)
		pass(settling)
		if n := allocated(10, 0, mallocs, func() { pass(some) }); n > 0 {
			s.fail("%d ticks with some starts and stops allocate %d times", some, n)
		}
	}
	limit := uint64(s.scaled(many) * bytesEach)
	for timers := range 2 {
		pass := s.steady(s.few()[0], timers, 1)
		bytes := func(m *runtime.MemStats) uint64 { return m.TotalAlloc }
		if n := allocated(3, limit, bytes, func() { pass(many) }); n > limit {
			s.fail("%d ticks with some starts and stops allocate %d bytes", many, n)
		}
	}
}

// checkReuse starts and stops in the same storage far more often than a small
// generation can count, first with one timer outstanding. Ticks make a scheme that
// stops lazily give the storage back.
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
		if h != first && err == nil && (i%1024 != 0 || !made.Stop(first)) && made.Stop(h) {
			continue
		}
		s.fail("Start %d returned or revived the first handle, or its timer cannot be stopped; error %v", i+2, err)
	}
}

// Sizes of the peak. It doubles, but no more once the last one took as many comparisons or, where they
// are not counted, all took longPeak: memory is the matter here, not the speed of a scheme whose
// operations are O(n).
const (
	lastPeak     = 100_000
	firstPeak    = lastPeak >> 6
	mostCompares = 1 << 25
	longPeak     = 500 * time.Millisecond
)

// checkPeak starts timers in ascending and in descending order of deadlines: lists are
// searched from one end.
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
			if counts && counter.Counts().Compares > mostCompares || !counts && time.Since(began) > longPeak {
				break
			}
		}
	}
}

// peak starts many timers, stops them all, passes some ticks, so that memory may be
// given back, starts as many again, and tries all the old handles. It returns the scheme.
func (s *suite) peak(c setting, n int, interval func(i schemes.Tick) schemes.Tick) schemes.Scheme {
	made, old := s.scheme(c), map[schemes.Handle]bool{}
	what := fmt.Sprintf("%d starts, all stopped, 20 PerTicks, as many starts, stops of the first handles", n)
	require := func(ok bool, format string, args ...any) {
		if s.steps.Add(1); !ok {
			s.failAfter([]string{c.String(), what}, format, args...)
		}
	}
	for range 2 {
		var all []schemes.Handle
		for i := range n {
			h, err := made.Start(interval(schemes.Tick(i)), schemes.ID(i))
			require(err == nil && !old[h] && h != 0,
				"start %d returned the handle %#x, used before: %t, error %v", i, uint64(h), old[h], err)
			all = append(all, h)
		}
		for h := range old {
			require(!made.Stop(h), "a handle of the first round stopped a timer of the second")
		}
		for _, h := range all {
			old[h] = true
			require(made.Stop(h) && !made.Stop(h), "Stop did not return true once and then false")
		}
		for range 20 {
			require(made.PerTick() == 0, "a stopped timer became due")
		}
	}
	return made
}
