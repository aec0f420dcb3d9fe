//go:build !linux || safe

package chunk

import "math"

// mapFrom says that no region is mapped.
const mapFrom = math.MaxInt64

// mapping does not exist here.
type mapping struct{}

func (r *region[T]) move(n int) { r.copyTo(n) }

// release zeroes elements. Their memory stays.
func (r *region[T]) release(from, to int) { clear(r.all[from:to]) }

// used does nothing: the collector counts what is in the heap.
func (r *region[T]) used(int) {}
