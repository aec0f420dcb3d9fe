package store

// Vector is a stack in an Array, for data that a scheme keeps besides the records (a heap's
// entries). It gives memory back after a peak. Its zero value is empty.
type Vector[T any] struct {
	array Array[T]
	n     int
	keep  int // elements made by Reserve, whose memory is never given back
}

// NewVector returns an empty vector with room for some elements.
func NewVector[T any](elements int, inHeap bool) Vector[T] {
	v := Vector[T]{array: Array[T]{inHeap: inHeap}}
	v.array.Grow(max(elements, firstLen))
	v.keep = v.array.Len()
	return v
}

const vectorSegment = 1 << 16 // elements that are given back together

// Len returns the elements in use. O(1).
func (v *Vector[T]) Len() int { return v.n }

// At returns element i, below Len, valid until the next Push. O(1).
func (v *Vector[T]) At(i int) *T { return v.array.At(uint32(i)) }

// Push appends x. O(1), except when memory must be allocated.
func (v *Vector[T]) Push(x T) {
	if v.n%vectorSegment == 0 || v.n == v.array.Len() {
		v.array.Grow(grown(v.array.Len(), v.n+1, vectorSegment))
		v.array.Restore(uint32(v.n), uint32(min(v.n+vectorSegment, v.array.Len())))
	}
	v.n++
	*v.At(v.n - 1) = x
}

// Pop removes and returns the last element. O(1), except where memory is given back.
func (v *Vector[T]) Pop() T {
	v.n--
	x := *v.At(v.n)
	from, to := v.n+vectorSegment, min(v.n+2*vectorSegment, v.array.Len())
	if v.n%vectorSegment == 0 && v.n >= v.keep && from < to {
		v.array.Forget(uint32(from), uint32(to))
	}
	return x
}

// OffHeap returns the bytes that are not in Go's heap. O(1).
func (v *Vector[T]) OffHeap() int {
	held := (max(v.n, v.keep)/vectorSegment + 2) * vectorSegment // see Pop
	return v.array.OffHeap(min(v.array.Len(), held))
}

// Release gives all memory back.
func (v *Vector[T]) Release() { v.array.Release() }

// grown returns the length of an array of `length` elements that gets room for n: the first
// segment doubles, others come as a whole.
func grown(length, n, segment int) int {
	for length = max(length, firstLen); length < n; {
		length = min(2*length, (length/segment+1)*segment)
	}
	return length
}
