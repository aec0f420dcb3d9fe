package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// The programs of the rules about Stop.

// neighbours are intervals that put timers into one list, slot or branch: the same
// deadline, the slot's next revolutions, the ticks before and after, the wheel
// above.
func (c setting) neighbours() [][]schemes.Tick {
	m := c.lowest()
	all := [][]schemes.Tick{
		{2, 2, 2, 2},
		{1, 1 + m, 1 + 2*m, 1 + 3*m},
		{1 + 3*m, 1 + 2*m, 1 + m, 1},
		{3, 1, 4, 2},
		{m, m, 2 * m, m},
		{1 + m, 1, 1, 1 + m},
	}
	for _, intervals := range all {
		for i := range intervals {
			intervals[i] = c.most(intervals[i])
		}
	}
	return all
}

// checkStop stops each timer of four, and each two of them in both orders.
func checkStop(s *suite) { s.stopPairs(narrow(s.settings(), 300), false) }

// checkStopDue does so when all are due: of one tick and of several, first, middle
// and last.
func checkStopDue(s *suite) { s.stopPairs(s.few(), true) }

func (s *suite) stopPairs(cs []setting, whenDue bool) {
	for _, c := range cs {
		for _, intervals := range c.neighbours() {
			for i := range 16 {
				s.each([]setting{c.at(3)}, func(w *writer) { w.stopPair(intervals, i/4, i%4, whenDue) })
			}
		}
	}
}

// stopPair starts timers and stops the a-th and the b-th; of the same only one.
func (w *writer) stopPair(intervals []schemes.Tick, a, b int, whenDue bool) {
	all := w.startAll(intervals...)
	longest := slices.Max(intervals)
	if whenDue {
		w.tick(longest)
	}
	w.stop(all[a])
	if a != b {
		w.stop(all[b])
	}
	if whenDue {
		w.tick(1)
		w.start(1)
		w.expire()
		w.tickExpire(1)
		return
	}
	w.start(intervals[a])
	w.tickExpire(1)
	w.tickExpire(longest)
}

// staleHandles keeps every handle and tries them all again after each reuse of the
// storage, whether the timer before was stopped, stopped while due, or handed out.
func staleHandles(w *writer) {
	var stale []label
	for i := range 24 {
		l := w.start(1)
		for _, old := range stale {
			w.stop(old)
		}
		stale = append(stale, l)
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
}

// foreignHandles tries handles that were never returned: a few bits away from
// returned ones, small numbers, sparse and dense words.
func foreignHandles(w *writer) {
	const ones = ^schemes.Handle(0)
	var all []label
	for i := range schemes.Tick(5) {
		w.stopBits(schemes.Handle(i))
		all = append(all, w.start(1+i%w.most(3)))
	}
	w.stop(all[1])
	w.tick(1)
	for _, l := range all {
		for bit := range 64 {
			w.flip(l, 1<<bit)
		}
		w.flip(l, 1<<32|1)
		w.flip(l, ones)
	}
	for bit := range 64 {
		w.stopBits(1 << bit)
		w.stopBits(ones << bit)
		w.stopBits(ones >> bit)
	}
	for i := range schemes.Handle(100) {
		w.stopBits(i * 0x9e3779b97f4a7c15)
	}
	w.tickExpire(3)
}
