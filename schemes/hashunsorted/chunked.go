package hashunsorted

import (
	"fmt"
	"math"
	"math/bits"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/module"
)

// Chunked describes scheme 6 with arrays for slots.
var Chunked = variant("chunked", "Hashed wheel, unsorted chunked slots", newChunked)

// chunked is the module of scheme 6 with chunked slots. Invariant: an entry is in
// the slot of its tick mod M.
type chunked struct {
	chunk.Module
	slots   uint64 // M
	pointer uint64 // the slot of the present tick
	mask    uint64 // M - 1 if M is a power of two, else 0
}

func newChunked(name string, cfg schemes.Config) (schemes.Scheme, error) {
	slots := module.SlotsOf(cfg)
	if slots < 1 || slots > schemes.MaxSlots {
		return nil, fmt.Errorf("%s: %d slots, allowed 1 to %d: %w", name, slots, schemes.MaxSlots, schemes.ErrConfig)
	}
	m, err := chunk.New(name, cfg, slots)
	if err != nil {
		return nil, err
	}
	w := &chunked{Module: m, slots: uint64(slots), pointer: uint64(cfg.Now) % uint64(slots)}
	if bits.OnesCount64(w.slots) == 1 {
		w.mask = w.slots - 1
	}
	return w, nil
}

// slot returns the slot of a tick. O(1): an AND if M is a power of two, else a
// division.
func (w *chunked) slot(t schemes.Tick) uint32 {
	if w.mask != 0 {
		return uint32(uint64(t) & w.mask)
	}
	return uint32(uint64(t) % w.slots)
}

// Start puts an entry into the slot, unless one of an earlier timer will do. O(1).
func (w *chunked) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	i, h, enter, err := w.Begin(interval, math.MaxUint64, id)
	if enter {
		expiry := w.Now + interval
		w.Enter(w.slot(expiry), i, expiry)
	}
	return h, err
}

// Restart is a write if the timer now expires later, else an entry more. O(1).
func (w *chunked) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	i, h, enter, err := w.Again(h, interval, math.MaxUint64)
	if enter {
		expiry := w.Now + interval
		w.Enter(w.slot(expiry), i, expiry)
	}
	return h, err
}

// Stop forgets the timer and leaves its entry. O(1).
func (w *chunked) Stop(h schemes.Handle) bool { return w.Module.Stop(h) }

// PerTick compares the entries of the pointer's next slot with the clock. O(n/M) on
// average where intervals are long against M, O(n) at worst.
func (w *chunked) PerTick() int {
	if w.Ended() {
		return 0
	}
	w.Now++
	if w.pointer++; w.pointer == w.slots {
		w.pointer = 0
	}
	if !w.Has(uint32(w.pointer)) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.visit(uint32(w.pointer))
}

// Expire hands out the due timers. O(1) each.
func (w *chunked) Expire(action func(schemes.ID)) { w.Module.Expire(action) }

// visit moves the timers of a slot that are due to the due list and returns their
// number. O(entries in the slot).
func (w *chunked) visit(slot uint32) (moved int) {
	now := uint32(w.Now)
	for end := w.End(slot); end != 0; {
		entries, head, before := w.Chunk(end)
		w.Tally.Visits += uint64(len(entries))
		up := 0
		for _, e := range entries {
			if e.Half() == now {
				up++
			}
		}
		switch {
		case up == 0:
		case up == len(entries) && w.End(slot) == end:
			moved += w.arriveAll(slot, entries, head, before)
		default:
			moved += w.arriveSome(slot, entries, head)
		}
		end = before
	}
	return moved
}

// arriveAll handles the slot's last chunk, whose entries have all come up.
func (w *chunked) arriveAll(slot uint32, entries []chunk.Entry, head, before uint32) (moved int) {
	w.Touch(entries)
	var all [chunk.Most]chunk.Entry
	n := copy(all[:], entries)
	w.Cut(slot, head, before)
	for _, e := range all[:n] {
		due, expiry, later := w.Arrive(e)
		moved += due
		if later {
			w.Enter(w.slot(expiry), e.Record(), expiry)
		}
	}
	return moved
}

