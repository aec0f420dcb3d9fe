package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// The programs of the rules about Expire, and of those that run one again.

// gather lets due timers of many ticks gather, with starts in between.
func gather(w *writer) {
	longest := w.most(40)
	w.expire()
	for i := range schemes.Tick(30) {
		w.startAll(1+i*7%longest, 1+i*i%longest)
		w.tick(1)
		if i%11 == 10 {
			w.expire()
			w.expire()
		}
	}
	w.tickExpire(45)
	w.expire()
}

// sameID starts one ID many times; also IDs that an index or a sign would not
// survive.
func sameID(w *writer) {
	longest := w.most(6)
	var all []label
	for i := range schemes.Tick(18) {
		all = append(all, w.startID(1+i%longest, 7))
	}
	w.stop(all[0])
	w.tick(1)
	w.stop(all[6%longest])
	w.stop(all[13])
	w.expire()
	w.startID(1, 7)
	w.tickExpire(8)
	for _, id := range []schemes.ID{0, 1<<64 - 1, 1 << 63, 1 << 32, 1<<32 + 1, 1} {
		w.startID(1, id)
	}
	w.tickExpire(1)
}

// siblings lets every action stop all the others of its tick: whichever is first,
// it is the only one. Then rings, where each stops the next, and a stop across
// ticks.
func siblings(w *writer) {
	next := func(step int) func(int, []label) []op {
		return func(k int, all []label) []op { return []op{stopping(all[(k+step)%len(all)])} }
	}
	others := func(k int, all []label) (action []op) {
		for i, l := range all {
			if i != k {
				action = append(action, stopping(l))
			}
		}
		return action
	}
	for n := 2; n <= 6; n++ {
		for _, action := range []func(int, []label) []op{others, next(1), next(n - 1)} {
			w.group(n, 1, action)
			w.tickExpire(1)
		}
	}
	later := w.start(w.most(2))
	w.start(1, stopping(later), w.later(1), stopping(later))
	w.tickExpire(2)
	w.tickExpire(2)
}

// stopOneself stops a timer in its own action, once with siblings still due and
// once after starting a timer that takes the storage.
func stopOneself(w *writer) {
	for n := 1; n <= 4; n++ {
		w.group(n, 1, func(k int, all []label) []op {
			return []op{stopping(all[k]), w.later(1), stopping(all[k])}
		})
		w.tickExpire(1)
		w.tickExpire(1)
	}
}

// checkStartInAction starts in actions the intervals that meet the slot being
// emptied, the wheels' boundaries, and chains of starts.
func checkStartInAction(s *suite) {
	for _, c := range s.settings() {
		s.each(s.atClocks([]setting{c}, 0, 1<<32-3, c.lowest()*5), startInAction)
	}
}

func startInAction(w *writer) {
	m := w.lowest()
	intervals := append([]schemes.Tick{1, m, 2 * m}, w.boundaries(600)...)
	for _, n := range []int{1, 3} {
		for _, interval := range intervals {
			w.group(n, 1, func(int, []label) []op { return []op{w.later(w.most(interval), w.later(1))} })
			w.tickExpire(1)
		}
	}
	w.tickExpire(slices.Max(intervals))
	w.tickExpire(1)
}

// checkPanicking lets every action of a group panic, so that each Expire hands out
// one timer, or only one of them.
func checkPanicking(s *suite) {
	for n := 1; n <= 4; n++ {
		for which := range n + 1 {
			s.each(s.few(), func(w *writer) { w.panicking(n, which) })
		}
	}
}

// panicking lets the which-th of n actions panic, which = n all of them, with other
// operations before the panics and between them.
func (w *writer) panicking(n, which int) {
	all := w.group(n, w.most(2), func(k int, _ []label) []op {
		if which < n && k != which {
			return nil
		}
		return []op{w.later(1), {verb: opPanic}}
	})
	w.start(1, op{verb: opPanic})
	w.tick(1)
	w.start(1)
	w.tick(1)
	for range n {
		w.expire()
		w.start(1)
	}
	w.stop(all[0])
	w.tickExpire(1)
	w.expire()
	w.tickExpire(1)
}

// crowd makes hundreds of timers due together, some by way of stops and actions.
func crowd(w *writer) {
	longest := w.most(5)
	w.startAll(slices.Repeat([]schemes.Tick{longest}, 300)...)
	for i := range schemes.Tick(40) {
		l := w.start(1 + i*3%longest)
		if i%4 == 1 {
			w.stop(l)
		}
	}
	w.group(3, 1, func(int, []label) []op { return []op{w.later(1), w.later(longest)} })
	w.tickExpire(5)
	w.tickExpire(5)
}

// checkNoEffect runs programs with and without looking at the scheme.
func checkNoEffect(s *suite) { s.sameOrder("looked at", true) }

// checkDeterministic runs programs twice.
func checkDeterministic(s *suite) { s.sameOrder("run again", false) }

func (s *suite) sameOrder(how string, mute bool) {
	order := func(p program, mute bool) []schemes.ID {
		m := s.machine(p)
		m.mute = mute
		m.execute()
		return m.order
	}
	differ := func(p program) bool { return !slices.Equal(order(p, false), order(p, mute)) }
	for i, c := range s.few() {
		for _, p := range []program{write(c, crowd), decode(s.info, noise(uint64(i), 400))} {
			if differ(p) || differ(p) {
				p = shrink(p, differ)
				s.failAfter(p.lines(), "the order of handing out changes when the program is %s", how)
			}
		}
	}
}

// checkSeparate runs two programs on two schemes, operation by operation in turns.
func checkSeparate(s *suite) {
	s.strict = true
	for _, c := range s.few() {
		twin := write(c.at(77), gather)
		s.twin = &twin
		s.each([]setting{c}, crowd)
	}
}

// Sizes of the volume: a scheme that loses one timer in a hundred thousand is
// caught for certain if it counts them, and nearly so if it rolls a die. Most of the
// time there are few, so that schemes of O(n) are quick too.
const (
	volumeTimers = 300_000
	volumeLong   = 16 // longest interval
)

func checkVolume(s *suite) {
	s.mute = true
	few := narrow(settings(s.info), fewSlots)
	for i, c := range []setting{few[len(few)/2], few[len(few)-1].at(1<<32 - 5)} {
		n := schemes.Tick(s.scaled(volumeTimers >> i))
		s.each([]setting{c}, func(w *writer) { w.volume(n) })
	}
}

// volume starts about n timers: the actions of some start others, some are stopped,
// and time passes.
func (w *writer) volume(n schemes.Tick) {
	longest := w.most(volumeLong)
	for i := schemes.Tick(0); schemes.Tick(w.last) < n; i++ {
		interval := 1 + (i*i>>3)%longest // the same for four, as an oracle costs a scheme for each
		w.start(interval)
		w.stop(w.start(interval))
		l := w.start(interval, w.later(interval))
		w.start(interval)
		w.tick(1)
		if i%8 == 7 {
			w.stop(l) // it may be due
		}
		w.expire()
	}
}
