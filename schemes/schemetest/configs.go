package schemetest

import (
	"math/bits"
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

// usesSlots and usesLevels tell which sizes a scheme has; Capacity is for all.
func usesSlots(info *schemes.Info) bool  { return info.Number >= 4 && info.Number <= 6 }
func usesLevels(info *schemes.Info) bool { return info.Number == 7 }

// configs are the sizes that info's scheme is tried with.
func configs(info *schemes.Info) (cfgs []schemes.Config) {
	switch {
	case usesSlots(info):
		for _, m := range sizes {
			cfgs = append(cfgs, schemes.Config{Slots: m})
		}
	case usesLevels(info):
		for _, r := range radices {
			cfgs = append(cfgs, schemes.Config{Levels: r})
		}
	default:
		cfgs = []schemes.Config{{}, {Capacity: 3}}
	}
	return cfgs
}

// tiny are the configurations with few slots, where most mistakes show after
// few operations.
func tiny(info *schemes.Info) []schemes.Config {
	return slices.DeleteFunc(configs(info), func(c schemes.Config) bool { return slotsOf(info, c) > 40 })
}

// at is cfg with the clock at now.
func at(cfg schemes.Config, now schemes.Tick) schemes.Config {
	cfg.Now = now
	return cfg
}

// wheels are the radices of cfg, lowest first; none for schemes without slots.
func wheels(info *schemes.Info, cfg schemes.Config) []int {
	switch {
	case usesSlots(info) && cfg.Slots == 0:
		return []int{schemes.DefaultSlots}
	case usesSlots(info):
		return []int{cfg.Slots}
	case usesLevels(info) && len(cfg.Levels) == 0:
		return schemes.DefaultLevels()
	case usesLevels(info):
		return cfg.Levels
	}
	return nil
}

// slotsOf is M.
func slotsOf(info *schemes.Info, cfg schemes.Config) (m int) {
	for _, r := range wheels(info, cfg) {
		m += r
	}
	return m
}

// lowest is the size of the lowest wheel, or for schemes without slots a number
// as good as any.
func lowest(info *schemes.Info, cfg schemes.Config) schemes.Tick {
	if w := wheels(info, cfg); w != nil {
		return schemes.Tick(w[0])
	}
	return 8
}

// spans are the ticks that the lowest wheel, the lowest two, … cover. Products
// past the end of the clock are left out.
func spans(info *schemes.Info, cfg schemes.Config) (ts []schemes.Tick) {
	product := uint64(1)
	for _, r := range wheels(info, cfg) {
		high, low := bits.Mul64(product, uint64(r))
		if high != 0 {
			break
		}
		product = low
		ts = append(ts, schemes.Tick(product))
	}
	return ts
}

// clocksOf are the clocks at which cfg is tried: the usual ones and those just
// before each wheel turns over.
func clocksOf(info *schemes.Info, cfg schemes.Config) []schemes.Tick {
	ts := slices.Clone(clocks)
	for _, span := range spans(info, cfg) {
		ts = append(ts, span-min(span, 3), span*7-1)
	}
	slices.Sort(ts)
	return slices.Compact(ts)
}

// boundaries are the intervals up to most at which cfg's structure changes: one
// below, at and one above every wheel, twice every wheel, powers of two.
func boundaries(info *schemes.Info, cfg schemes.Config, most schemes.Tick) (ts []schemes.Tick) {
	around := append([]schemes.Tick{1, 3, 256, 1 << 16}, spans(info, cfg)...)
	most = min(most, info.Range(cfg))
	for _, a := range around {
		for _, t := range []schemes.Tick{a - 1, a, a + 1, 2*a - 1, 2 * a, 2*a + 1, 3 * a} {
			if t >= 1 && t <= most {
				ts = append(ts, t)
			}
		}
	}
	slices.Sort(ts)
	return slices.Compact(ts)
}

// longestOf is the range that the contract demands of cfg.
func longestOf(info *schemes.Info, cfg schemes.Config) schemes.Tick {
	switch {
	case info.Number == 4:
		return lowest(info, cfg)
	case usesLevels(info):
		if ts := spans(info, cfg); len(ts) == len(wheels(info, cfg)) {
			return ts[len(ts)-1]
		}
	}
	return endOfClock
}
