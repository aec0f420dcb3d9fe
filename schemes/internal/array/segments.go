//go:build !linux || safe || !(amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package array

import (
	"math"
)

// mapFrom says that no array is mapped.
const mapFrom = math.MaxInt

// segmentMask finds an element's place in its segment.
func segmentMask[T any]() int { return 1<<SegmentBits[T]() - 1 }

// Array is a growing array, in segments, so that growing copies at most the last one,
// while that is smaller than the others. See mapped.go for systems where it can be
// in one piece. Its zero value is empty.
type Array[T any] struct {
	segs   [][]T
	length int
	inHeap bool // it always is
}

// Len returns the number of elements. O(1).
func (a *Array[T]) Len() int { return a.length }

// At returns element i. The pointer is valid until the next Grow. O(1).
func (a *Array[T]) At(i uint32) *T { return &a.segs[i>>SegmentBits[T]()][int(i)&segmentMask[T]()] }

// View is an array as it is until the next Grow.
type View[T any] [][]T

// At returns element i. O(1).
func (v View[T]) At(i uint32) *T { return &v[i>>SegmentBits[T]()][int(i)&segmentMask[T]()] }

// View returns the array as it is. To keep it at hand saves loading where the array is.
func (a *Array[T]) View() View[T] { return a.segs }

// Grow makes the array n elements long, the new ones zero.
func (a *Array[T]) Grow(n int) {
	if n <= a.length {
		return
	}
	a.length = n
	if last := len(a.segs) - 1; last >= 0 && len(a.segs[last]) <= segmentMask[T]() {
		whole := make([]T, min(n-last<<SegmentBits[T](), segmentMask[T]()+1))
		copy(whole, a.segs[last])
		a.segs[last] = whole
	}
	for made := len(a.segs) << SegmentBits[T](); made < n; made += segmentMask[T]() + 1 {
		a.segs = append(a.segs, make([]T, min(n-made, segmentMask[T]()+1)))
	}
}

// Release empties the array.
func (a *Array[T]) Release() { a.segs, a.length = nil, 0 }

// OffHeap returns 0: everything is in Go's heap.
func (a *Array[T]) OffHeap() int { return 0 }
