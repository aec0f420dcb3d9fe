package schemetest

import (
	"slices"

	"timerlab/schemes"
)

// The counts of the seven follow from their structure and are the same for every
// implementation of it. Here they are computed from the deadlines alone, without
// the structure.

// life is a timer of the counting programs: it starts at one tick and is due at
// another, and nothing stops it.
type life struct{ start, deadline schemes.Tick }

// lives start a few timers on each of the first ticks, with intervals of every
// order, no two deadlines alike, and all due soon.
func (c setting) lives() (ls []life, end schemes.Tick) {
	longest := c.most(700)
	used := map[schemes.Tick]bool{}
	for i := range schemes.Tick(90) {
		now := c.cfg.Now + i/3
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
func (w *writer) counting(ls []life, end schemes.Tick) {
	for now := w.cfg.Now; now < end; now++ {
		for _, l := range ls {
			if l.start == now {
				w.start(l.deadline - now)
			}
		}
		w.tickExpire(1)
	}
}

// counted makes the check of one field of the counts. Scheme 3 may compare in any
// way that is logarithmic.
func counted(name string, field func(schemes.Counts) uint64) func(*suite) {
	return func(s *suite) {
		if !oneOfSeven(s.info) || s.optional().counter == nil {
			return
		}
		for _, c := range s.atClocks(s.settings(), 0, 1<<32-3) {
			w := write(c)
			ls, end := c.lives()
			w.counting(ls, end)
			got, want := field(s.countsOf(w.program)), field(c.predict(ls, end))
			if got != want && (name != "Compares" || s.info.Number != 3 || got > want) {
				s.failAfter([]string{c.String()}, "%s is %d instead of %d after %d timers over %d ticks",
					name, got, want, len(ls), end-c.cfg.Now)
			}
		}
	}
}

// countsOf is the counts at the end of p, which passes or is another rule's matter.
func (s *suite) countsOf(p program) (c schemes.Counts) {
	m := s.machine(p)
	m.mute = true
	m.execute()
	if m.counter != nil {
		c = m.counter.Counts()
	}
	return c
}

// predict computes the counts of the seven, but for Links. Compares of scheme 3 are
// an upper bound.
func (c setting) predict(ls []life, end schemes.Tick) (sum schemes.Counts) {
	number, m := c.info.Number, c.lowest()
	for i, l := range ls {
		sum.Migrations += c.migrations(l)
		switch number {
		case 2:
			sum.Compares += search(ls[:i], l, 1)
		case 3:
			sum.Compares += 64 * 4
		case 5:
			sum.Compares += search(ls[:i], l, m)
		}
	}
	var out []life // outstanding just before the clock shows now
	for now := c.cfg.Now + 1; now <= end; now++ {
		for _, l := range ls {
			if l.start == now-1 {
				out = append(out, l)
			}
		}
		sum.Visits += visits(number, m, now, out)
		if number > 3 && !slices.ContainsFunc(out, func(l life) bool { return c.inSlot(l, now) }) {
			sum.EmptySlots++
		}
		out = slices.DeleteFunc(out, func(l life) bool { return l.deadline == now })
	}
	sum.Visits += sum.Migrations
	return sum
}

// visits is how many timers a scheme looks at on one tick, apart from migrations.
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

// inSlot reports whether PerTick finds l in the slot of the lowest wheel. In a
// hierarchy a timer due on a tick that turns an upper wheel comes from there
// straight to the due list, so the slot is empty all the same.
func (c setting) inSlot(l life, now schemes.Tick) bool {
	if m := c.lowest(); c.info.Number != 7 {
		return l.deadline%m == now%m
	} else if len(c.wheels()) > 1 && now%m == 0 {
		return false
	}
	return l.deadline == now
}

// search is the timers that the search for l's place passes in a list sorted by
// deadline, of the earlier starts that are still waiting in it, and the one that
// ends the search.
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

// migrations is the moves of a timer to a lower wheel: it starts on the level of
// the highest digit of its deadline that differs from the clock's, and visits every
// level below at which its deadline has a digit that is not zero.
func (c setting) migrations(l life) (n uint64) {
	if !usesLevels(c.info) {
		return 0
	}
	levels := c.wheels()
	now, deadline := l.start, l.deadline
	for _, r := range levels[:len(levels)-1] {
		radix := schemes.Tick(r)
		if now/radix == deadline/radix {
			break
		}
		if deadline%radix != 0 {
			n++
		}
		now, deadline = now/radix, deadline/radix
	}
	return n
}
