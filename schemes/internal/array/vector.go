// Package array has what the storage of all schemes consists of: arrays that grow without a copy
// (Array), stacks (Vector) and sets of slots (Bitmap).
package array

import "unsafe"

// Vector is a stack in an Array, for data that a scheme keeps besides the records (a heap's
// entries). Make one with NewVector.
type Vector[T any] struct {
	Array[T]
	n int
}

// NewVector returns an empty vector with room for some elements.
func NewVector[T any](elements int, inHeap bool) Vector[T] {
	v := Vector[T]{Array: New[T](inHeap)}
	v.Grow(max(elements, least))
	return v
}

const least = 64 // elements of the smallest array

// Len returns the elements in use. O(1).
func (v *Vector[T]) Len() int { return v.n }

// At returns element i, below Len, valid until the next Push. O(1).
func (v *Vector[T]) At(i int) *T { return v.Array.At(uint32(i)) }

// Push appends x. O(1), except when memory must be allocated.
func (v *Vector[T]) Push(x T) {
	if v.n == v.Array.Len() {
		v.Grow(Grown[T](v.n, v.n+1))
	}
	v.n++
	*v.At(v.n - 1) = x
}

// Pop removes and returns the last element. O(1).
func (v *Vector[T]) Pop() T {
	v.n--
	return *v.At(v.n)
}

// Grown returns the length of an array of `length` elements that gets room for n: the first
// segment doubles, others come as a whole.
func Grown[T any](length, n int) int {
	segment := 1 << SegmentBits[T]()
	for length = max(length, least); length < n; {
		length = min(2*length, (length/segment+1)*segment)
	}
	return length
}

// New returns an empty array, in Go's heap whatever its size if inHeap.
func New[T any](inHeap bool) Array[T] { return Array[T]{inHeap: inHeap} }

// SegmentBits returns log2 of the elements in a segment: about 2 MiB. It is a constant once compiled.
func SegmentBits[T any]() int {
	var element T
	if unsafe.Sizeof(element) <= 32 {
		return 16
	}
	return 13
}

func (a *Array[T]) bytes(n int) int {
	var element T
	return n * int(unsafe.Sizeof(element))
}

// Bytes returns what an array of T holds that was made for `reserved` elements and then grew, one by
// one, to n. O(segments).
func Bytes[T any](reserved, n int) int64 {
	var a Array[T]
	return Allocated(int64(a.bytes(Grown[T](reserved, n))))
}

// Allocated returns what Go's heap takes for an object of some bytes: above 32 KiB,
// whole pages of 8 KiB. What smaller objects are rounded up by is left out.
func Allocated(bytes int64) int64 {
	const large, page = 32 << 10, 8 << 10
	if bytes <= large {
		return bytes
	}
	return (bytes + page - 1) &^ (page - 1)
}
