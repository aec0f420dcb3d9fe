package engine

import (
	"iter"
	"math"
	"math/bits"
	"unsafe"
)

// Table holds values, such as timers, under small numbers: their IDs in a scheme. It grows by
// pages, so that growing copies nothing and leaves no half-empty array. A page whose values are
// all released is released too, except one.
type Table[V any] struct {
	pages []*page[V] // nil: empty
	open  []uint32   // indexes of the pages with free numbers, each once; the last is used
	spare *page[V]   // an empty page, so that starts and stops at a boundary allocate none
}

type page[V any] struct {
	values [pageLen]V
	free   [pageLen / 64]uint64 // bits of the numbers that are not in use
	used   int32
	first  int32 // no earlier word of free has a bit
}

// pageLen makes a page of pointers fill a size class of Go's allocator, 6784 bytes.
const pageLen = 13 * 64

// Take stores a value under a number.
func (b *Table[V]) Take(v V) (id uint32) {
	if len(b.open) == 0 {
		b.open = append(b.open, uint32(len(b.pages)))
		b.pages = append(b.pages, nil)
	}
	at := b.open[len(b.open)-1]
	p := b.pages[at]
	if p == nil {
		p = b.newPage()
		b.pages[at] = p
	}
	for p.free[p.first] == 0 {
		p.first++
	}
	word := &p.free[p.first]
	i := uint32(64*p.first) + uint32(bits.TrailingZeros64(*word))
	*word &= *word - 1
	p.values[i] = v
	if p.used++; p.used == pageLen {
		b.open = b.open[:len(b.open)-1]
	}
	return at*pageLen + i
}

// newPage returns an empty page.
func (b *Table[V]) newPage() *page[V] {
	p := b.spare
	if b.spare = nil; p == nil {
		p = &page[V]{}
		for i := range p.free {
			p.free[i] = math.MaxUint64
		}
	}
	return p
}

// At returns the value of a number in use.
func (b *Table[V]) At(id uint32) V { return b.pages[id/pageLen].values[id%pageLen] }

// Clear replaces a value by the zero value, but does not release its number.
func (b *Table[V]) Clear(id uint32) { b.pages[id/pageLen].values[id%pageLen] = *new(V) }

// Release removes and returns a value, which is zero if it was cleared, and releases its number.
func (b *Table[V]) Release(id uint32) V {
	at, i := id/pageLen, id%pageLen
	p := b.pages[at]
	v := p.values[i]
	p.values[i] = *new(V)
	p.free[i/64] |= 1 << (i % 64)
	p.first = min(p.first, int32(i/64))
	if p.used == pageLen {
		b.open = append(b.open, at)
	}
	if p.used--; p.used == 0 {
		b.pages[at], b.spare = nil, p
	}
	return v
}

// All yields the values, and the zero value for each free number of a page in use. The table
// must not change meanwhile.
func (b *Table[V]) All() iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, p := range b.pages {
			for i := 0; p != nil && i < pageLen; i++ {
				if !yield(p.values[i]) {
					return
				}
			}
		}
	}
}

// bytes returns the memory of the table.
func (b *Table[V]) bytes() int {
	n := int(unsafe.Sizeof(b.spare))*cap(b.pages) + int(unsafe.Sizeof(uint32(0)))*cap(b.open)
	for _, p := range b.pages {
		if p != nil {
			n += int(unsafe.Sizeof(*p))
		}
	}
	return n
}