// arriveSome handles those entries of a chunk that have come up. From the last to
// the first, so that what Remove puts in a place has been looked at.
func (w *chunked) arriveSome(slot uint32, entries []chunk.Entry, head uint32) (moved int) {
	now := uint32(w.Now)
	for at := len(entries) - 1; at >= 0; at-- {
		e := entries[at]
		if e.Half() != now {
			continue
		}
		due, expiry, later := w.Arrive(e)
		moved += due
		w.Remove(slot, head+1+uint32(at))
		if later {
			w.Enter(w.slot(expiry), e.Record(), expiry)
		}
	}
	return moved
}

// Next scans the slots in the order in which the pointer comes to them, until none
// can hold an earlier timer. O(entries in them + M/64).
func (w *chunked) Next() (wait schemes.Tick, ok bool) {
	if w.Due() > 0 {
		return 0, true
	}
	for distance := w.ahead(0); distance > 0 && !(ok && wait <= distance); distance = w.ahead(distance) {
		if first, found := w.First(w.slot(w.Now + distance)); found {
			if away := first - w.Now; !ok || away < wait {
				wait, ok = away, true
			}
		}
	}
	return wait, ok
}

// ahead returns in how many ticks, more than some, the pointer comes to an occupied
// slot for the first time; 0: to none.
func (w *chunked) ahead(some schemes.Tick) schemes.Tick {
	from := w.pointer + uint64(some) + 1
	if from < w.slots {
		if slot, ok := w.From(uint32(from), uint32(w.slots)); ok {
			return schemes.Tick(uint64(slot) - w.pointer)
		}
		from = w.slots
	}
	if slot, ok := w.From(uint32(from-w.slots), uint32(w.pointer)+1); ok {
		return schemes.Tick(uint64(slot) + w.slots - w.pointer)
	}
	return 0
}

// Advance steps from one occupied slot to the next. When the pointer has come round
// without a timer due, it scans all entries for the one that comes up first, and
// goes there. O(n + M/64) a time round.
func (w *chunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	most = min(most, math.MaxUint64-w.Now)
	if w.Due() > 0 {
		most = min(most, 1)
	}
	round := schemes.Tick(0)
	for passed < most && due == 0 {
		step := w.ahead(0)
		if round += step; round > schemes.Tick(w.slots) {
			step, round = w.SoonestEntry(), 0
		}
		if step == 0 || step > most-passed {
			w.pass(most - passed)
			return most, 0
		}
		w.pass(step - 1)
		due = w.PerTick()
		passed += step
	}
	return passed, due
}

// pass moves the clock over ticks on which no entry comes up.
func (w *chunked) pass(ticks schemes.Tick) {
	w.Now += ticks
	w.pointer = uint64(w.slot(w.Now))
}

// Check verifies the wheel. O(n + M).
func (w *chunked) Check() error {
	if w.pointer != uint64(w.slot(w.Now)) {
		return fmt.Errorf("hashunsorted-chunked: the pointer is at slot %d, but the clock (%d) is in slot %d", w.pointer, w.Now, w.slot(w.Now))
	}
	return w.Audit(func(slot uint32, e chunk.Waiting) error {
		if e.Expiry != 0 && e.Within && w.slot(e.ComesUp) != slot {
			return fmt.Errorf("timer %d comes up at %d, which is not in slot %d", e.ID, e.ComesUp, slot)
		}
		return nil
	})
}

// String draws the wheel: the pointer's slot and the occupied ones.
func (w *chunked) String() string {
	d := w.Draw()
	for slot := range w.slots {
		d.Slot("", slot, w.pointer, uint32(slot))
	}
	return d.String()
}
