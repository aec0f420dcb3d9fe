package chunk

import "slices"

const none = ^uint32(0) // no place, no segment

// pool keeps the books of a store in segments: which places are free, which
// segments have room, and which were given back. The store holds the memory, and
// the link from one free place to the next is in it, too.
type pool struct {
	size  int // places in a segment; the first begins smaller
	limit int // places that may be made
	segs  []segment
	open  []uint32 // the segments with room, the next to take from last
	given []uint32 // the segments given back
	spare uint32   // the one empty segment kept against thrashing, or none
	keep  int      // segments reserved: never given back
}

// segment is what the pool knows of one.
type segment struct {
	free   uint32 // first of the free list, or none
	used   uint32 // places handed out at least once since the segment was made
	live   uint32 // places in use
	length uint32 // places that it has memory for; 0: given back
	floor  uint32 // generation that a place without history starts from
	place  uint32 // in open, while it is there
	_      uint32 // to 32 bytes, so that finding one is a shift
}

func newPool(size, limit int) pool { return pool{size: size, limit: limit, spare: none} }

// full reports whether the segment has no place to hand out. It is among the open
// ones if and only if it is not full and not given back.
func (g *segment) full() bool { return g.free == none && g.used == g.length }

// grow finds a segment to make: n, with room for length places, which the store
// must provide. If the first is not of full size it is to become twice as large.
// false: the limit is reached.
func (p *pool) grow(least int) (n, length int, ok bool) {
	if len(p.segs) > 0 && int(p.segs[0].length) < p.size {
		length = min(2*int(p.segs[0].length), p.size, p.limit)
		return 0, length, length > int(p.segs[0].length)
	}
	if k := len(p.given) - 1; k >= 0 {
		n = int(p.given[k])
		p.given = p.given[:k]
		return n, min(p.limit-n*p.size, p.size), true
	}
	n = len(p.segs)
	length = p.size
	if n == 0 {
		length = min(least, p.size)
	}
	length = min(length, p.limit-n*p.size)
	return n, length, length > 0
}

// grown opens segment n, whose memory has come.
func (p *pool) grown(n, length int) {
	if n == len(p.segs) {
		p.segs = append(p.segs, segment{free: none})
	}
	p.segs[n].length = uint32(length)
	p.push(uint32(n))
}

// push opens segment n: places are taken from it next.
func (p *pool) push(n uint32) {
	p.segs[n].place = uint32(len(p.open))
	p.open = append(p.open, n)
}

// close removes segment n from the open ones; the last of them fills its place.
func (p *pool) close(n uint32) {
	last, at := p.open[len(p.open)-1], p.segs[n].place
	p.open[at], p.segs[last].place = last, at
	p.open = p.open[:len(p.open)-1]
}

// reserved ends the making of the first segments: they stay, and are taken from
// in order.
func (p *pool) reserved() {
	p.keep = len(p.segs)
	slices.Reverse(p.open)
	for at, n := range p.open {
		p.segs[n].place = uint32(at)
	}
}

// took keeps the books after a place of segment n, the last open one, was taken and
// it was the last of its free list, or the segment is the spare one. O(1).
func (p *pool) took(n uint32, g *segment) {
	if p.spare == n {
		p.spare = none
	}
	if g.full() {
		p.open = p.open[:len(p.open)-1]
	}
}

// emptied reports whether the memory of segment n, which has become empty, is to be
// given back: another empty one remains. A single one is kept, so that taking and
// returning in turn do not make and drop a segment each. O(1).
func (p *pool) emptied(n uint32) (give bool) {
	if int(n) < p.keep {
		return false
	}
	if p.spare == none {
		p.spare = n
		return false
	}
	return true
}

// gave keeps the books after the memory of segment n was given back. Places in it
// will start from generation floor. O(1).
func (p *pool) gave(n, floor uint32) {
	p.close(n)
	p.given = append(p.given, n)
	p.segs[n] = segment{free: none, floor: floor}
}
