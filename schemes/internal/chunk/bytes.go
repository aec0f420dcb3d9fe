package chunk

import (
	"math"
	"unsafe"

	"timerlab/schemes"
	"timerlab/schemes/internal/array"
)

// Bytes returns what a module with this many slots holds while it has n timers, which
// wait in `used` of the slots. O(log n).
func Bytes(n int, cfg schemes.Config, slots, used int) int64 {
	if cfg.Capacity < 0 || n < 0 || slots < 1 || slots > MaxSlots {
		return 0
	}
	small := smallBlocks(slots)
	return int64(unsafe.Sizeof(Module{})) + array.Allocated(4*int64(slots)) + int64(slots)/8 +
		array.Bytes[record](1+cfg.Capacity, 1+n) +
		array.Bytes[block](small+chunksFor(cfg.Capacity, slots), small+chunksUsed(n, used))
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
	return int(math.Round(chunks * float64(slots)))
}
