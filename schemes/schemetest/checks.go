package schemetest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"timerlab/schemes"
)

// The checks that are more than programs: of what an Info says, of what New makes of a Config, of the texts of errors,
// and of operations.

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func checkInfo(s *suite) {
	i := s.info
	s.require(i.Number >= 0 && i.Number <= 7, "Number is %d; a scheme that is not in the paper has 0", i.Number)
	s.require(nameForm.MatchString(i.Name), "Name is %q", i.Name)
	s.require(i.Title != "" && i.Doc != "", "Title is %q, Doc has %d bytes", i.Title, len(i.Doc))
	s.require(i.New != nil && i.Range != nil, "New or Range is nil")
}

func checkInterfaces(s *suite) {
	all := []bool{has[schemes.Counter](s), has[schemes.Checker](s), has[schemes.Sized](s), has[fmt.Stringer](s)}
	s.require(!oneOfSeven(s.info) || !slices.Contains(all, false),
		"Counts %t, Check %t, Len %t, String %t", all[0], all[1], all[2], all[3])
}

func checkRange(s *suite) {
	cs := s.withDefault()
	if usesLevels(s.info) {
		cs = append(cs, withLevels(s.info, wide, wide[:4], []int{65536, 65536, 65536, 65535})...)
	}
	for _, c := range cs {
		got, want := c.longest(), c.required()
		s.require(got == want || got != 0 && !oneOfSeven(s.info), "Range of %s is %d instead of %d", c, got, want)
	}
}

// checkDefault compares the zero Config with the one that spells the defaults out:
// outcome and, as the structures are the same, counts.
func checkDefault(s *suite) {
	zero := setting{info: s.info}
	full := setting{s.info, schemes.Config{Slots: schemes.DefaultSlots, Levels: schemes.DefaultLevels()}}
	for _, text := range []func(*program){plain, around(600)} { // in one revolution, and in several
		s.each([]setting{zero, full}, text)
		a, b := s.countsOf(write(zero, text)), s.countsOf(write(full, text))
		s.require(a == b, "one program counts %+v with the zero Config, %+v with the defaults", a, b)
	}
}

// checkRejected tries the huge sizes first: a scheme that does not look cannot even
// try to allocate them. A scheme that is not of the paper may ignore Capacity.
func checkRejected(s *suite) {
	s.strict = true // a panic is no refusal
	bad := []setting{{s.info, schemes.Config{Capacity: -1}}, {s.info, schemes.Config{Capacity: math.MinInt}}}
	if usesSlots(s.info) {
		bad = append(bad, withSlots(s.info, -1, math.MinInt, math.MaxInt, schemes.MaxSlots+1)...)
	}
	if usesLevels(s.info) {
		bad = append(bad, withLevels(s.info, []int{-1}, []int{256, 0}, []int{0, 256}, []int{4, -4, 4},
			[]int{math.MaxInt}, []int{math.MaxInt, math.MaxInt, 2}, []int{1, schemes.MaxSlots}, []int{1 << 30, 1 << 30, 1})...)
	}
	for _, c := range bad {
		s.made = []string{c.String()}
		made, err := s.info.New(c.cfg)
		ignored := err == nil && c.cfg.Capacity < 0 && !ofPaper(s.info)
		s.require(ignored || made == nil && errors.Is(err, schemes.ErrConfig),
			"it made a scheme: %t, error: %v", made != nil, err)
	}
}

func checkIgnored(s *suite) {
	if s.info.Number == 0 && s.info.Kind == schemes.Other {
		return // which fields it uses is not known
	}
	base := s.few()[0]
	for _, bad := range []int{math.MinInt, 0, math.MaxInt} {
		c := base
		if !usesSlots(s.info) {
			c.cfg.Slots = bad
		}
		if !usesLevels(s.info) {
			c.cfg.Levels = []int{bad, bad}
		}
		s.require(c.longest() == base.longest(), "%s has the range %d instead of %d", c, c.longest(), base.longest())
		s.each([]setting{c}, plain)
	}
}

// checkCopied changes Levels right after New: what runs afterwards must still be the scheme of the old ones.
func checkCopied(s *suite) {
	s.strict = true
	changing := *s.info
	changing.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		passed := slices.Clone(cfg.Levels)
		cfg.Levels = slices.Clone(passed)
		made, err := s.info.New(cfg)
		s.require(slices.Equal(cfg.Levels, passed), "New made Levels %v of %v", cfg.Levels, passed)
		for i := range cfg.Levels {
			cfg.Levels[i] = cfg.Levels[i]*3 + 1
		}
		return made, err
	}
	for _, c := range s.few() {
		s.each([]setting{{&changing, c.cfg}}, plain, wholeRange)
	}
}

