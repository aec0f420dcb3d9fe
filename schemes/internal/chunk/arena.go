package chunk

// Entry stands for a timer in a slot: the lower half of a tick at which it comes
// up, over the index of its record. In the due list it is a handle.
type Entry uint64

// Half returns the lower half of the tick at which the entry comes up.
func (e Entry) Half() uint32 { return uint32(e >> 32) }

// Record returns the index of the timer's record.
func (e Entry) Record() uint32 { return uint32(e) }

// A chunk is 32 entries, 256 bytes, of which the first is its header; a small
// chunk is a quarter of one. A position is an entry's place in the arena, 32 times
// the chunk's number and more. Chunk 0 is never handed out, so that position 0
// means none.
const (
	chunkLen = 32
	smallLen = 8

	chunkBits    = 13
	segChunks    = 1 << chunkBits // chunks in a segment: 2 MiB, a huge page
	segEntries   = segChunks * chunkLen
	entryBits    = chunkBits + 5
	entryMask    = segEntries - 1
	firstChunks  = 8
	maxPositions = 1 << 32

	// A header is the position behind the chunk before, and 0 in a small chunk, which
	// is always the first of its slot. In a free small one it is vacant and the next of
	// them.
	vacant = 1 << 63
)

// arena is the store of chunks.
type arena struct {
	mem [][]Entry
	pool
	small     uint32   // first of the free small chunks, or 0
	quartered []uint64 // a bit a chunk: it is four small ones. A header would say so too, but be read from memory
}

// newArena returns an arena with room for so many timers in so many slots, however
// they spread: a small chunk for each slot in use and full ones for the rest.
func newArena(timers, slots int) arena {
	a := arena{pool: newPool(segChunks, maxPositions/chunkLen-1)}
	for chunks := firstChunks + timers/(chunkLen-1) + min(slots, timers)/4 + min(slots, timers/smallLen); chunks > 0; chunks -= segChunks {
		a.make(min(max(chunks, firstChunks), segChunks))
	}
	a.reserved()
	a.alloc() // position 0 is none
	return a
}

// make makes room; least is the length of the first segment.
func (a *arena) make(least int) {
	n, length, ok := a.grow(least)
	if !ok {
		panic("chunk: more chunks than all timers need")
	}
	a.mem = provide(a.mem, n, length*chunkLen)
	a.grown(n, length)
	if words := len(a.segs) * segChunks / 64; words > len(a.quartered) {
		a.quartered = append(a.quartered, make([]uint64, segChunks/64)...)
	}
}

// at returns the entry at a position.
func (a *arena) at(pos uint32) *Entry { return &a.mem[pos>>entryBits][pos&entryMask] }

// alloc takes a chunk and returns the position of its header. The limit of records
// keeps it within the arena's. O(1), but for the moments when a segment must be
// made.
func (a *arena) alloc() uint32 {
	if len(a.open) == 0 {
		a.make(firstChunks)
	}
	n := a.open[len(a.open)-1]
	g := &a.segs[n]
	at := g.free
	if at == none {
		at = g.used
		g.used++
	} else {
		g.free = uint32(a.mem[n][at*chunkLen])
	}
	g.live++
	if g.free == none || n == a.spare {
		a.took(n, g)
	}
	return n<<entryBits | at*chunkLen
}

// free returns the chunk whose header is at pos. O(1).
func (a *arena) free(pos uint32) {
	n, at := pos>>entryBits, pos&entryMask/chunkLen
	g := &a.segs[n]
	if g.free == none && g.full() {
		a.push(n)
	}
	a.mem[n][at*chunkLen] = Entry(g.free)
	g.free = at
	if g.live--; g.live == 0 && a.emptied(n) {
		a.mem[n] = nil
		a.gave(n, 0)
	}
}

// allocSmall takes a small chunk: a vacant one, or the first quarter of a chunk.
func (a *arena) allocSmall() uint32 {
	if a.small == 0 {
		base := a.alloc()
		*a.at(base) = 0
		a.quartered[base/chunkLen/64] |= 1 << (base / chunkLen % 64)
		for q := uint32(chunkLen - smallLen); q > 0; q -= smallLen {
			a.vacate(base + q)
		}
		return base
	}
	pos := a.small
	a.occupy(pos)
	return pos
}

// freeSmall returns a small chunk, and the whole chunk when its quarters are all
// vacant.
func (a *arena) freeSmall(pos uint32) {
	base := pos &^ (chunkLen - 1)
	quarters := a.mem[base>>entryBits][base&entryMask:][:chunkLen]
	*a.at(pos) = vacant
	if quarters[0]&quarters[smallLen]&quarters[2*smallLen]&quarters[3*smallLen]&vacant == 0 {
		a.vacate(pos)
		return
	}
	for q := uint32(0); q < chunkLen; q += smallLen {
		if base+q != pos {
			a.occupy(base + q)
		}
	}
	a.quartered[base/chunkLen/64] &^= 1 << (base / chunkLen % 64)
	a.free(base)
}

// vacate puts a small chunk at the front of the free ones: its first entry says
// that it is vacant and what follows, its second what comes before.
func (a *arena) vacate(pos uint32) {
	*a.at(pos) = vacant | Entry(a.small)
	*a.at(pos + 1) = 0
	if a.small != 0 {
		*a.at(a.small + 1) = Entry(pos)
	}
	a.small = pos
}

// occupy takes a small chunk out of the free ones.
func (a *arena) occupy(pos uint32) {
	next, before := uint32(*a.at(pos)), uint32(*a.at(pos + 1))
	*a.at(pos) = 0
	if before == 0 {
		a.small = next
	} else {
		*a.at(before) = vacant | Entry(next)
	}
	if next != 0 {
		*a.at(next + 1) = Entry(before)
	}
}

// isSmall reports whether the chunk that an entry in use is in is small. O(1).
func (a *arena) isSmall(pos uint32) bool {
	return a.quartered[pos/chunkLen/64]>>(pos/chunkLen%64)&1 != 0
}

// chunkOf returns the header's position of the chunk in which the entry at pos is,
// and the position behind the chunk before it in the slot, 0 if there is none. Only
// a small chunk has none.
func (a *arena) chunkOf(pos uint32) (head, before uint32) {
	if a.isSmall(pos) {
		return pos &^ (smallLen - 1), 0
	}
	head = pos &^ (chunkLen - 1)
	return head, uint32(*a.at(head))
}
