package chunk

import (
	"math"
	"unsafe"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// Bytes returns what a module with this many slots holds while it has n timers, which
// wait in `used` of the slots. O(log n).
func Bytes(n int, cfg schemes.Config, slots, used int) int64 {
	if cfg.Capacity < 0 || n < 0 || slots < 1 || slots > MaxSlots {
		return 0
	}
	records := sizes{size: recordLen, width: 1, element: int(unsafe.Sizeof(record{}))}
	chunks := sizes{size: segChunks, width: chunkLen, first: firstEntries(slots), element: int(unsafe.Sizeof(Entry(0)))}
	ends, bits := store.Allocated(4*int64(slots)), int64(slots)/8
	return int64(unsafe.Sizeof(Module{})) + ends + bits +
		records.bytes(max(cfg.Capacity, firstRecords), n) +
		chunks.bytes(max(chunksFor(cfg.Capacity, slots), firstChunks), chunksUsed(n, used))
}

// chunksUsed returns the chunks in use when n timers fall into slots at random: an
// eighth of them hold the first entries of a slot, and each ends in a chunk that is
// half full on average.
func chunksUsed(n, slots int) int {
	mean := float64(n) / float64(slots)
	if mean > 100 {
		return n/(chunkLen-1) + slots/2
	}
	chunks, p := 0.0, math.Exp(-mean) // the Poisson distribution of a slot's entries
	for k := 1; float64(k) < mean+12*math.Sqrt(mean)+12; k++ {
		p *= mean / float64(k)
		if k >= smallLen {
			chunks += p * float64((k-smallLen)/(chunkLen-1)+1)
		}
	}
	return int(math.Ceil(chunks * float64(slots)))
}

// sizes are those of a pool.
type sizes struct {
	size, width, first int // as in pool
	element            int // bytes
}

// bytes returns what a pool holds that reserved some places and then made room for
// others, as pool.reserve and pool.make do.
func (s sizes) bytes(reserved, places int) int64 {
	var mem, free extent
	room := func(places int) {
		mem.grow(int64(s.first+places*s.width) * int64(s.element))
		free.grow(2 * int64(places))
	}
	mem.grow(int64(s.first) * int64(s.element))
	made := reserved
	for room(made); made < min(places, s.size); room(made) {
		made = min(2*made, s.size)
	}
	if most := max(made, places); most > s.size {
		room((most + s.size - 1) / s.size * s.size)
	}
	return mem.bytes() + free.bytes()
}

// extent is the size of a region, in bytes.
type extent struct {
	length, capacity int64
	mapped           bool
}

func (e *extent) grow(bytes int64) {
	switch {
	case bytes <= e.capacity:
	case e.mapped || bytes >= mapFrom:
		e.mapped, e.capacity = true, bytes
	default:
		e.capacity = max(bytes, 2*e.length)
	}
	e.length = max(e.length, bytes)
}

func (e *extent) bytes() int64 {
	if e.mapped {
		return e.length
	}
	return store.Allocated(e.capacity)
}
