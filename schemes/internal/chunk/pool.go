package chunk

import "slices"

const none = ^uint32(0) // no segment

// pool is a store of places in segments. Growing adds a segment and copies nothing;
// only the first one, while it is smaller than the others, grows by doubling. A
// segment that empties is given back.
type pool[T any] struct {
	size  int // places in a segment: 1 << 16 at most
	width int // elements in a place
	limit int // places that may be made
	segs  []segment[T]
	open  []uint32 // the segments with room, the next to take from last
	given []uint32 // the segments given back
	spare uint32   // the one empty segment kept against thrashing, or none
	keep  int      // segments reserved: never given back
}

// segment is 64 bytes, so that finding one is a shift.
type segment[T any] struct {
	mem   []T      // nil: given back
	free  []uint16 // places that were returned, the one to take next last; as long as there are places
	used  uint32   // places handed out at least once since the segment was made
	live  uint32   // places in use
	top   uint32   // how many are in free
	floor uint32   // generation that a place without history starts from
}

func newPool[T any](size, width, limit int) pool[T] {
	return pool[T]{size: size, width: width, limit: limit, spare: none}
}

// full reports whether the segment has no place to hand out. It is among the open
// ones if and only if it is not full and not given back.
func (g *segment[T]) full() bool { return g.top == 0 && int(g.used) == len(g.free) }

// reserve makes room for so many places, which stays; the first of them are taken
// first.
func (p *pool[T]) reserve(places, least int) {
	for left := max(places, least); left > 0; left -= p.size {
		p.make(left)
	}
	p.keep = len(p.segs)
	slices.Reverse(p.open)
}

// make makes room: it doubles a small first segment, or makes one that was given
// back anew, or adds one. least is how long the first one is. false: the limit is
// reached.
func (p *pool[T]) make(least int) bool {
	switch k := len(p.given) - 1; {
	case len(p.segs) > 0 && len(p.segs[0].free) < p.size:
		return p.provide(0, min(2*len(p.segs[0].free), p.size, p.limit))
	case k >= 0:
		n := p.given[k]
		p.given = p.given[:k]
		return p.provide(n, min(p.limit-int(n)*p.size, p.size))
	}
	n := len(p.segs)
	length := min(p.size, p.limit-n*p.size)
	if n == 0 {
		length = min(least, length)
	}
	if length <= 0 {
		return false
	}
	p.segs = append(p.segs, segment[T]{})
	return p.provide(uint32(n), length)
}

// provide makes memory for so many places of segment n, which keeps what it has,
// and opens it; false: it has them already.
func (p *pool[T]) provide(n uint32, length int) bool {
	g := &p.segs[n]
	if length == len(g.free) {
		return false
	}
	mem, free := memory[T](length*p.width), make([]uint16, length)
	copy(mem, g.mem)
	copy(free, g.free)
	g.mem, g.free = mem, free
	p.open = append(p.open, n)
	return true
}

// took keeps the books after a place of segment n, the last open one, was taken and
// it is full, or the spare one. O(1).
func (p *pool[T]) took(n uint32) {
	if p.spare == n {
		p.spare = none
	}
	if p.segs[n].full() {
		p.open = p.open[:len(p.open)-1]
	}
}

// put returns a place of segment n, and reports whether the segment has become empty.
// O(1).
func (p *pool[T]) put(n, at uint32) (empty bool) {
	g := &p.segs[n]
	if g.full() {
		p.open = append(p.open, n)
	}
	g.free[g.top] = uint16(at)
	g.top++
	g.live--
	return g.live == 0
}

// spares reports whether segment n, which is empty, is kept: as a reserved one, or
// as the only empty one, so that taking and returning in turn do not make and drop a
// segment each. O(1).
func (p *pool[T]) spares(n uint32) bool {
	if int(n) < p.keep {
		return true
	}
	if p.spare == none {
		p.spare = n
	}
	return p.spare == n
}

// give gives the memory of segment n back. Its places will start from generation
// floor. O(segments).
func (p *pool[T]) give(n, floor uint32) {
	at := slices.Index(p.open, n)
	p.open = slices.Delete(p.open, at, at+1)
	p.given = append(p.given, n)
	p.segs[n] = segment[T]{floor: floor}
}
