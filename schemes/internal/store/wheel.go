package store

import (
	"fmt"
	"math"
	"math/bits"

	"timerlab/schemes"
)

// Wheel is what schemes 4, 5 and 6 share: M slots, each a ring, and the pointer
// that moves on by one slot a tick. A timer waits in slot (pointer + interval)
// mod M, which is its deadline mod M. Make one with NewWheel.
type Wheel struct {
	Store
	slots   uint64 // M
	pointer uint64 // the slot of the present tick
	shift   int    // log2 M if M is a power of two, else -1
}

// FirstSlot is the head of slot 0; the other slots' heads follow it.
const FirstSlot = Due + 1

// NewWheel returns a wheel of cfg.Slots slots, all empty.
func NewWheel(name string, cfg schemes.Config) (Wheel, error) { return NewWheelWithLists(name, cfg, 0) }

// NewWheelWithLists is NewWheel with empty rings besides the slots, as many as lists; the
// first has its head at List, the others' heads follow.
func NewWheelWithLists(name string, cfg schemes.Config, lists int) (Wheel, error) {
	slots := SlotsOf(cfg)
	if slots < 1 || slots > schemes.MaxSlots {
		return Wheel{}, BadSlots(name, slots, schemes.MaxSlots)
	}
	m, err := New(name, cfg, slots+lists)
	if err != nil {
		return Wheel{}, err
	}
	w := Wheel{Store: m, slots: uint64(slots), pointer: uint64(cfg.Now) % uint64(slots), shift: -1}
	if w.slots&(w.slots-1) == 0 {
		w.shift = bits.TrailingZeros64(w.slots)
	}
	return w, nil
}

// BadSlots returns the error of a number of slots that is not in 1 to most.
func BadSlots(name string, slots, most int) error {
	return fmt.Errorf("%s: %d slots (allowed 1 to %d): %w", name, slots, most, schemes.ErrConfig)
}

// SlotsOf returns the M that cfg means.
func SlotsOf(cfg schemes.Config) int {
	if cfg.Slots == 0 {
		return schemes.DefaultSlots
	}
	return cfg.Slots
}

// Slots returns M.
func (w *Wheel) Slots() schemes.Tick { return schemes.Tick(w.slots) }

// List returns the head of the first ring besides the slots.
func (w *Wheel) List() uint32 { return FirstSlot + uint32(w.slots) }

// Slot returns the head of the slot where a timer of this interval waits. O(1):
// an AND if M is a power of two, else a division.
func (w *Wheel) Slot(interval schemes.Tick) uint32 {
	if w.shift >= 0 {
		return FirstSlot + uint32((w.pointer+uint64(interval))&(w.slots-1))
	}
	s := w.pointer + uint64(interval)%w.slots
	if s >= w.slots {
		s -= w.slots
	}
	return FirstSlot + uint32(s)
}

// Rounds returns how often the pointer reaches the slot of a timer of this interval, the
// last time to expire it: interval/M, rounded up. O(1).
func (w *Wheel) Rounds(interval schemes.Tick) uint64 {
	if w.shift >= 0 {
		return (uint64(interval)-1)>>w.shift + 1
	}
	return (uint64(interval)-1)/w.slots + 1
}

// TurnsLeft returns how often the pointer will still reach a slot before the clock
// ends.
func (w *Wheel) TurnsLeft(slot uint64) uint64 {
	first := (slot + w.slots - w.pointer) % w.slots // ticks until it does
	if first == 0 {
		first = w.slots
	}
	left := math.MaxUint64 - uint64(w.Now)
	if first > left {
		return 0
	}
	return (left-first)/w.slots + 1
}

// Turn advances the clock and the pointer by one tick and returns the head of
// the slot that the pointer is now at. O(1).
func (w *Wheel) Turn() uint32 {
	w.Now++
	w.pointer++
	if w.pointer == w.slots {
		w.pointer = 0
	}
	return FirstSlot + uint32(w.pointer)
}

// Point puts the pointer at a slot, for a wheel that does not take the slot from
// the clock by mod M, and returns the slot's head. Slot, Turn and AuditSlots are
// not for such a wheel. O(1).
func (w *Wheel) Point(slot uint64) uint32 {
	w.pointer = slot
	return FirstSlot + uint32(slot)
}

// AuditSlots verifies pointer and slots; accept judges each waiting timer with
// the number of its slot. It returns how many wait.
func (w *Wheel) AuditSlots(accept func(slot uint64, r *Record) error) (int, error) {
	return w.AuditPointed(uint64(w.Now)%w.slots, accept)
}

// AuditPointed is AuditSlots where the clock says that the pointer is at slot
// pointer.
func (w *Wheel) AuditPointed(pointer uint64, accept func(slot uint64, r *Record) error) (int, error) {
	if err := w.AuditPointer(pointer); err != nil {
		return 0, err
	}
	waiting := 0
	for s := range w.slots {
		n, err := w.AuditRing(FirstSlot+uint32(s), func(i uint32, r *Record) error { return accept(s, r) })
		if err != nil {
			return 0, fmt.Errorf("slot %d: %w", s, err)
		}
		waiting += n
	}
	return waiting, nil
}

// AuditPointer verifies that the pointer is where the clock says.
func (w *Wheel) AuditPointer(pointer uint64) error {
	if w.pointer != pointer {
		return fmt.Errorf("the pointer is at slot %d, but the clock (%d) is in slot %d", w.pointer, w.Now, pointer)
	}
	return nil
}
