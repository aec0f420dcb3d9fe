package engine

import "unsafe"

// Table holds values, such as timers, under small numbers: their IDs in a scheme. It grows by
// pages, so that growing copies no value and leaves no half-empty array. It does not shrink.
type Table[V any] struct {
	pages []*[pageLen]V
	used  uint32   // numbers so far
	free  []uint32 // IDs that are free
}

// pageLen makes a page of pointers fill a size class of Go's allocator, 6784 bytes.
const pageLen = 848

// Take stores a value under a number.
func (b *Table[V]) Take(v V) (id uint32) {
	if last := len(b.free) - 1; last >= 0 {
		id, b.free = b.free[last], b.free[:last]
	} else {
		if b.used%pageLen == 0 {
			b.pages = append(b.pages, new([pageLen]V))
		}
		id = b.used
		b.used++
	}
	b.pages[id/pageLen][id%pageLen] = v
	return id
}

// At returns the value of a number in use.
func (b *Table[V]) At(id uint32) V { return b.pages[id/pageLen][id%pageLen] }

// Release removes and returns a value, and releases its number.
func (b *Table[V]) Release(id uint32) (v V) {
	p := &b.pages[id/pageLen][id%pageLen]
	v, *p = *p, v
	b.free = append(b.free, id)
	return v
}

// bytes returns the memory of the table.
func (b *Table[V]) bytes() int {
	var page [pageLen]V
	return len(b.pages)*int(unsafe.Sizeof(page)) + cap(b.free)*int(unsafe.Sizeof(b.used))
}