func checkErrorText(s *suite) {
	requireText := func(err error, call string, value any) {
		scheme, _, _ := strings.Cut(s.info.Name, "-")
		text := fmt.Sprint(err)
		s.require(strings.Contains(text, scheme) && strings.Contains(text, fmt.Sprint(value)), call+": %v", value, err)
	}
	made := s.scheme(s.few()[0].at(endOfClock - 1234))
	for _, interval := range []schemes.Tick{0, endOfClock - 77} {
		_, err := made.Start(interval, 1)
		requireText(err, "Start(interval %d)", interval)
	}
	if _, err := s.info.New(schemes.Config{Capacity: -4321}); err != nil || ofPaper(s.info) {
		requireText(err, "New with Capacity %d", -4321)
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

// checkOrder runs programs twice, the second time looked at.
func checkOrder(s *suite) {
	differ := func(p program) bool {
		return !slices.Equal(s.run(p, true).order, s.run(p, false).order) && !s.outside.late()
	}
	for i, c := range s.few() {
		for _, p := range []program{write(c, crowd), decode(s.info, noise(uint64(i), 400))} {
			if differ(p) {
				p = shrink(p, differ)
				s.made = p.lines()
				if m := s.run(p, false); m.outside != nil {
					s.made = m.lines
				}
				s.require(false, "the order of handing out changes when the program is run again and looked at")
			}
		}
	}
}

// checkSeparate starts timers in another scheme, which was made after the one of the program, and ticks it.
func checkSeparate(s *suite) {
	s.strict = true
	info := *s.info
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		made, err := s.info.New(cfg)
		if err != nil {
			return nil, err
		}
		other, err := s.info.New(cfg)
		for i := schemes.Tick(0); i < 5 && err == nil; i++ {
			other.Start(1+i%2, schemes.ID(i))
			other.PerTick()
		}
		return made, err
	}
	for _, c := range s.few() {
		s.each([]setting{{&info, c.cfg}}, gather)
	}
}

// checkVolume starts enough timers to catch a scheme that loses every hundred-thousandth one, and probably one
// that loses each with that chance. Most of the time there are few, so that schemes of O(n) are quick too.
func checkVolume(s *suite) {
	s.mute = true
	few := narrow(settings(s.info), fewSlots)
	for i, c := range []setting{few[len(few)/2], few[len(few)-1].at(1<<32 - 5)} {
		timers := label(s.scaled(120_000 >> (2 * i)))
		s.each([]setting{c}, func(w *program) {
			longest := w.most(16)
			for i := schemes.Tick(0); w.last < timers; i++ {
				interval := 1 + (i*i>>3)%longest
				w.start(interval)
				w.stop(w.start(interval))
				l := w.start(interval, w.later(interval))
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
	s.each(s.atClocks(s.settings(), 0, 1<<32-3), gather, around(300))
	s.each(s.atClocks(s.settings()[:1], endOfClock-9), toClockEnd)
}

// checkAdvance goes from due tick to due tick by Advance, with max in the way, too short, zero and far
// too long, and with PerTicks in between.
func checkAdvance(s *suite) {
	most := schemes.Tick(1 << 40)
	if s.loose || has[schemes.Bounder](s) { // the oracle goes there tick by tick
		most = 3000
	}
	s.each(s.atClocks(s.settings()), func(w *program) {
		intervals := w.boundaries(most)
		for _, pause := range []schemes.Tick{0, 1, 2, w.lowest(), 1 << 50, 7} {
			for _, interval := range intervals {
				w.start(interval, w.later(interval))
			}
			w.advance(pause)
			w.advance(2) // something may be due already
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
	})
}

// checkAdvanceSteps passes millions of ticks, without a timer and with one. A PerTick for each would
// count as many timers or slots.
func checkAdvanceSteps(s *suite) {
	const far, limit = 1 << 23, 1 << 16
	for _, c := range s.settings() {
		for timers := range schemes.Tick(2) {
			made := s.scheme(c)
			if timers > 0 {
				made.Start(c.most(far), 1)
			}
			for left, passed := schemes.Tick(far), schemes.Tick(1); left > 0 && passed > 0; left -= min(passed, left) {
				passed, _ = made.(schemes.Advancer).Advance(left)
				made.Expire(func(schemes.ID) {})
			}
			got := made.(schemes.Counter).Counts()
			s.require(got.Visits+got.EmptySlots <= limit, "Advance over %d ticks with %d timers counts %+v", far, timers, got)
		}
	}
}
