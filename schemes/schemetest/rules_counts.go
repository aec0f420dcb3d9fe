package schemetest

import (
	"fmt"
	"slices"

	"timerlab/schemes"
)

// The counts of the seven base schemes follow from their structure and are the
// same for every implementation of it. Here they are computed from the
// deadlines alone, without the structure.

// life is a timer of the counting programs: it starts at one tick and is due at
// another, and nothing stops it.
type life struct{ start, deadline schemes.Tick }

// lives start a few timers on each of the first ticks, with intervals of every
// order, no two deadlines alike, and all over soon.
func lives(info *schemes.Info, cfg schemes.Config) (ls []life, end schemes.Tick) {
	longest := min(info.Range(cfg), 700)
	used := map[schemes.Tick]bool{}
	for i := range schemes.Tick(90) {
		now := cfg.Now + i/3
		deadline := now + 1 + (i*i*37+i*11)%longest
		if !used[deadline] {
			used[deadline] = true
			ls = append(ls, life{now, deadline})
			end = max(end, deadline)
		}
	}
	return ls, end
}

// counting is the program of lives.
func counting(cfg schemes.Config, ls []life, end schemes.Tick) program {
	w := write(cfg)
	for now := cfg.Now; now < end; now++ {
		for _, l := range ls {
			if l.start == now {
				w.start(l.deadline - now)
			}
		}
		w.tickExpire(1)
	}
	return w.program
}

// counted does the counting program of every configuration and compares one
// field of the counts with the expected one.
func (s *suite) counted(name string, field func(schemes.Counts) uint64, want func(schemes.Config, []life, schemes.Tick) (low, high uint64)) error {
	if !s.info.IsBase() || s.optional().counter == nil {
		return nil
	}
	for _, cfg := range configs(s.info) {
		for _, now := range []schemes.Tick{0, 1<<32 - 3} {
			cfg.Now = now
			ls, end := lives(s.info, cfg)
			got := field(s.countsOf(counting(cfg, ls, end)))
			if low, high := want(cfg, ls, end); got < low || got > high {
				text := fmt.Sprintf("%s is %d instead of %d (at most %d) after %d timers over %d ticks", name, got, low, high, len(ls), end-now)
				return s.violation(s.rule.Name, text, []string{describe(cfg)})
			}
		}
	}
	return nil
}

// population calls f for every tick with the timers outstanding just before it
// becomes that tick.
func population(cfg schemes.Config, ls []life, end schemes.Tick, f func(now schemes.Tick, out []life)) {
	var out []life
	for now := cfg.Now; now < end; now++ {
		out = slices.DeleteFunc(out, func(l life) bool { return l.deadline <= now })
		for _, l := range ls {
			if l.start == now {
				out = append(out, l)
			}
		}
		f(now+1, out)
	}
}

func checkVisits(s *suite) error {
	return s.counted("Visits", func(c schemes.Counts) uint64 { return c.Visits },
		func(cfg schemes.Config, ls []life, end schemes.Tick) (uint64, uint64) {
			n := uint64(0)
			m := lowest(s.info, cfg)
			if s.info.Number == 7 {
				n = s.migrations(cfg, ls) + uint64(len(ls))
				return n, n
			}
			population(cfg, ls, end, func(now schemes.Tick, out []life) { n += visits(s.info.Number, m, now, out) })
			return n, n
		})
}

// visits is how many timers schemes 1 to 6 look at on one tick.
func visits(number int, m, now schemes.Tick, out []life) (n uint64) {
	var expiring, slot uint64
	for _, l := range out {
		if l.deadline == now {
			expiring++
		}
		if l.deadline%m == now%m {
			slot++
		}
	}
	switch number {
	case 1: // every timer is decremented
		return uint64(len(out))
	case 2, 3: // the expiring ones and the first that is not
		return min(expiring+1, uint64(len(out)))
	case 5: // the same within the slot
		return min(expiring+1, slot)
	case 6: // the whole slot
		return slot
	}
	return expiring
}

// checkEmpty counts slots found empty. In a hierarchy a timer due on a tick that
// turns an upper wheel comes from there straight to the due list, so the lowest
// wheel's slot is empty all the same.
func checkEmpty(s *suite) error {
	return s.counted("EmptySlots", func(c schemes.Counts) uint64 { return c.EmptySlots },
		func(cfg schemes.Config, ls []life, end schemes.Tick) (n, _ uint64) {
			if s.info.Number <= 3 {
				return 0, 0
			}
			m := lowest(s.info, cfg)
			levels := len(wheels(s.info, cfg))
			population(cfg, ls, end, func(now schemes.Tick, out []life) {
				inSlot := func(l life) bool { return l.deadline%m == now%m }
				if s.info.Number == 7 {
					inSlot = func(l life) bool { return l.deadline == now && (levels == 1 || now%m != 0) }
				}
				if !slices.ContainsFunc(out, inSlot) {
					n++
				}
			})
			return n, n
		})
}

// checkCompares counts, for sorted lists searched from the head, the timers of
// earlier deadlines and the one that ends the search.
func checkCompares(s *suite) error {
	return s.counted("Compares", func(c schemes.Counts) uint64 { return c.Compares },
		func(cfg schemes.Config, ls []life, _ schemes.Tick) (low, high uint64) {
			m := schemes.Tick(1)
			switch s.info.Number {
			case 3:
				return 0, uint64(len(ls)) * 64 * 4
			case 2:
			case 5:
				m = lowest(s.info, cfg)
			default:
				return 0, 0
			}
			for i, l := range ls {
				low += search(ls[:i], l, m)
			}
			return low, low
		})
}

// search is the length of the search for l's place among the earlier starts
// that are still waiting in its list.
func search(before []life, l life, m schemes.Tick) (n uint64) {
	ends := uint64(0)
	for _, b := range before {
		switch {
		case b.deadline <= l.start || b.deadline%m != l.deadline%m:
		case b.deadline < l.deadline:
			n++
		default:
			ends = 1
		}
	}
	return n + ends
}

func checkMigrations(s *suite) error {
	return s.counted("Migrations", func(c schemes.Counts) uint64 { return c.Migrations },
		func(cfg schemes.Config, ls []life, _ schemes.Tick) (uint64, uint64) {
			n := s.migrations(cfg, ls)
			return n, n
		})
}

// migrations is the moves to a lower wheel: a timer starts on the level of the
// highest digit of its deadline that differs from the clock's, and visits every
// level below at which its deadline has a digit that is not zero.
func (s *suite) migrations(cfg schemes.Config, ls []life) (n uint64) {
	if !usesLevels(s.info) {
		return 0
	}
	for _, l := range ls {
		below := uint64(0)
		now, deadline := l.start, l.deadline
		levels := wheels(s.info, cfg)
		for i, r := range levels {
			radix := schemes.Tick(r)
			if i == len(levels)-1 || now/radix == deadline/radix {
				break
			}
			if deadline%radix != 0 {
				below++
			}
			now, deadline = now/radix, deadline/radix
		}
		n += below
	}
	return n
}
