package schemetest

import "slices"

// shrinkBudget bounds the operations (each of many PerTicks counted) that
// shrinking one program may execute.
const shrinkBudget = 1 << 20

// shrinker makes a failing program small by editing it while it still fails.
type shrinker struct {
	program
	fails  func(program) bool
	budget int
}

// shrink returns p with as few operations as it could find for which fails still
// holds; fails(p) must. Failures that need all of a long program stay long; the
// text of a violation is cut then.
func shrink(p program, fails func(program) bool) program {
	s := &shrinker{program: p, fails: fails, budget: shrinkBudget}
	for before := -1; size(s.ops) != before && s.budget > 0; {
		before = size(s.ops)
		s.dropRuns()
		s.dropActions()
		s.edit(1, joinTicks)
	}
	s.lowerTicks()
	return s.program
}

// size is the number of operations, those of actions included.
func size(ops []op) int {
	n := len(ops)
	for i := range ops {
		n += size(ops[i].action)
	}
	return n
}

// edit makes one change at every place of the program, or every step-th, and keeps
// those after which it still fails; there it tries again. change returns nil where
// it has nothing to do, and may overwrite its argument.
func (s *shrinker) edit(step int, change func(ops []op, at int) []op) {
	for at := 0; at < len(s.ops) && s.budget > 0; {
		q := program{s.setting, change(slices.Clone(s.ops), at)}
		if q.ops != nil && s.try(q) {
			s.program = q
		} else {
			at += step
		}
	}
}

// try is fails within the budget.
func (s *shrinker) try(p program) bool {
	for i := range p.ops {
		s.budget--
		if p.ops[i].verb == opPerTick {
			s.budget -= int(min(p.ops[i].ticks, shrinkBudget))
		}
	}
	s.budget--
	return s.budget >= 0 && s.fails(p)
}

// dropRuns drops runs of all operations, of half, a quarter, and so on down to one.
func (s *shrinker) dropRuns() {
	for n := len(s.ops); n >= 1; n /= 2 {
		s.edit(n, func(ops []op, at int) []op { return slices.Delete(ops, at, min(at+n, len(ops))) })
	}
}

// dropActions drops the operations of actions: the first ones, then the second.
func (s *shrinker) dropActions() {
	for k, found := 0, true; found; k++ {
		found = false
		s.edit(1, func(ops []op, at int) []op {
			action := ops[at].action
			if k >= len(action) {
				return nil
			}
			found = true
			ops[at].action = slices.Delete(slices.Clone(action), k, k+1)
			return ops
		})
	}
}

// joinTicks makes PerTicks that follow one another a single operation.
func joinTicks(ops []op, at int) []op {
	if at+1 == len(ops) || ops[at].verb != opPerTick || ops[at+1].verb != opPerTick {
		return nil
	}
	ops[at].ticks += ops[at+1].ticks
	return slices.Delete(ops, at+1, at+2)
}

// lowerTicks lowers numbers of ticks and intervals by halves, by quarters, and so
// on down to one.
func (s *shrinker) lowerTicks() {
	for shift := 1; shift < 64; shift++ {
		s.edit(1, func(ops []op, at int) []op {
			less := ops[at].ticks >> shift
			if less == 0 {
				return nil
			}
			ops[at].ticks -= less
			return ops
		})
	}
}
