package engine

import "iter"

// Table holds values, such as the actions of timers, under small numbers: their IDs in a
// scheme. It grows by pages, so that growing copies nothing and leaves no half-empty array. A
// large table is released when it becomes empty.
type Table[V any] struct {
	pages [][]V
	free  []uint32 // released numbers
	made  uint32   // numbers below this one are in use or in free
}

const (
	pageBits = 9 // 4 KiB of pointers
	pageLen  = 1 << pageBits

	keptNumbers = 8 * pageLen // the largest table that is kept when it is empty
)

// Take stores a value under a number.
func (b *Table[V]) Take(v V) (id uint32) {
	if k := len(b.free); k > 0 {
		id = b.free[k-1]
		b.free = b.free[:k-1]
	} else {
		id = b.made
		if id%pageLen == 0 {
			b.pages = append(b.pages, make([]V, pageLen))
		}
		b.made++
	}
	*b.at(id) = v
	return id
}

func (b *Table[V]) at(id uint32) *V { return &b.pages[id>>pageBits][id%pageLen] }

// Clear replaces a value by the zero value, but does not release its number.
func (b *Table[V]) Clear(id uint32) { *b.at(id) = *new(V) }

// Release removes and returns a value, which is zero if it was cleared, and releases its number.
func (b *Table[V]) Release(id uint32) V {
	v := *b.at(id)
	b.Clear(id)
	b.free = append(b.free, id)
	if b.made > keptNumbers && b.Len() == 0 {
		*b = Table[V]{}
	}
	return v
}

// Len returns the number of values, those cleared included.
func (b *Table[V]) Len() int { return int(b.made) - len(b.free) }

// All yields the values, and the zero value for each released number. The table must not change
// meanwhile.
func (b *Table[V]) All() iter.Seq[V] {
	return func(yield func(V) bool) {
		for id := range b.made {
			if !yield(*b.at(id)) {
				return
			}
		}
	}
}
