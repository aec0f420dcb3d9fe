package hierarchical

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// level is one wheel. The clock is in a block of weight*radix ticks, one revolution of the
// wheel; a timer that is due in the block needs no higher level.
type level struct {
	first  uint32       // the head of slot 0
	radix  uint32       // slots
	mask   uint32       // radix - 1 if all radices are powers of two, else 0
	shift  uint8        // log2 of weight if they are, else 0
	weight schemes.Tick // ticks that a slot lasts: the product of the lower radices
	last   schemes.Tick // the last tick of the present block
	above  *level       // nil on the highest
}

// makeLevels returns wheels of these slots at the time now. A revolution has as many slots, or fewer where timers
// migrate ahead of time.
func makeLevels(revolutions, slots []int, now schemes.Tick) []level {
	levels, head := make([]level, len(slots)), store.Due+1
	for l := range levels {
		levels[l] = level{first: head, radix: uint32(slots[l]), weight: schemes.Span(revolutions[:l])}
		head += uint32(slots[l])
	}
	binary := powersOfTwo(levels)
	for l := range levels {
		v := &levels[l]
		if binary {
			v.mask, v.shift = v.radix-1, uint8(bits.TrailingZeros64(uint64(v.weight)))
		}
		if l+1 < len(levels) {
			v.above = &levels[l+1]
		}
		v.set(now)
	}
	return levels
}

// powersOfTwo reports whether all radices are powers of two, and so all weights.
func powersOfTwo(levels []level) bool {
	return !slices.ContainsFunc(levels, func(v level) bool { return v.radix&(v.radix-1) != 0 })
}

// set sets the block to the one that has the time now.
func (v *level) set(now schemes.Tick) {
	v.last = blockEnd(v.floor(now)-v.weight*schemes.Tick(v.digit(now)), v.weight, v.radix)
}

// checkLevels verifies the blocks.
func checkLevels(levels []level, now schemes.Tick) error {
	for l, v := range levels {
		right := v
		right.set(now)
		if v != right {
			return fmt.Errorf("level %d: block to %d; the clock (%d) says to %d", l, v.last, now, right.last)
		}
	}
	return nil
}

// blockEnd returns the last tick of the block that begins at first, or the
// clock's last if the block is longer than that.
func blockEnd(first, weight schemes.Tick, radix uint32) schemes.Tick {
	high, length := bits.Mul64(uint64(weight), uint64(radix))
	if high > 0 || length-1 > math.MaxUint64-uint64(first) {
		return math.MaxUint64
	}
	return first + schemes.Tick(length-1)
}

// digit returns the digit of t on this level. O(1): a shift and an AND for powers
// of two, else two divisions.
func (v *level) digit(t schemes.Tick) uint32 {
	if v.mask != 0 {
		return uint32(t>>(v.shift&63)) & v.mask
	}
	return uint32(t / v.weight % schemes.Tick(v.radix))
}

// floor returns the tick on which the slot of t on this level begins. O(1): an AND
// for powers of two, else a division.
func (v *level) floor(t schemes.Tick) schemes.Tick {
	if v.mask != 0 {
		return t >> v.shift << v.shift
	}
	return t - t%v.weight
}

// searcher searches n slots from first on, as a circle.
type searcher interface {
	NextCircular(first, n, position, from, most uint32) (ahead uint32, ok bool)
}

// next returns how many slots ahead of the clock's, at least `from`, the level's next
// occupied slot is; the clock's own is radix slots ahead. O(radix/4096).
func (v *level) next(occupied searcher, now schemes.Tick, from uint32) (ahead uint32, ok bool) {
	return occupied.NextCircular(v.first, v.radix, v.digit(now), from, v.radix)
}

// slotAhead returns the head of the slot that is some slots ahead of the clock's.
func (v *level) slotAhead(now schemes.Tick, ahead uint32) uint32 {
	return v.first + (v.digit(now)+ahead)%v.radix
}

// begin returns the tick on which the pointer reaches the slot that is some slots ahead of
// the clock's.
func (v *level) begin(now schemes.Tick, ahead uint32) schemes.Tick {
	return v.floor(now) + schemes.Tick(ahead)*v.weight
}

// levelOf returns the number of the level of a tick that differs from the clock in this many low bits, if all
// radices are powers of two.
func levelOf(levels []level, length int) (l int) {
	for l+1 < len(levels) && length > bits.TrailingZeros64(uint64(levels[l+1].weight)) {
		l++
	}
	return l
}

// drawn returns the wheels for views and drawings, lowest first.
func drawn(levels []level, now schemes.Tick) (wheels []store.Slots) {
	for l, v := range levels {
		label := fmt.Sprintf("level %d slot", l)
		wheels = append(wheels, store.Slots{First: v.first, N: int(v.radix), Level: l, Label: label, Pointer: int(v.digit(now))})
	}
	return wheels
}

// nextEvent returns in how many ticks a pointer first reaches an occupied slot; false if all
// are empty. O(m + M/64).
func nextEvent(levels []level, slots searcher, now schemes.Tick) (wait schemes.Tick, ok bool) {
	for l := range levels {
		v := &levels[l]
		ahead, found := v.next(slots, now, 1)
		if begins := v.begin(now, ahead) - now; found && (!ok || begins < wait) {
			wait, ok = begins, true
		}
	}
	return wait, ok
}
