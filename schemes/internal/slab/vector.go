package slab

// Vector is a growing array in segments, for what a scheme keeps beside the
// records (a heap's entries). Like the slab it copies at most one segment when
// it grows, and drops segments that empty, all but one. Its zero value is empty.
type Vector[T any] struct {
	segs [][]T
	n    int
}

// Len returns the elements in use. O(1).
func (v *Vector[T]) Len() int { return v.n }

// At returns element i, below Len, valid until the next Push. O(1).
func (v *Vector[T]) At(i int) *T { return &v.segs[i>>segBits][i&segMask] }

// Push appends x. O(1), but for the moments when a segment must be added.
func (v *Vector[T]) Push(x T) {
	switch n := v.n >> segBits; {
	case n == len(v.segs) && n == 0:
		v.segs = append(v.segs, make([]T, firstLen))
	case n == len(v.segs):
		v.segs = append(v.segs, make([]T, segLen))
	case v.n == len(v.segs[n]): // the first segment, still smaller than the others
		v.segs[n] = append(v.segs[n], make([]T, min(v.n, segLen-v.n))...)
	}
	v.n++
	*v.At(v.n - 1) = x
}

// Pop removes and returns the last element. O(1).
func (v *Vector[T]) Pop() T {
	v.n--
	if inUse := v.n>>segBits + 1; inUse+1 < len(v.segs) {
		v.segs = v.segs[:inUse+1]
	}
	return *v.At(v.n)
}

// Reserve makes room for n elements, so that no Push up to there must.
func (v *Vector[T]) Reserve(n int) {
	if n > 0 && len(v.segs) == 0 {
		v.segs = append(v.segs, make([]T, min(max(n, firstLen), segLen)))
	}
	for len(v.segs)*segLen < n {
		v.segs = append(v.segs, make([]T, segLen))
	}
}
