package schemetest

import "timerlab/schemes"

// shrinkBudget bounds the operations (each of many PerTicks counted) that
// shrinking one program may execute.
const shrinkBudget = 1 << 20

// shrinker makes a failing program small: it drops operations, large runs
// first, while the program still fails. Failures that need all of a long
// program stay long; the text of a violation is cut then.
type shrinker struct {
	fails  func(program) bool
	budget int
}

// shrink returns p with as few operations as it could find for which fails is
// still true. fails(p) must be.
func shrink(p program, fails func(program) bool) program {
	s := &shrinker{fails: fails, budget: shrinkBudget}
	for {
		before := size(p.ops)
		p = s.dropRuns(p)
		p = s.dropActions(p)
		p = s.join(p)
		if size(p.ops) == before || s.budget <= 0 {
			return s.lower(p)
		}
	}
}

// size is the number of operations, those of actions included.
func size(ops []op) int {
	n := len(ops)
	for i := range ops {
		n += size(ops[i].action)
	}
	return n
}

// try is fails within the budget.
func (s *shrinker) try(p program) bool {
	if s.budget -= 1 + cost(p.ops); s.budget < 0 {
		return false
	}
	return s.fails(p)
}

func cost(ops []op) int {
	n := 0
	for i := range ops {
		n++
		if ops[i].verb == perTick {
			n += int(min(ops[i].ticks, 1<<20))
		}
	}
	return n
}

// dropRuns drops runs of half the program, a quarter, and so on down to one.
func (s *shrinker) dropRuns(p program) program {
	for n := len(p.ops); n >= 1; n /= 2 {
		for at := 0; at < len(p.ops) && s.budget > 0; {
			q := program{p.cfg, cut(p.ops, at, n)}
			if s.try(q) {
				p = q
			} else {
				at += n
			}
		}
	}
	return p
}

// dropActions drops the operations of actions, one by one.
func (s *shrinker) dropActions(p program) program {
	for i := range p.ops {
		for at := 0; at < len(p.ops[i].action) && s.budget > 0; {
			q := program{p.cfg, append([]op(nil), p.ops...)}
			q.ops[i].action = cut(q.ops[i].action, at, 1)
			if s.try(q) {
				p = q
			} else {
				at++
			}
		}
	}
	return p
}

// join makes PerTicks that follow one another a single operation.
func (s *shrinker) join(p program) program {
	for i := 0; i+1 < len(p.ops) && s.budget > 0; {
		a, b := p.ops[i], p.ops[i+1]
		if a.verb != perTick || b.verb != perTick {
			i++
			continue
		}
		q := program{p.cfg, cut(p.ops, i+1, 1)}
		q.ops[i].ticks = a.ticks + b.ticks
		if !s.try(q) {
			i++
			continue
		}
		p = q
	}
	return p
}

// lower makes numbers of ticks as small as it can by halving the distance.
func (s *shrinker) lower(p program) program {
	for i := range p.ops {
		low := schemes.Tick(0)
		for p.ops[i].ticks > low+1 && s.budget > 0 {
			q := program{p.cfg, append([]op(nil), p.ops...)}
			q.ops[i].ticks = low + (p.ops[i].ticks-low)/2
			if s.try(q) {
				p = q
			} else {
				low = q.ops[i].ticks
			}
		}
	}
	return p
}

// cut is ops without the n operations from at, in a new slice.
func cut(ops []op, at, n int) []op {
	out := append([]op(nil), ops[:at]...)
	return append(out, ops[min(at+n, len(ops)):]...)
}
