package hashunsorted

import (
	"fmt"
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// Chunked describes scheme 6 with arrays for slots.
var Chunked = schemes.Info{
	Number: 6,
	Name:   "hashunsorted-chunked",
	Title:  "Hashed wheel, unsorted chunked slots",
	Doc:    Info.Doc,
	Kind:   schemes.HashedWheel,
	New:    newChunked,
	Range:  Info.Range,
	Slots:  store.WheelSlots,
	Bytes: func(n int, cfg schemes.Config) int64 {
		return chunk.Bytes(n, cfg, store.SlotsOf(cfg), store.SlotsOf(cfg))
	},
}

// chunked is the module of scheme 6 with chunked slots. Invariant: an entry is in
// the slot of its tick mod M.
type chunked struct {
	chunk.Module
	slots   uint64 // M
	pointer uint64 // the slot of the present tick
}

func newChunked(cfg schemes.Config) (schemes.Scheme, error) {
	const name = "hashunsorted-chunked"
	slots := store.SlotsOf(cfg)
	radix := uint64(slots)
	var table *chunk.Table // of ticks mod M, if that is an AND
	if radix&(radix-1) == 0 {
		table = &chunk.Table{}
		for length := range table {
			table[length].Mask = uint32(radix - 1)
		}
	}
	w := &chunked{slots: radix, pointer: uint64(cfg.Now) % radix}
	var err error
	w.Module, err = chunk.New(name, cfg, 0, slots, table, w.slot, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	w.Drawn = func() []store.Slots { return []store.Slots{{Label: "slot", N: slots, Pointer: int(w.pointer)}} }
	return w, nil
}

func (w *chunked) slot(t schemes.Tick) uint32 { return uint32(uint64(t) % w.slots) }

// Start is the module's: it puts an entry with the deadline into slot deadline mod M. O(1).

// Stop is the module's: it leaves the entry for the next Start or, if there are many such, takes it out of
// its slot. O(1).

// PerTick compares the entries of the pointer's next slot with the store. O(n/M) on
// average where intervals are long against M, O(n) at worst.
func (w *chunked) PerTick() int {
	if w.Ended() {
		return 0
	}
	w.Now++
	if w.pointer++; w.pointer == w.slots {
		w.pointer = 0
	}
	if !w.Occupied(uint32(w.pointer)) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.Visit(uint32(w.pointer))
}

// Expire is the module's: it hands out the due list. O(1) a timer.

// ahead returns in how many ticks the pointer first reaches an occupied slot; false if all are empty.
func (w *chunked) ahead() (ticks schemes.Tick, ok bool) {
	slots := uint32(w.slots)
	ahead, ok := w.NextCircular(0, slots, uint32(w.pointer), 1, slots)
	return schemes.Tick(ahead), ok
}

// Advance steps from one occupied slot to the next. After a revolution without a due
// timer it scans all entries for the one that comes up first, and goes there. O(n + M/64)
// a revolution.
func (w *chunked) Advance(most schemes.Tick) (passed schemes.Tick, due int) {
	most = w.Limit(most, w.AnyDue())
	round := schemes.Tick(0)
	for passed < most && due == 0 {
		step, ok := w.ahead()
		if round += step; ok && round > schemes.Tick(w.slots) {
			step, round = w.SoonestEntry(), 0
		}
		if !ok || step > most-passed {
			w.pass(most - passed)
			return most, 0
		}
		w.pass(step - 1)
		due = w.PerTick()
		passed += step
	}
	return passed, due
}

// NextEvent looks for the next occupied slot. O(M/64).
func (w *chunked) NextEvent() (wait schemes.Tick, ok bool) {
	if w.Len() == 0 || w.AnyDue() {
		return 0, w.AnyDue()
	}
	return w.ahead()
}

// pass advances the clock over ticks on which no entry comes up.
func (w *chunked) pass(ticks schemes.Tick) {
	w.Now += ticks
	w.pointer = uint64(w.slot(w.Now))
}

// Check verifies the wheel. O(n + M).
func (w *chunked) Check() error {
	if w.pointer != uint64(w.slot(w.Now)) {
		return fmt.Errorf("%s: the pointer is at slot %d, but the clock (%d) is in slot %d",
			w.Name, w.pointer, w.Now, w.slot(w.Now))
	}
	return w.CheckStore()
}
