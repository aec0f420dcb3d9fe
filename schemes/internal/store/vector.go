package store

// Vector is a growing array in segments, for data that a scheme keeps besides the
// records (a heap's entries). Like the store it copies at most one segment when
// it grows, and drops segments that empty, all but one. Its zero value is empty;
// Reserve is for a vector that still is.
type Vector[T any] struct {
	segs [][]T
	n    int
	keep int // segments made by Reserve: never dropped
}

// Len returns the elements in use. O(1).
func (v *Vector[T]) Len() int { return v.n }

// At returns element i, below Len, valid until the next Push. O(1).
func (v *Vector[T]) At(i int) *T { return &v.segs[i>>segBits][i&segMask] }

// Push appends x. O(1), except when a segment must be added.
func (v *Vector[T]) Push(x T) {
	switch n := v.n >> segBits; {
	case len(v.segs) == 0:
		v.segs = append(v.segs, make([]T, firstLen))
	case n == len(v.segs):
		v.segs = append(v.segs, make([]T, segLen))
	case n == 0 && v.n == len(v.segs[0]): // the first segment, smaller than the others
		larger := make([]T, min(2*v.n, segLen))
		copy(larger, v.segs[0])
		v.segs[0] = larger
	}
	v.n++
	*v.At(v.n - 1) = x
}

// Pop removes and returns the last element. O(1).
func (v *Vector[T]) Pop() T {
	v.n--
	x := *v.At(v.n)
	if last := len(v.segs) - 1; last > v.n>>segBits+1 && last >= v.keep {
		v.segs[last] = nil // or the array of segs would keep it alive
		v.segs = v.segs[:last]
	}
	return x
}

// Reserve makes room for n elements, so that no Push up to there allocates.
func (v *Vector[T]) Reserve(n int) {
	for made := 0; made < n; made += segLen {
		length := segLen
		if made == 0 {
			length = min(max(n, firstLen), segLen)
		}
		v.segs = append(v.segs, make([]T, length))
	}
	v.keep = len(v.segs)
}
