package chunk

import (
	"fmt"
	"slices"
)

const none = ^uint32(0) // no record

// pool is a store of places, which are kept in segments. Growing adds one; only the
// first, while it is smaller than the others, grows by doubling. The memory of a segment
// that empties is given back.
type pool[T any] struct {
	size  int            // places in a segment: 1 << 16 at most
	width int            // elements in a place
	limit int            // places that may be made
	first int            // elements before those of the first place
	mem   region[T]      // zero where a segment was given back
	free  region[uint16] // for each segment a stack of the places that are free
	segs  []segment
	Segments
}

type segment struct {
	length uint32 // places; 0: given back
	top    uint32 // how many are free
	minGen uint32 // generation from which records resume
	_      uint32 // 16 bytes, so that finding one is a shift
}

func newPool[T any](size, width, limit, first int) pool[T] {
	p := pool[T]{size: size, width: width, limit: limit, first: first, Segments: Segments{Spare: None}}
	p.mem.grow(first)
	return p
}

// reserve makes room for this many places, which is never given back; the first of them
// are taken first.
func (p *pool[T]) reserve(places, least int) {
	places = max(places, least)
	p.mem.grow(p.first + places*p.width)
	p.free.grow(places)
	for left := places; left > 0; left -= p.size {
		p.make(left)
	}
	p.Keep = len(p.segs)
	slices.Reverse(p.Open)
}

// make makes room when no place is free: it doubles a small first segment, allocates one
// that was given back, or adds one. It returns the segment and its first new place; least
// is the length of the first one. false: the limit is reached.
func (p *pool[T]) make(least int) (n uint32, from int, ok bool) {
	length := 0
	switch {
	case len(p.segs) > 0 && int(p.segs[0].length) < p.size:
		from = int(p.segs[0].length)
		length = min(2*from, p.size, p.limit)
	case len(p.Returned) > 0:
		n = p.TakeBack()
		length = min(p.limit-int(n)*p.size, p.size)
	default:
		n = uint32(len(p.segs))
		if length = min(p.limit-int(n)*p.size, p.size); n == 0 {
			length = min(least, length)
		}
		if length > 0 {
			p.segs = append(p.segs, segment{})
		}
	}
	if length <= from {
		return 0, 0, false
	}
	p.provide(n, from, length)
	return n, from, true
}

// provide makes the places of segment n up to a length, which is open then.
func (p *pool[T]) provide(n uint32, from, length int) {
	before := int(n) * p.size
	p.mem.grow(p.first + (before+length)*p.width)
	p.free.grow(before + length)
	for at := range length - from {
		p.free.all[before+at] = uint16(length - 1 - at)
	}
	p.segs[n] = segment{length: uint32(length), top: uint32(length - from), minGen: p.segs[n].minGen}
	p.Open = append(p.Open, n)
}

// take takes a place of the last open segment. O(1).
func (p *pool[T]) take() (n, at uint32) {
	n = p.Open[len(p.Open)-1]
	g := &p.segs[n]
	g.top--
	if g.top == 0 {
		p.Open = p.Open[:len(p.Open)-1]
	}
	if n == p.Spare {
		p.Spare = None
	}
	return n, uint32(p.free.all[int(n)*p.size+int(g.top)])
}

// put returns a place of segment n, and reports whether the segment has become empty:
// one with places that never return does not. O(1).
func (p *pool[T]) put(n, at uint32) (empty bool) {
	g := &p.segs[n]
	if g.top == 0 {
		p.Open = append(p.Open, n)
	}
	p.free.all[int(n)*p.size+int(g.top)] = uint16(at)
	g.top++
	return g.top == g.length
}

// give gives the memory of segment n back; records in it resume from minGen if it is
// allocated again. O(segments).
func (p *pool[T]) give(n, minGen uint32) {
	p.GiveBack(n)
	from, to := int(n)*p.size, int(n)*p.size+int(p.segs[n].length)
	p.mem.release(p.first+from*p.width, p.first+to*p.width)
	p.free.release(from, to)
	p.segs[n] = segment{minGen: minGen}
}

// offHeap returns the bytes of the system's own memory that the segments take.
func (p *pool[T]) offHeap() int {
	given := len(p.Returned) * p.size
	return p.mem.offHeap(len(p.mem.all)-given*p.width) + p.free.offHeap(len(p.free.all)-given)
}

// check verifies the free places and the lists of segments; free judges a free place.
func (p *pool[T]) check(free func(n, at uint32) error) error {
	for n := range uint32(len(p.segs)) {
		if err := p.checkFree(n, free); err != nil {
			return fmt.Errorf("segment %d: %w", n, err)
		}
	}
	return p.CheckLists(len(p.segs), func(n uint32) (gone, room, empty bool) {
		g := p.segs[n]
		return g.length == 0, g.top > 0, g.top == g.length
	})
}

// checkFree verifies the free places of a segment.
func (p *pool[T]) checkFree(n uint32, free func(n, at uint32) error) error {
	g := &p.segs[n]
	if room := len(p.mem.all) - p.first; g.top > g.length || (int(n)*p.size+int(g.length))*p.width > room {
		return fmt.Errorf("%d free places of %d, memory for %d places in all", g.top, g.length, room/p.width)
	}
	seen := map[uint16]bool{}
	for _, at := range p.free.all[int(n)*p.size:][:g.top] {
		if seen[at] || uint32(at) >= g.length {
			return fmt.Errorf("place %d is free twice, or does not exist", at)
		}
		seen[at] = true
		if err := free(n, uint32(at)); err != nil {
			return err
		}
	}
	return nil
}
