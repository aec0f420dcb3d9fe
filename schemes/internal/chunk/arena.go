package chunk

// Entry represents a timer in a slot: the low word of the tick at which it comes up,
// above the index of its record. In the due list it is a handle.
type Entry uint64

// Low returns the low word of the tick at which the entry comes up.
func (e Entry) Low() uint32 { return uint32(e >> 32) }

// Record returns the index of the timer's record.
func (e Entry) Record() uint32 { return uint32(e) }

// A position is an entry's place in the arena. Every slot s has a small chunk of 8
// entries, one cache line, at the positions from 8 s. After those of all slots come
// chunks of 32 entries, 256 bytes, which slots and the due list take and return.
// The first entry of a chunk is its header: the position after the chunk before it
// in the slot. A small chunk is always the first of its slot, and its header is not
// used. Position 0 means none.
const (
	chunkLen = 32
	smallLen = 8

	chunkBits   = 13
	segChunks   = 1 << chunkBits // chunks in a segment: 2 MiB, a huge page
	segEntries  = segChunks * chunkLen
	firstChunks = 8

	// MaxSlots is how many slots an arena can have: half of all positions. The
	// other half holds a chunk for every 8 entries.
	MaxSlots = 1 << 28
)

// arena is the store of chunks.
type arena struct {
	pool[Entry] // before its places, the small chunks
}

// newArena returns an arena with room for this many timers in this many slots, however
// they spread.
func newArena(timers, slots int) arena {
	first := firstEntries(slots)
	a := arena{newPool[Entry](segChunks, chunkLen, int((1<<32-int64(first))/chunkLen-1), first)}
	a.reserve(chunksFor(timers, slots), firstChunks)
	return a
}

// firstEntries returns the entries of the small chunks, in whole chunks.
func firstEntries(slots int) int { return (slots*smallLen + chunkLen - 1) &^ (chunkLen - 1) }

// chunksFor returns the chunks that this many timers need at most.
func chunksFor(timers, slots int) int { return timers/(chunkLen-1) + min(slots, timers/smallLen) }

// at returns the entry at a position. It may move when a chunk is taken.
func (a *arena) at(pos uint32) *Entry { return &a.mem.all[pos] }

// alloc takes a chunk and returns the position of its header. The limit of records
// keeps it within the arena's. O(1), except when a segment must be allocated.
func (a *arena) alloc() uint32 {
	if len(a.Open) == 0 {
		if _, _, ok := a.make(firstChunks); !ok {
			panic("chunk: more chunks than all timers need")
		}
	}
	n, at := a.take()
	return uint32(a.first) + (n<<chunkBits|at)*chunkLen
}

// release returns the chunk whose header is at pos. O(1), except where a segment's memory
// is given back.
func (a *arena) release(pos uint32) {
	k := (pos - uint32(a.first)) / chunkLen
	if n := k >> chunkBits; a.put(n, k&(segChunks-1)) && !a.Spares(n) {
		a.give(n, 0)
	}
}

// isSmall reports whether a position is in a small chunk.
func (a *arena) isSmall(pos uint32) bool { return pos < uint32(a.first) }

// chunkOf returns the header's position of the chunk in which the entry at pos is,
// and the position after the chunk before it in the slot, 0 if there is none. Only
// a small chunk has none.
func (a *arena) chunkOf(pos uint32) (head, before uint32) {
	if a.isSmall(pos) {
		return pos &^ (smallLen - 1), 0
	}
	head = pos &^ (chunkLen - 1)
	return head, uint32(*a.at(head))
}
