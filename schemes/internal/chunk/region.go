package chunk

import "unsafe"

// region is a slice that grows without a copy where the system can: all that grows
// with the timers is in regions. One index finds an element, which takes a third of the
// instructions of finding it in segments, and the fewer there are, the more reads of
// memory wait at the same time.
//
// Small ones are in the heap, and copied when they grow. Large ones are memory of the
// system's own, if it gives such, which the collector neither scans nor counts; it goes
// back to the system when the collector finds that nothing refers to its region. With
// the build tag safe, and where the system is not Linux, all are in the heap.
type region[T any] struct {
	all    []T
	mapped *mapping // the memory of the system's own; nil: in the heap
}

// grow makes room for n elements, the new ones zero. Those that there are may move: no
// pointer to one may be held.
func (r *region[T]) grow(n int) {
	if n > cap(r.all) {
		r.move(n)
	}
	if n > len(r.all) {
		r.used(r.bytes(n - len(r.all)))
		r.all = r.all[:n]
	}
}

// copyTo moves the elements to the heap, with room for n.
func (r *region[T]) copyTo(n int) {
	if len(r.all) > 0 {
		n = max(n, 2*len(r.all))
	}
	all := make([]T, len(r.all), n)
	copy(all, r.all)
	r.all, r.mapped = all, nil
}

// bytes returns what n elements take.
func (r *region[T]) bytes(n int) int {
	var element T
	return n * int(unsafe.Sizeof(element))
}

// offHeap returns the bytes of the system's own memory that so many elements take.
func (r *region[T]) offHeap(n int) int {
	if r.mapped == nil {
		return 0
	}
	return r.bytes(n)
}
