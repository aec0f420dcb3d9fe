package hierarchical

import (
	"slices"

	"timerlab/schemes"
)

// atFirst returns the radices of the levels that New makes.
func (v variant) atFirst(radices []int) []int {
	if v.onDemand {
		return radices[:1]
	}
	return radices
}

// addLevels makes the further levels that a timer of this interval needs: all of them or,
// if there is no room, none and false. Timers that wait for the next revolution of what
// was the highest wheel stay there: it reaches them at the same time whether or not there
// is a wheel above it. O(slots made).
func (w *ruled) addLevels(interval schemes.Tick) bool {
	levels, slots := slices.Clone(w.levels), 0
	for weight := w.reach; weight < interval; {
		v := newLevel(weight, w.radix(len(levels)), uint32(slots), w.Now)
		levels = append(levels, v)
		slots += int(v.radix)
		weight = v.span()
	}
	first, ok := w.AddHeads(slots)
	if !ok {
		return false
	}
	for l := len(w.levels); l < len(levels); l++ {
		levels[l].head += first
	}
	w.levels, w.lowest, w.placement = levels, &levels[0], placement(levels)
	w.rules = w.variant.rules(levels)
	w.reach = reachOf(w.rules)
	return true
}

// radix returns the slots of a new level l: those of the Config, then its last again, at
// least 2 so that the number of levels is finite.
func (w *ruled) radix(l int) uint32 {
	if l < len(w.radices) {
		return uint32(w.radices[l])
	}
	return uint32(max(w.radices[len(w.radices)-1], 2))
}
