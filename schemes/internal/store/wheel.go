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
	M       schemes.Tick // slots
	Pointer schemes.Tick // the slot of the present tick
	shift   int          // log2 M if M is a power of two, else -1
}

// FirstSlot is the head of slot 0; the other slots' heads follow it.
const FirstSlot = Due + 1

// NewWheel returns a wheel of cfg.Slots slots and, besides them, as many empty rings as
// lists, whose heads follow.
func NewWheel(name string, cfg schemes.Config, lists int) (Wheel, error) {
	slots := SlotsOf(cfg)
	if slots < 1 || slots > schemes.MaxSlots {
		return Wheel{}, BadSlots(name, slots, schemes.MaxSlots)
	}
	s, err := New(name, cfg, slots+lists)
	if err != nil {
		return Wheel{}, err
	}
	w := Wheel{Store: s, M: schemes.Tick(slots), Pointer: cfg.Now % schemes.Tick(slots), shift: -1}
	if w.M&(w.M-1) == 0 {
		w.shift = bits.TrailingZeros64(uint64(w.M))
	}
	return w, nil
}

// SlotsOf returns the M that cfg means.
func SlotsOf(cfg schemes.Config) int {
	if cfg.Slots == 0 {
		return schemes.DefaultSlots
	}
	return cfg.Slots
}

// Slot returns the head of the slot where a timer of this interval waits. O(1):
// an AND if M is a power of two, else a division.
func (w *Wheel) Slot(interval schemes.Tick) uint32 {
	if w.shift >= 0 {
		return FirstSlot + uint32((w.Pointer+interval)&(w.M-1))
	}
	return w.SlotAhead(interval % w.M)
}

// SlotAhead returns the head of the slot that the pointer reaches in n ticks, at most M.
// O(1).
func (w *Wheel) SlotAhead(n schemes.Tick) uint32 {
	s := w.Pointer + n
	if s >= w.M {
		s -= w.M
	}
	return FirstSlot + uint32(s)
}

// Rounds returns how often the pointer reaches the slot of a timer of this interval, the
// last time to expire it: interval/M, rounded up. O(1).
func (w *Wheel) Rounds(interval schemes.Tick) uint64 {
	if w.shift >= 0 {
		return (uint64(interval)-1)>>w.shift + 1
	}
	return uint64((interval-1)/w.M + 1)
}

// TurnBy advances the clock and the pointer by n ticks and returns the head of the slot that
// the pointer is now at. O(1), with a division if n is more than M.
func (w *Wheel) TurnBy(n schemes.Tick) uint32 {
	w.Now += n
	if n > w.M {
		n %= w.M
	}
	head := w.SlotAhead(n)
	w.Pointer = schemes.Tick(head - FirstSlot)
	return head
}

// Ahead returns in how many ticks, from `from` to `most`, the pointer first reaches an
// occupied slot; false if it reaches none. Within M ticks it reaches every slot. from is
// at least 1. O(1 + M/4096), as NextOccupied.
func (w *Wheel) Ahead(from, most schemes.Tick) (schemes.Tick, bool) {
	slots := uint32(w.M)
	most = min(most, schemes.Tick(slots))
	ahead, ok := w.NextCircular(FirstSlot, slots, uint32(w.Pointer), uint32(min(from, most+1)), uint32(most))
	return schemes.Tick(ahead), ok
}

// Earliest returns the ticks until the earliest timer in the wheel is due, if they are
// at most `most`; else most and false. first returns them for an occupied slot, which the
// pointer reaches in ahead ticks. The search follows the pointer and ends where no slot can
// hold an earlier timer. O(M/64 + slots looked at).
func (w *Wheel) Earliest(
	most schemes.Tick, first func(head uint32, ahead schemes.Tick) schemes.Tick,
) (wait schemes.Tick, ok bool) {
	wait = most
	for ahead, found := w.Ahead(1, wait); found; ahead, found = w.Ahead(ahead+1, wait) {
		if left := first(w.SlotAhead(ahead), ahead); left <= wait {
			wait, ok = left, true
		}
	}
	return wait, ok
}

// NextBy returns in how many ticks the earliest timer is due, due ones included: see Earliest.
func (w *Wheel) NextBy(first func(head uint32, ahead schemes.Tick) schemes.Tick) (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Earliest(math.MaxUint64, first)
}

// CheckWheel is CheckStore of a wheel without further lists: see CheckTimers.
func (w *Wheel) CheckWheel(accept func(slot schemes.Tick, r *Record) error) error {
	return w.CheckStore(func() (int, error) { return w.CheckTimers(accept) })
}

// CheckTimers verifies the pointer and every slot; accept judges each waiting timer, with the number of its slot.
// CheckTimers returns how many there are.
func (w *Wheel) CheckTimers(accept func(slot schemes.Tick, r *Record) error) (int, error) {
	waiting := 0
	if pointer := w.Now % w.M; w.Pointer != pointer {
		return 0, fmt.Errorf("the pointer is at slot %d, but the clock (%d) is in slot %d", w.Pointer, w.Now, pointer)
	}
	for slot := range w.M {
		n, err := w.CheckRing(FirstSlot+uint32(slot), func(_ uint32, r *Record) error { return accept(slot, r) })
		if err != nil {
			return 0, fmt.Errorf("slot %d: %w", slot, err)
		}
		waiting += n
	}
	return waiting, nil
}

// Slots returns the wheel for views and drawings, and lists besides it.
func (w *Wheel) Slots(lists ...Slots) []Slots {
	wheel := Slots{First: FirstSlot, N: int(w.M), Label: "slot", Pointer: int(w.Pointer)}
	return append([]Slots{wheel}, lists...)
}

// View yields the timers slot by slot; their Keys are deadlines. O(n + M).
func (w *Wheel) View(yield func(schemes.Place) bool) { w.Places(w.Slots(), nil)(yield) }

// String draws the wheel; Keys are deadlines.
func (w *Wheel) String() string { return Draw(w.Now, w.Len(), "id(deadline)", w.Slots(), w.View) }

// NextEvent looks for the next occupied slot. O(M/64).
func (w *Wheel) NextEvent() (wait schemes.Tick, ok bool) {
	if w.AnyDue() {
		return 0, true
	}
	return w.Ahead(1, w.M)
}
