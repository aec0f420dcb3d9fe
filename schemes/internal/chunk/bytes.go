package chunk

import (
	"math"
	"unsafe"

	"timerlab/schemes"
	"timerlab/schemes/internal/slab"
)

// Bytes returns what a module with this many slots holds while it has n timers, which
// wait in `used` of the slots. O(log n).
func Bytes(n int, cfg schemes.Config, slots, used int) int64 {
	if cfg.Capacity < 0 || n < 0 || slots < 1 || slots > MaxSlots {
		return 0
	}
	records := growth{size: recordLen, width: 1, element: int(unsafe.Sizeof(record{}))}
	records.reserve(max(cfg.Capacity, firstRecords))
	records.hold(n)
	entry := int(unsafe.Sizeof(Entry(0)))
	chunks := growth{size: segChunks, width: chunkLen, first: firstEntries(slots), element: entry}
	chunks.reserve(max(chunksFor(cfg.Capacity, slots), firstChunks))
	chunks.hold(chunksUsed(n, used))
	ends, bits := slab.Allocated(4*int64(slots)), int64(slots)/8
	return int64(unsafe.Sizeof(Module{})) + records.bytes() + chunks.bytes() + ends + bits
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

// growth is what a pool and its regions are sized like.
type growth struct {
	size, width, first int // as in pool
	element            int // bytes
	places             int
	mem, free          extent
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
	return slab.Allocated(e.capacity)
}

func (g *growth) reserve(places int) {
	g.mem.grow(int64(g.first) * int64(g.element))
	g.room(places)
	g.whole(places)
}

// whole makes room for this many places in whole segments, if they are more than one.
func (g *growth) whole(places int) {
	if places > g.size {
		g.room((places + g.size - 1) / g.size * g.size)
	}
}

func (g *growth) room(places int) {
	g.places = places
	g.mem.grow(int64(g.first+places*g.width) * int64(g.element))
	g.free.grow(2 * int64(places))
}

// hold makes room for this many places as pool.make does.
func (g *growth) hold(places int) {
	for g.places < min(places, g.size) {
		g.room(min(2*g.places, g.size))
	}
	if g.places < places {
		g.whole(places)
	}
}

func (g *growth) bytes() int64 { return g.mem.bytes() + g.free.bytes() }
