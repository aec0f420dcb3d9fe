package schemetest

import (
	"reflect"
	"slices"

	"timerlab/schemes"
)

// The counts of the seven follow from their structure and are the same for every implementation of it. Here
// they are computed from the deadlines alone, without the structure.

// counted makes the check of one field of the counts. Scheme 3 may compare in any way that is logarithmic.
func counted(name string) func(*suite) {
	field := func(c schemes.Counts) uint64 { return reflect.ValueOf(c).FieldByName(name).Uint() }
	return func(s *suite) {
		if !oneOfSeven(s.info) || !has[schemes.Counter](s) {
			return
		}
		for _, c := range s.atClocks(s.settings(), 0, 1<<32-3) {
			p := write(c, apart)
			s.made = []string{c.String()}
			counts, end := s.predict(p)
			got, want := field(s.countsOf(p)), field(counts)
			s.require(got == want || name == "Compares" && s.info.Number == 3 && got < want,
				"%s is %d instead of %d after %d timers over %d ticks", name, got, want, p.last, end-c.cfg.Now)
		}
	}
}

// apart starts timers on each of the first ticks, with intervals of every order, no two due together, and all pass.
func apart(w *program) {
	longest, now := w.most(700), schemes.Tick(0)
	taken := map[schemes.Tick]bool{}
	for i := range schemes.Tick(90) {
		interval := 1 + (i*i*37+i*11)%longest
		if !taken[now+interval] {
			taken[now+interval] = true
			w.start(interval)
		}
		if i%3 == 2 {
			w.tickExpire(1)
			now++
		}
	}
	w.tickExpire(longest)
}

// countsOf is the counts at the end of p, which passes or is another rule's matter.
func (s *suite) countsOf(p program) (c schemes.Counts) {
	if counter, ok := s.run(p, true).scheme.(schemes.Counter); ok {
		c = counter.Counts()
	}
	return c
}

// predict computes the counts of the seven, but for Links, after a program that stops nothing, and what the clock
// shows then. Compares of scheme 3 are an upper bound.
func (s *suite) predict(p program) (sum schemes.Counts, now schemes.Tick) {
	number := p.info.Number
	now = p.cfg.Now
	var out []schemes.Tick // deadlines of the outstanding timers
	for _, o := range p.ops {
		if o.verb == opStart {
			ticks := o.ticks
			if s.loose {
				_, late := p.loose(ticks)
				ticks, _ = s.alone(p.at(now), ticks, ticks+late)
			}
			switch number {
			case 2, 5:
				passed, _ := p.search(out, now+ticks, now+ticks)
				sum.Compares += passed
			case 3:
				sum.Compares += 64 * 4
			}
			sum.Migrations += p.migrations(now, now+ticks)
			out = append(out, now+ticks)
		}
		for ; o.verb == opPerTick && o.ticks > 0; o.ticks-- {
			now++
			passed, found := p.search(out, now, now+1)
			if number == 2 || number == 3 || number == 5 { // sorted: the timers that expire, and the next
				found = passed
			}
			sum.Visits += found
			turns := number == 7 && len(p.wheels()) > 1 && now%p.lowest() == 0
			if number > 3 && (found == 0 || turns) { // what turns comes from above
				sum.EmptySlots++
			}
			out = slices.DeleteFunc(out, func(deadline schemes.Tick) bool { return deadline == now })
		}
	}
	sum.Visits += sum.Migrations
	return sum, now
}

// search returns how many timers are in the list of a deadline, and how many of them a search passes that ends at
// the first one due from limit on, this one included. In schemes 1 to 3 the list has all timers, in schemes 4 to 6 the
// timers of a slot, and in a hierarchy the timers of that deadline in the lowest wheel.
func (c setting) search(out []schemes.Tick, deadline, limit schemes.Tick) (passed, all uint64) {
	number, m := c.info.Number, c.lowest()
	for _, d := range out {
		if d == deadline || number <= 3 || number <= 6 && d%m == deadline%m {
			if all++; d < limit {
				passed++
			}
		}
	}
	return min(passed+1, all), all
}

// migrations is the moves of a timer started now to a lower wheel: it starts on the level of
// the highest digit of its deadline that differs from the clock's, and visits every
// level below at which its deadline has a digit that is not zero.
func (c setting) migrations(now, deadline schemes.Tick) (n uint64) {
	if !usesLevels(c.info) {
		return 0
	}
	levels := c.wheels()
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
