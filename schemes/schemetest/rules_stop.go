package schemetest

import "timerlab/schemes"

// neighbours are intervals that put timers into one list, slot or branch: the
// same deadline, the slot's next rounds, the ticks beside, the wheel above.
func neighbours(info *schemes.Info, cfg schemes.Config) [][]schemes.Tick {
	m := lowest(info, cfg)
	all := [][]schemes.Tick{
		{2, 2, 2, 2},
		{1, 1 + m, 1 + 2*m, 1 + 3*m},
		{1 + 3*m, 1 + 2*m, 1 + m, 1},
		{3, 1, 4, 2},
		{m, m, 2 * m, m},
		{1 + m, 1, 1, 1 + m},
	}
	longest := info.Range(cfg)
	for _, intervals := range all {
		for i := range intervals {
			intervals[i] = min(intervals[i], longest)
		}
	}
	return all
}

// checkStop stops every timer of four, and every two of them in both orders.
func checkStop(s *suite) error {
	for _, cfg := range configs(s.info) {
		if slotsOf(s.info, cfg) > 300 {
			continue
		}
		for _, intervals := range neighbours(s.info, cfg) {
			for i := range 16 {
				if err := s.try(stopTwo(at(cfg, 3), intervals, i/4, i%4)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stopTwo starts timers and stops the a-th and the b-th; of the same only one.
func stopTwo(cfg schemes.Config, intervals []schemes.Tick, a, b int) program {
	w := write(cfg)
	most := schemes.Tick(0)
	var ls []label
	for _, interval := range intervals {
		ls = append(ls, w.start(interval))
		most = max(most, interval)
	}
	w.stop(ls[a])
	if a != b {
		w.stop(ls[b])
	}
	w.start(intervals[a])
	w.tickExpire(1)
	w.tickExpire(most)
	return w.program
}

// checkStopDue stops due timers of one tick and of several, first, middle and
// last, before they are handed out.
func checkStopDue(s *suite) error {
	for _, cfg := range tiny(s.info) {
		for _, intervals := range neighbours(s.info, cfg) {
			for i := range 16 {
				if err := s.try(stopTwoDue(at(cfg, 3), intervals, i/4, i%4)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func stopTwoDue(cfg schemes.Config, intervals []schemes.Tick, a, b int) program {
	w := write(cfg)
	most := schemes.Tick(0)
	var ls []label
	for _, interval := range intervals {
		ls = append(ls, w.start(interval))
		most = max(most, interval)
	}
	w.tick(most)
	w.stop(ls[a])
	if a != b {
		w.stop(ls[b])
	}
	w.tick(1)
	w.start(1)
	w.expire()
	w.tickExpire(1)
	return w.program
}

// checkStale keeps every handle and tries them all again after each reuse of
// the storage, whether the timer before was stopped, stopped while due, or
// handed out.
func checkStale(s *suite) error {
	return s.tryAll(tiny(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		var ls []label
		for i := range 24 {
			l := w.start(1)
			for _, stale := range ls {
				w.stop(stale)
			}
			ls = append(ls, l)
			switch i % 3 {
			case 0:
				w.stop(l)
			case 1:
				w.tick(1)
				w.stop(l)
			case 2:
				w.tickExpire(1)
			}
		}
		return w.program
	})
}

// checkForeign tries handles that were never returned: a few bits away from
// returned ones, small numbers, sparse and dense words.
func checkForeign(s *suite) error {
	return s.tryAll(tiny(s.info), func(cfg schemes.Config) program {
		w := write(cfg)
		w.stopBits(0)
		var ls []label
		for i := range schemes.Tick(5) {
			w.stopBits(schemes.Handle(i))
			ls = append(ls, w.start(1+i%min(3, s.info.Range(cfg))))
		}
		w.stop(ls[1])
		w.tick(1)
		for _, l := range ls {
			for bit := range 64 {
				w.flip(l, 1<<bit)
			}
			w.flip(l, 1<<32|1)
			w.flip(l, ^schemes.Handle(0))
		}
		for bit := range 64 {
			w.stopBits(1 << bit)
			w.stopBits(^schemes.Handle(0) << bit)
			w.stopBits(^schemes.Handle(0) >> bit)
		}
		for i := range schemes.Handle(100) {
			w.stopBits(i * 0x9e3779b97f4a7c15)
		}
		w.tickExpire(3)
		return w.program
	})
}
