package schemetest

import (
	"reflect"
	"slices"

	"timerlab/schemes"
)

// The counts of the seven follow from their structure and are the same for every implementation of it. Here
// they are computed from the deadlines alone, without the structure.

// life is a timer of the counting programs: it starts at one tick and is due at another, and nothing stops it.
type life struct{ start, deadline schemes.Tick }

// counted makes the check of one field of the counts. Scheme 3 may compare in any way that is logarithmic.
func counted(name string) func(*suite) {
	field := func(c schemes.Counts) uint64 { return reflect.ValueOf(c).FieldByName(name).Uint() }
	return func(s *suite) {
		if !oneOfSeven(s.info) || !has[schemes.Counter](s) {
			return
		}
		for _, c := range s.atClocks(s.settings(), 0, 1<<32-3) {
			// Some timers start on each of the first ticks, with intervals of every order, and all pass.
			var ls []life
			end := c.cfg.Now
			p := write(c, func(w *program) {
				longest := w.most(700)
				for i := range schemes.Tick(90) {
					deadline := end + 1 + (i*i*37+i*11)%longest
					if !slices.ContainsFunc(ls, func(l life) bool { return l.deadline == deadline }) {
						w.start(deadline - end)
						ls = append(ls, life{end, deadline})
						if s.loose {
							_, late := c.loose(deadline - end)
							ticks, _ := s.alone(c.at(end), deadline-end, deadline-end+late)
							ls[len(ls)-1].deadline = end + ticks
						}
					}
					if i%3 == 2 {
						w.tickExpire(1)
						end++
					}
				}
				w.tickExpire(longest)
				end += longest
			})
			s.made = []string{c.String()}
			got, want := field(s.countsOf(p)), field(c.predict(ls, end))
			s.require(got == want || name == "Compares" && s.info.Number == 3 && got < want,
				"%s is %d instead of %d after %d timers over %d ticks", name, got, want, len(ls), end-c.cfg.Now)
		}
	}
}

// countsOf is the counts at the end of p, which passes or is another rule's matter.
func (s *suite) countsOf(p program) (c schemes.Counts) {
	if counter, ok := s.run(p, true).scheme.(schemes.Counter); ok {
		c = counter.Counts()
	}
	return c
}

// predict computes the counts of the seven, but for Links. Compares of scheme 3 are an upper bound.
func (c setting) predict(ls []life, end schemes.Tick) (sum schemes.Counts) {
	number := c.info.Number
	var out []life // outstanding just before the clock shows now
	for now := c.cfg.Now + 1; now <= end; now++ {
		for _, l := range ls {
			if l.start == now-1 {
				switch number {
				case 2, 5:
					passed, _ := c.search(out, l.deadline, l.deadline)
					sum.Compares += passed
				case 3:
					sum.Compares += 64 * 4
				}
				sum.Migrations += c.migrations(l)
				out = append(out, l)
			}
		}
		passed, found := c.search(out, now, now+1)
		if number == 2 || number == 3 || number == 5 { // sorted: the timers that expire, and the next
			found = passed
		}
		sum.Visits += found
		turns := number == 7 && len(c.wheels()) > 1 && now%c.lowest() == 0
		if number > 3 && (found == 0 || turns) { // what turns comes from above
			sum.EmptySlots++
		}
		out = slices.DeleteFunc(out, func(l life) bool { return l.deadline == now })
	}
	sum.Visits += sum.Migrations
	return sum
}

// search returns how many timers are in the list of a deadline, and how many of them a search passes that ends at
// the first one due from limit on, this one included. In schemes 1 to 3 the list has all timers, in schemes 4 to 6 the
// timers of a slot, and in a hierarchy the timers of that deadline in the lowest wheel.
func (c setting) search(out []life, deadline, limit schemes.Tick) (passed, all uint64) {
	number, m := c.info.Number, c.lowest()
	for _, l := range out {
		if l.deadline == deadline || number <= 3 || number <= 6 && l.deadline%m == deadline%m {
			if all++; l.deadline < limit {
				passed++
			}
		}
	}
	return min(passed+1, all), all
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
