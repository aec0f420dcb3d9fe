package hierarchical

import (
	"fmt"
	"math"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// level is one wheel. The clock is in a block of weight*radix ticks, one revolution of the
// wheel; a timer that is due in the block needs no higher level.
type level struct {
	weight  schemes.Tick // ticks that a slot lasts: the product of the lower radices
	last    schemes.Tick // the last tick of the present block
	head    uint32       // of slot 0; the other slots' heads follow it
	radix   uint32       // slots
	pointer uint32       // the slot of the present tick, the clock's digit on this level
	shift   int8         // log2 weight if weight and radix are powers of two, else -1
}

func newLevel(weight schemes.Tick, radix, head uint32, now schemes.Tick) level {
	v := level{weight: weight, head: head, radix: radix, shift: -1}
	if weight&(weight-1) == 0 && radix&(radix-1) == 0 {
		v.shift = int8(bits.TrailingZeros64(uint64(weight)))
	}
	v.pointer = v.digit(now)
	v.last = blockEnd(now-now%weight-weight*schemes.Tick(v.pointer), weight, radix)
	return v
}

func (v *level) check(now schemes.Tick) error {
	if right := newLevel(v.weight, v.radix, v.head, now); *v != right {
		return fmt.Errorf("pointer %d, block to %d; the clock (%d) says pointer %d, block to %d",
			v.pointer, v.last, now, right.pointer, right.last)
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
	if v.shift >= 0 {
		return uint32(t>>v.shift) & (v.radix - 1)
	}
	return uint32(t / v.weight % schemes.Tick(v.radix))
}

// floor returns the tick on which the slot of t on this level begins. O(1): an AND
// for powers of two, else a division.
func (v *level) floor(t schemes.Tick) schemes.Tick {
	if v.shift >= 0 {
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
	return occupied.NextCircular(v.head, v.radix, v.digit(now), from, v.radix)
}

// slot returns the head of the slot that is some slots ahead of the clock's.
func (v *level) slot(now schemes.Tick, ahead uint32) uint32 {
	return v.head + (v.digit(now)+ahead)%v.radix
}

// begin returns the tick on which the pointer reaches the slot that is some slots ahead of
// the clock's.
func (v *level) begin(now schemes.Tick, ahead uint32) schemes.Tick {
	return v.floor(now) + schemes.Tick(ahead)*v.weight
}

// step moves the pointer on by one slot and reports whether the wheel wrapped.
func (v *level) step() bool {
	v.pointer++
	if v.pointer < v.radix {
		return false
	}
	v.pointer = 0
	return true
}

// place returns the head of the slot for a timer with this deadline: on the lowest level
// whose block holds it, which is that of the highest digit in which deadline and clock
// differ. On the highest level a deadline beyond the block is in the next revolution.
// O(m).
func place(levels []level, deadline schemes.Tick) uint32 {
	l, highest := 0, len(levels)-1
	for l < highest && deadline > levels[l].last {
		l++
	}
	v := &levels[l]
	return v.head + v.digit(deadline)
}

// placement is place as a table, if all radices are powers of two: it saves an
// unpredictable branch a level.
func placement(levels []level) (p chunk.Placement) {
	for l := range levels {
		v := &levels[l]
		if v.shift < 0 {
			return chunk.Placement{Other: func(deadline schemes.Tick) uint32 { return place(levels, deadline) }}
		}
		for length := int(v.shift) + 1; length < len(p.ByLength); length++ {
			p.ByLength[length] = chunk.Digit{Shift: uint8(v.shift), Mask: v.radix - 1, First: v.head}
		}
	}
	p.ByLength[0] = p.ByLength[1] // the present tick is on the lowest level
	return p
}

// fits reports whether a timer with this deadline may wait on this level at the time now:
// the deadline is in one of the next radix slots. If it is in the last of them, that is the
// pointer's own slot, and the timer waits for the next revolution.
func (v *level) fits(deadline, now schemes.Tick) bool {
	slots := deadline/v.weight - now/v.weight // beyond radix if it is in the past
	return slots >= 1 && slots <= schemes.Tick(v.radix)
}

// turn moves on the pointers above the lowest level, which has wrapped at the time now, and
// returns the highest level that moved. O(m).
func turn(levels []level, now schemes.Tick) (highest int) {
	levels[0].last = blockEnd(now, levels[0].weight, levels[0].radix)
	for l := 1; l < len(levels); l++ {
		highest = l
		v := &levels[l]
		if !v.step() {
			break
		}
		v.last = blockEnd(now, v.weight, v.radix)
	}
	return highest
}

// drawn returns how the wheels are drawn, the highest first.
func drawn(levels []level, now schemes.Tick) (wheels []store.DrawnWheel) {
	for l := len(levels) - 1; l >= 0; l-- {
		v := &levels[l]
		wheels = append(wheels, store.DrawnWheel{
			Level: l, Label: fmt.Sprintf("level %d slot", l), Slots: int(v.radix), Pointer: int(v.digit(now)),
		})
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
