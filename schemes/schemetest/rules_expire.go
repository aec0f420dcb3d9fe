package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// group starts n timers that are due together, the k-th with the action that f
// makes from its number and the labels of all.
func (w *writer) group(n int, interval schemes.Tick, f func(k int, all []label) []op) []label {
	var all []label
	for k := range n {
		all = append(all, w.last+label(k)+1)
	}
	first := len(w.ops)
	for range n {
		w.start(interval)
	}
	for k := range n {
		w.ops[first+k].action = f(k, all)
	}
	return all
}

// checkExpire lets due timers of many ticks gather, with starts in between.
func checkExpire(s *suite) error {
	for _, cfg := range configs(s.info) {
		if err := s.try(gather(s.info, cfg), gather(s.info, at(cfg, 1<<32-7)), large(s.info, cfg)); err != nil {
			return err
		}
	}
	return nil
}

func gather(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	longest := min(info.Range(cfg), 40)
	w.expire()
	for i := range schemes.Tick(30) {
		w.start(1 + i*7%longest)
		w.start(1 + i*i%longest)
		w.tick(1)
		if i%11 == 10 {
			w.expire()
			w.expire()
		}
	}
	w.tick(45)
	w.expire()
	w.expire()
	return w.program
}

// large makes hundreds of timers due on one tick.
func large(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	for range 300 {
		w.start(min(9, info.Range(cfg)))
	}
	w.tick(9)
	w.start(1)
	w.tickExpire(1)
	return w.program
}

// checkSameID starts one ID many times; also IDs that an index or a sign would
// not survive.
func checkSameID(s *suite) error {
	return s.tryAll(tiny(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		longest := min(s.info.Range(cfg), 6)
		var ls []label
		for i := range schemes.Tick(18) {
			ls = append(ls, w.startID(1+i%longest, 7))
		}
		w.stop(ls[0])
		w.tick(1)
		w.stop(ls[6%longest])
		w.stop(ls[13])
		w.expire()
		w.startID(1, 7)
		w.tickExpire(8)
		for _, id := range []schemes.ID{0, 1<<64 - 1, 1 << 63, 1 << 32, 1<<32 + 1, 1} {
			w.startID(1, id)
		}
		w.tickExpire(1)
		return w.program
	})
}

// checkSibling lets every action stop all the others of its tick: whichever is
// first, it is the only one. Then rings, where each stops the next, and a stop
// across ticks.
func checkSibling(s *suite) error {
	return s.tryAll(tiny(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		for n := 2; n <= 6; n++ {
			w.group(n, 1, func(k int, all []label) (action []op) {
				for i, l := range all {
					if i != k {
						action = append(action, stopping(l))
					}
				}
				return action
			})
			w.tickExpire(1)
			w.group(n, 1, func(k int, all []label) []op { return []op{stopping(all[(k+1)%n])} })
			w.tickExpire(1)
			w.group(n, 1, func(k int, all []label) []op { return []op{stopping(all[(k+n-1)%n])} })
			w.tickExpire(1)
		}
		later := w.start(min(2, s.info.Range(cfg)))
		w.start(1, stopping(later), w.later(1), stopping(later))
		w.tickExpire(2)
		w.tickExpire(2)
		return w.program
	})
}

// checkForgets stops oneself in the action, once with siblings still due and
// once after starting a timer that takes the storage.
func checkForgets(s *suite) error {
	return s.tryAll(tiny(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		for n := 1; n <= 4; n++ {
			w.group(n, 1, func(k int, all []label) []op {
				return []op{stopping(all[k]), w.later(1), stopping(all[k])}
			})
			w.tickExpire(1)
			w.tickExpire(1)
		}
		return w.program
	})
}

// checkStartInAction starts in actions the intervals that meet the slot being
// emptied, the wheels' boundaries, and chains of starts.
func checkStartInAction(s *suite) error {
	for _, cfg := range configs(s.info) {
		for _, now := range []schemes.Tick{0, 1<<32 - 3, lowest(s.info, cfg) * 5} {
			if err := s.try(startInAction(s.info, at(cfg, now))); err != nil {
				return err
			}
		}
	}
	return nil
}

func startInAction(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	m := lowest(info, cfg)
	intervals := append([]schemes.Tick{1, m, 2 * m}, boundaries(info, cfg, 600)...)
	for _, n := range []int{1, 3} {
		for _, interval := range intervals {
			w.group(n, 1, func(int, []label) []op {
				return []op{w.later(min(interval, info.Range(cfg)), w.later(1))}
			})
			w.tickExpire(1)
		}
	}
	w.tick(slices.Max(intervals))
	w.expire()
	w.tickExpire(1)
	return w.program
}

// checkPanicking lets every action of a group panic, so that each Expire hands
// out one timer, with other operations before the panics and between them.
func checkPanicking(s *suite) error {
	for _, cfg := range tiny(s.info) {
		for n := 1; n <= 4; n++ {
			for which := range n + 1 {
				if err := s.try(panicking(s.info, cfg, n, which)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// panicking lets the which-th of n actions panic; which = n means all of them.
func panicking(info *schemes.Info, cfg schemes.Config, n, which int) program {
	w := write(cfg)
	two := min(2, info.Range(cfg))
	all := w.group(n, two, func(k int, _ []label) []op {
		if which < n && k != which {
			return nil
		}
		return []op{w.later(1), {verb: boom}}
	})
	w.start(1, op{verb: boom})
	w.tick(1)
	w.start(1)
	w.tick(1)
	for range n {
		w.expire()
		w.start(1)
	}
	w.stop(all[0])
	w.tick(1)
	w.expire()
	w.expire()
	w.tickExpire(1)
	return w.program
}
