package load

import (
	"cmp"
	"slices"
	"time"
)

const (
	worth      = 0.01  // of a core: less is no reason to change a program
	negligible = 0.001 // of a core: with less, nothing else is worth a word
	keptUp     = 0.95  // of the lives: with fewer, a goroutine is behind, as chance changes their number by less
	busy       = 0.5   // of a core: with less, it is behind for another reason

	longerTick = 10 // times as long as the tick is one that might do
)

// Saving is what one service saves over time.AfterFunc.
type Saving struct {
	Name  string
	CPU   Share // of a core
	Bytes int64 // 0 if it is less than a tenth, or less than 1 MiB
}

// Worth reports whether the service clearly saves 1 % of a core.
func (s Saving) Worth() bool { return s.CPU.clear() >= worth }

// Change is what leaving time.AfterFunc is worth.
type Change struct {
	Costs
	Woken, Awake Saving // by the service that saves most in a program that is woken, and in one that is awake
	Least        Saving // by the service with the least memory
	Advised      Cost   // Woken's if that is worth it, else Std
	Depends      bool   // Woken's is worth it, but does not clearly save 1 % in a program that is awake anyway
	ByLoop       Share  // saved by the loop, of what Advised takes
	WorthLoop    bool   // that is 1 % of a core. A loop is always awake, so it is not if the rest depends on that
	Tick, Longer time.Duration
	ByLonger     float64 // share of a core that a tick of Longer saves in the loop, at most; 0 if that is less than 1 %
}

// NewChange decides what a change is worth, by the costs of timers in ticks of this length.
func NewChange(c Costs, tick time.Duration) Change {
	all := append([]Cost{c.Std}, c.Others...)
	woken := func(s Cost) Share { return c.Std.Woken.over(s.Woken) }
	awake := func(s Cost) Share { return c.Std.Awake.over(*s.Awake) }
	saving := func(s Cost, cpu Share) Saving {
		if saved := c.Std.Bytes - s.Bytes; s.Bytes > 0 && saved >= max(1<<20, c.Std.Bytes/10) {
			return Saving{s.Name, cpu, saved}
		}
		return Saving{s.Name, cpu, 0}
	}
	most := func(saves func(Cost) Share) Cost {
		return slices.MaxFunc(all, func(a, b Cost) int { return cmp.Compare(saves(a).clear(), saves(b).clear()) })
	}
	best, bestAwake := most(woken), most(awake)
	least := slices.MinFunc(all, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(min(b.Bytes, 1), min(a.Bytes, 1)), cmp.Compare(a.Bytes, b.Bytes)) // 0 is unknown
	})
	h := Change{Costs: c, Tick: tick, Longer: longerTick * tick, Advised: c.Std}
	h.Woken, h.Awake, h.Least = saving(best, woken(best)), saving(bestAwake, awake(bestAwake)), saving(least, woken(least))
	if h.Woken.Worth() {
		h.Advised, h.Depends = best, awake(best).clear() < worth
	}
	h.ByLoop = h.Advised.Woken.over(c.Loop.Woken)
	h.WorthLoop = h.ByLoop.clear() >= worth && !h.Depends && !c.Loop.Behind()
	if saves := c.Loop.Ticks * (1 - 1./longerTick); saves >= worth {
		h.ByLonger = saves
	}
	return h
}

// Negligible reports whether time.AfterFunc takes less than a thousandth of a core.
func (h Change) Negligible() bool { return h.Std.Woken.High < negligible }

// Behind reports whether one goroutine, which stops and restarts timers, cannot keep up.
func (c Cost) Behind() bool { return c.Kept < keptUp && c.Woken.CPU > busy }
