package schemetest

import "timerlab/schemes"

// plain does a little of everything: the program of the rules that hold always.
func plain(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	m := min(lowest(info, cfg), 64)
	a, b := w.start(1), w.start(1)
	c := w.start(min(m, info.Range(cfg)))
	w.start(info.Range(cfg) + 1)
	w.stop(a)
	w.tickExpire(1)
	w.stop(b)
	w.start(1)
	w.stop(w.start(1))
	w.tick(1)
	w.start(1, stopping(c))
	w.tickExpire(1)
	w.tickExpire(m)
	w.expire()
	return w.program
}

func checkPlain(s *suite) error {
	for _, cfg := range configs(s.info) {
		if err := s.try(plain(s.info, cfg), plain(s.info, at(cfg, 250))); err != nil {
			return err
		}
	}
	return nil
}

// checkDrawing draws full and large structures.
func checkDrawing(s *suite) error {
	return s.tryAll(append(configs(s.info), schemes.Config{}), func(cfg schemes.Config) program {
		w := write(cfg)
		longest := min(s.info.Range(cfg), 5000)
		for i := range schemes.Tick(400) {
			w.start(1 + i*37%longest)
		}
		for range 80 {
			w.tick(1)
		}
		w.expire()
		return w.program
	})
}

// around starts timers at every boundary of cfg up to most, from several places
// of the wheels, and passes them all.
func around(info *schemes.Info, cfg schemes.Config, most schemes.Tick) program {
	w := write(cfg)
	intervals := boundaries(info, cfg, most)
	for _, wait := range []schemes.Tick{1, 1, lowest(info, cfg) - 1, 2} {
		for _, interval := range intervals {
			w.start(interval)
		}
		w.tick(wait)
	}
	w.tickExpire(intervals[len(intervals)-1] + 1)
	return w.program
}

func checkExact(s *suite) error {
	for i, cfg := range configs(s.info) {
		most := schemes.Tick(3000)
		if usesLevels(s.info) || i%4 == 1 {
			most = 90_000
		}
		if err := s.try(around(s.info, cfg, 600), around(s.info, cfg, most)); err != nil {
			return err
		}
	}
	return nil
}

func checkExactClock(s *suite) error {
	for _, cfg := range configs(s.info) {
		for _, now := range clocksOf(s.info, cfg) {
			if err := s.try(around(s.info, at(cfg, now), 1100)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkLong starts timers whose deadlines differ from the clock, or from each
// other, only in high bits.
func checkLong(s *suite) error {
	for _, cfg := range append(configs(s.info), schemes.Config{}) {
		for _, now := range []schemes.Tick{0, 5, 1<<32 - 3, 1<<63 - 5} {
			if err := s.try(long(s.info, at(cfg, now))); err != nil {
				return err
			}
		}
	}
	return nil
}

func long(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	var last label
	for shift := 1; shift < 64; shift++ {
		for _, more := range []schemes.Tick{0, 1, 5} {
			if t := schemes.Tick(1)<<shift + more; t <= info.Range(cfg) {
				last = w.start(t)
			}
		}
	}
	w.start(min(info.Range(cfg), endOfClock-cfg.Now))
	w.tickExpire(40)
	w.stop(last)
	w.tickExpire(300)
	return w.program
}

func checkZero(s *suite) error {
	return s.tryAll(configs(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		w.start(0)
		w.start(1)
		w.start(0)
		w.tick(1)
		w.start(0)
		w.expire()
		w.start(1, w.later(0))
		w.tickExpire(1)
		return w.program
	})
}

// steppable is the longest range that is stepped to, tick by tick.
const steppable = 1 << 17

// reach starts timers of exactly the range and longer, and passes the range if
// it is not too long.
func reach(info *schemes.Info, cfg schemes.Config) program {
	w := write(cfg)
	longest := info.Range(cfg)
	w.start(longest)
	if longest < endOfClock {
		for _, past := range []schemes.Tick{1, 2, longest, endOfClock - longest} {
			w.start(longest + past)
		}
	}
	w.tick(1)
	w.start(longest)
	w.start(longest + 1)
	if longest > steppable {
		w.tick(300)
		return w.program
	}
	w.tick(longest)
	if longest > 5000 {
		w.expire()
		return w.program
	}
	w.start(longest, w.later(longest), w.later(longest+1))
	w.expire()
	w.tickExpire(longest)
	w.tickExpire(longest)
	return w.program
}

func checkRangeEnds(s *suite) error {
	cfgs := append(configs(s.info), schemes.Config{})
	if usesLevels(s.info) {
		cfgs = append(cfgs, schemes.Config{Levels: wide})
	}
	for _, cfg := range cfgs {
		if err := s.try(reach(s.info, cfg)); err != nil {
			return err
		}
		if s.info.Range(cfg) > 5000 {
			continue
		}
		for _, now := range clocksOf(s.info, cfg) {
			if err := s.try(reach(s.info, at(cfg, now))); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkClockEnd(s *suite) error {
	for _, cfg := range configs(s.info) {
		for _, left := range []schemes.Tick{1, 2, 3, 17, 300} {
			if err := s.try(toTheEnd(at(cfg, endOfClock-left), left, s.info.Range(cfg))); err != nil {
				return err
			}
		}
	}
	return nil
}

// toTheEnd starts timers around the last tick, left ticks ahead, and goes there.
func toTheEnd(cfg schemes.Config, left, longest schemes.Tick) program {
	w := write(cfg)
	w.start(min(left, longest))
	for _, interval := range []schemes.Tick{left, left + 1, left + 2, longest, endOfClock, endOfClock - 1, 1 << 63, 1<<63 + left} {
		w.start(interval)
	}
	w.start(1, w.later(left), w.later(left-1), w.later(left-2))
	w.tickExpire(1)
	w.start(left - 1)
	w.start(left)
	w.tickExpire(left)
	return w.program
}

func checkClockStops(s *suite) error {
	return s.tryAll(configs(s.info), func(cfg schemes.Config) program {
		w := write(at(cfg, endOfClock-2))
		w.start(1)
		w.start(2)
		w.start(2)
		w.tick(5) // the last three do nothing, though timers are due
		w.start(1)
		w.tickExpire(3)
		w.tickExpire(1)
		return w.program
	})
}
