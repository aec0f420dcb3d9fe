package hashunsorted

import (
	"math"

	"timerlab/schemes"
)

// Bounded describes scheme 6 whose tick can be made in steps.
var Bounded = describe("bounded", "Hashed wheel, unsorted lists, ticks in steps", newBounded).ForStudy()

// bounded is the module of scheme 6 with ticks in steps, between which a client can release its
// lock. Invariant: if a tick is in progress, next is the record in the pointer's slot at which it
// goes on, or the slot's head, and the timers before that record have had their round.
type bounded struct {
	wheel
	next uint32 // 0, which is in no slot, if no tick is in progress
}

func newBounded(name string, cfg schemes.Config) (schemes.Scheme, error) {
	w, err := newWheel(name, cfg)
	if err != nil {
		return nil, err
	}
	return &bounded{wheel: w}, nil
}

// PerTick makes all steps of a tick, or those that are left of the one in progress.
func (b *bounded) PerTick() int {
	due, _ := b.Step(math.MaxInt)
	return due
}

// Step visits at most some timers of the tick in progress or, if there is none, of the next tick,
// which it begins. It returns how many of them are due, and whether the tick is complete. Between
// two steps Start, Stop, Restart, Expire and Len may be called, but nothing else. O(most).
func (b *bounded) Step(most int) (due int, complete bool) {
	slot := b.SlotAhead(0)
	if b.next == 0 {
		if b.Ended() {
			return 0, true
		}
		if slot = b.TurnBy(1); !b.Occupied(slot) {
			b.Tally.EmptySlots++
			return 0, true
		}
		b.next = b.At(slot).Next
	}
	visits := 0
	for ; b.next != slot && visits < most; visits++ {
		i := b.next
		r := b.At(i)
		b.next = r.Next
		if r.Key--; r.Key == 0 {
			b.MakeDue(i, r)
			due++
		}
	}
	b.Tally.Visits += uint64(visits)
	if complete = b.next == slot; complete {
		b.next = 0
	}
	return due, complete
}

// Start counts one more round for a timer that the tick in progress will still visit: that visit is
// not a revolution after the start. O(1).
func (b *bounded) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	slot := b.Slot(interval)
	return b.Begin(slot, interval, id, b.rounds(slot, interval))
}

func (b *bounded) rounds(slot uint32, interval schemes.Tick) uint64 {
	rounds := b.Rounds(interval)
	if b.next != 0 && b.next != slot && slot == b.SlotAhead(0) {
		rounds++
	}
	return rounds
}

// Stop goes on after the timer if the next step would begin with it. O(1).
func (b *bounded) Stop(h schemes.Handle) bool {
	if r := b.Find(h); r != nil && uint32(h) == b.next {
		b.next = r.Next
	}
	return b.wheel.Stop(h)
}

// Restart moves the timer to its new slot, as Stop and Start would. O(1).
func (b *bounded) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if r := b.Find(h); r != nil && uint32(h) == b.next && !b.Refuses(interval, b.Range) {
		b.next = r.Next
	}
	slot := b.Slot(interval)
	return b.Move(h, slot, interval, b.rounds(slot, interval))
}
