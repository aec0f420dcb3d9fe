package schemetest

import (
	"iter"
	"slices"
)

// shrinkBudget bounds the operations (each of many PerTicks counted) that
// shrinking one program may execute.
const shrinkBudget = 1 << 20

// shrink returns p with as few operations as it could find for which fails still
// holds; fails(p) must. It takes steps at every place, of all operations first, then of a half, a
// quarter, and so on to single ones, until no step is left. Failures that need all of a long program
// stay long; the text of a violation is cut then.
func shrink(p program, fails func(program) bool) program {
	budget := shrinkBudget
	affordable := func(ops []op) bool {
		for _, o := range ops {
			budget--
			if o.verb == opPerTick {
				budget -= int(min(o.ticks, shrinkBudget))
			}
		}
		return budget > 0
	}
	for found := true; found; {
		found = false
		for n := len(p.ops); n >= 1; n /= 2 {
			for at := 0; at < len(p.ops); {
				before := at
				at += n
				for ops := range smaller(p.ops, before, n) {
					if !affordable(ops) {
						return p
					}
					if fails(program{p.setting, ops}) {
						p.ops, at, found = ops, before, true
						break
					}
				}
			}
		}
	}
	return p
}

// smaller yields programs that are a step smaller: without n operations or, where n is 1, with the
// PerTick joined with the one before, or with less of an action or of ticks.
func smaller(ops []op, at, n int) iter.Seq[[]op] {
	return func(yield func([]op) bool) {
		without := func() []op { return slices.Delete(slices.Clone(ops), at, min(at+n, len(ops))) }
		with := func(o op) []op { return slices.Replace(slices.Clone(ops), at, at+1, o) }
		if !yield(without()) || n > 1 {
			return
		}
		o := ops[at]
		if at > 0 && o.verb == opPerTick && ops[at-1].verb == opPerTick {
			joined := without()
			joined[at-1].ticks += o.ticks
			if !yield(joined) {
				return
			}
		}
		for k := range o.action {
			o.action = slices.Delete(slices.Clone(o.action), k, k+1)
			if !yield(with(o)) {
				return
			}
			o.action = ops[at].action
		}
		for shift := 1; o.ticks>>shift > 0; shift++ {
			o.ticks -= ops[at].ticks >> shift
			if !yield(with(o)) {
				return
			}
			o.ticks = ops[at].ticks
		}
	}
}
