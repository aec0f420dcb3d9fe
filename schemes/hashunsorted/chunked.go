package hashunsorted

import (
	"math"

	"timerlab/schemes"
	"timerlab/schemes/internal/chunk"
	"timerlab/schemes/internal/store"
)

// Chunked describes scheme 6 with arrays for slots.
var Chunked = chunkedInfo()

func chunkedInfo() schemes.Info {
	v := describe("chunked", "Hashed wheel, unsorted chunked slots", newChunked)
	v.Bytes = func(n int, cfg schemes.Config) int64 {
		slots := store.SlotsOf(cfg)
		return chunk.Bytes(n, cfg, slots, slots)
	}
	return v
}

// chunked is the module of scheme 6 with chunked slots. Invariant: an entry is in
// the slot of its tick mod M.
type chunked struct {
	chunk.Module
	slots   uint64 // M
	pointer uint64 // the slot of the present tick
}

func newChunked(name string, cfg schemes.Config) (schemes.Scheme, error) {
	slots := store.SlotsOf(cfg)
	if slots < 1 || slots > chunk.MaxSlots {
		return nil, store.BadSlots(name, slots, chunk.MaxSlots)
	}
	m, err := chunk.New(name, cfg, slots, placement(uint64(slots)), math.MaxUint64)
	if err != nil {
		return nil, err
	}
	return &chunked{Module: m, slots: uint64(slots), pointer: uint64(cfg.Now) % uint64(slots)}, nil
}

// placement returns the slot of a tick as tick mod M: an AND if M is a power of two, else
// a division.
func placement(slots uint64) (p chunk.Placement) {
	if slots&(slots-1) != 0 {
		p.Other = func(t schemes.Tick) uint32 { return uint32(uint64(t) % slots) }
	}
	for length := range p.ByLength {
		p.ByLength[length].Mask = uint32(slots - 1)
	}
	return p
}

// slot returns the slot of a tick.
func (w *chunked) slot(t schemes.Tick) uint32 { return uint32(uint64(t) % w.slots) }

// Start is the module's: it puts an entry with the deadline into slot deadline mod M. O(1).

// Stop is the module's: it leaves the entry for the next Start or, if there are many such, takes it out of
// its slot. O(1).

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
	if !w.Occupied(uint32(w.pointer)) {
		w.Tally.EmptySlots++
		return 0
	}
	return w.Visit(uint32(w.pointer))
}

// Expire is the module's: it hands out the due list. O(1) a timer.
