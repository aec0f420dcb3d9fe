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
		for n := len(s.ops); n >= 1; n /= 2 { // runs of all operations, of half, a quarter, and so on
			s.edit(n, func(ops []op, at int) []op { return slices.Delete(ops, at, min(at+n, len(ops))) })
		}
		for k := 0; slices.ContainsFunc(s.ops, func(o op) bool { return k < len(o.action) }); k++ {
			s.edit(1, func(ops []op, at int) []op { return dropAction(ops, at, k) })
		}
		s.edit(1, joinTicks)
	}
	for shift := 1; shift < 64; shift++ { // numbers of ticks and intervals by halves, by quarters, and so on
		s.edit(1, func(ops []op, at int) []op { return lowerTicks(ops, at, shift) })
	}
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

// dropAction drops the k-th operation of an action.
func dropAction(ops []op, at, k int) []op {
	if action := ops[at].action; k < len(action) {
		ops[at].action = slices.Delete(slices.Clone(action), k, k+1)
		return ops
	}
	return nil
}

// joinTicks makes PerTicks that follow one another a single operation.
func joinTicks(ops []op, at int) []op {
	if at+1 == len(ops) || ops[at].verb != opPerTick || ops[at+1].verb != opPerTick {
		return nil
	}
	ops[at].ticks += ops[at+1].ticks
	return slices.Delete(ops, at+1, at+2)
}

func lowerTicks(ops []op, at, shift int) []op {
	if less := ops[at].ticks >> shift; less > 0 {
		ops[at].ticks -= less
		return ops
	}
	return nil
}
