package schemetest

import (
	"cmp"
	"fmt"
	"slices"

	"timerlab/schemes"
)

// clocks are the first values of the clock at which wheels, 32-bit deadlines and
// signed comparisons go wrong, and the last ticks of the clock.
var clocks = []schemes.Tick{
	0, 1, 255, 256, 65535, 1<<32 - 3, 1<<63 - 5,
	endOfClock - 300, endOfClock - 17, endOfClock - 2, endOfClock - 1, endOfClock,
}

// radices are the levels that scheme 7 is tried with: powers of two and not, the
// paper's clock, wheels of one slot. wide's product is above 2^64.
var (
	radices = [][]int{
		{1}, {1, 1}, {2}, {1, 3, 1}, {2, 2, 2, 2, 2, 2, 2, 2}, {3, 1, 4}, {7, 3, 5}, {10, 10, 10},
		{16}, {256, 256}, {64, 64, 64, 64}, {60, 60, 24, 100},
	}
	wide  = []int{65536, 65536, 65536, 65536, 65536}
	sizes = []int{1, 2, 3, 7, 8, 10, 16, 256, 1000}
)

// usesSlots and usesLevels report which sizes a scheme has: its kind says so, or its
// number in the paper. Every scheme has a Capacity.
func usesSlots(info *schemes.Info) bool {
	return info.Kind.HasSlots() || info.Number >= 4 && info.Number <= 6
}
func usesLevels(info *schemes.Info) bool { return info.Kind.HasLevels() || info.Number == 7 }

// ofPaper reports whether the scheme is one of the seven or a variant of one,
// oneOfSeven whether it is one of the seven itself. What follows from the
// structure of the seven, such as exact counts, is asked of the seven alone.
func ofPaper(info *schemes.Info) bool    { return info.Number != 0 }
func oneOfSeven(info *schemes.Info) bool { return ofPaper(info) && info.IsBase() }

type setting struct {
	info *schemes.Info
	cfg  schemes.Config
}

// settings returns the sizes that info's scheme is tried with. A scheme of which
// nothing is known may use slots or levels, so it gets both.
func settings(info *schemes.Info) []setting {
	switch {
	case usesSlots(info):
		return withSlots(info, sizes...)
	case usesLevels(info):
		return withLevels(info, radices...)
	}
	all := []setting{{info, schemes.Config{}}, {info, schemes.Config{Capacity: 3}}}
	if !ofPaper(info) && info.Kind == schemes.Other {
		for i, c := range withLevels(info, radices...) {
			c.cfg.Slots = sizes[i%len(sizes)]
			all = append(all, c)
		}
	}
	return all
}

func withSlots(info *schemes.Info, sizes ...int) (all []setting) {
	for _, m := range sizes {
		all = append(all, setting{info, schemes.Config{Slots: m}})
	}
	return all
}

func withLevels(info *schemes.Info, radices ...[]int) (all []setting) {
	for _, r := range radices {
		all = append(all, setting{info, schemes.Config{Levels: r}})
	}
	return all
}

// narrow returns the settings with at most so many slots: in few slots most mistakes show after few operations.
func narrow(all []setting, slots int) []setting {
	return slices.DeleteFunc(slices.Clone(all), func(c setting) bool { return c.slots() > slots })
}

// fewSlots is narrow enough to shrink, draw and follow by hand.
const fewSlots = 40

func (c setting) at(now schemes.Tick) setting {
	c.cfg.Now = now
	return c
}

func (c setting) longest() schemes.Tick { return c.info.Range(c.cfg) }

func (c setting) most(interval schemes.Tick) schemes.Tick { return min(interval, c.longest()) }

// wheels are the radices, lowest first; nil for a scheme without slots, or with
// slots of which nothing is known.
func (c setting) wheels() []int {
	switch {
	case usesSlots(c.info):
		return []int{cmp.Or(c.cfg.Slots, schemes.DefaultSlots)}
	case usesLevels(c.info) && len(c.cfg.Levels) == 0:
		return schemes.DefaultLevels()
	case usesLevels(c.info):
		return c.cfg.Levels
	}
	return nil
}

func (c setting) slots() (m int) {
	for _, r := range c.wheels() {
		m += r
	}
	return m
}

// lowest is the size of the lowest wheel. Without slots any number will do.
func (c setting) lowest() schemes.Tick {
	if w := c.wheels(); w != nil {
		return schemes.Tick(w[0])
	}
	return 8
}

// spans are the ticks that the lowest wheel, the lowest two, … cover. Products
// past the end of the clock are left out.
func (c setting) spans() (ts []schemes.Tick) {
	for l := range c.wheels() {
		if span := schemes.Span(c.wheels()[:l+1]); span < endOfClock {
			ts = append(ts, span)
		}
	}
	return ts
}

// clocks are the clocks at which the setting is tried: the usual ones, and
// the last ticks before each wheel turns over.
func (c setting) clocks() []schemes.Tick {
	ts := slices.Clone(clocks)
	for _, span := range c.spans() {
		ts = append(ts, span-min(span, 3), span*7-1)
	}
	slices.Sort(ts)
	return slices.Compact(ts)
}

// boundaries are the intervals up to most at which the structure changes: one
// below, at and one above every wheel, twice every wheel, powers of two.
func (c setting) boundaries(most schemes.Tick) (ts []schemes.Tick) {
	most = c.most(most)
	for _, a := range append([]schemes.Tick{1, 3, 256, 1 << 16}, c.spans()...) {
		for _, t := range []schemes.Tick{a - 1, a, a + 1, 2*a - 1, 2 * a, 2*a + 1, 3 * a} {
			if t >= 1 && t <= most {
				ts = append(ts, t)
			}
		}
	}
	slices.Sort(ts)
	return slices.Compact(ts)
}

// loose is the bound of a scheme whose timers may be due on a wrong tick, decided by interval and clock alone: any
// from the next one to an interval and two revolutions late.
func (c setting) loose(interval schemes.Tick) (early, late schemes.Tick) {
	return interval - 1, interval + 2*schemes.Tick(c.slots())
}

// required is the range that the contract requires of the seven.
func (c setting) required() schemes.Tick {
	if c.info.Number == 4 || usesLevels(c.info) {
		return schemes.Span(c.wheels())
	}
	return endOfClock
}

// String is the call of New, without the fields that are zero, except the clock.
func (c setting) String() string {
	text := fmt.Sprintf("New(Now %d", c.cfg.Now)
	if c.cfg.Capacity != 0 {
		text += fmt.Sprintf(", Capacity %d", c.cfg.Capacity)
	}
	if c.cfg.Slots != 0 {
		text += fmt.Sprintf(", Slots %d", c.cfg.Slots)
	}
	if c.cfg.Levels != nil {
		text += fmt.Sprintf(", Levels %v", c.cfg.Levels)
	}
	return text + ")"
}
