//go:build linux && !safe && (amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package array

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// mapFrom is the smallest array that is mapped, in bytes. Below, a copy takes less
	// than the page faults that a mapping would save, and a program with thousands of
	// small schemes should not have thousands of mappings. At 1 MiB, 32 growing arrays left
	// 18 MB to the collector, in a process with a million timers in 16 schemes.
	mapFrom = 256 << 10

	// A mapping is several times larger than asked for, which costs addresses and no
	// memory. When it is used up, the system moves its pages to a larger one.
	headroom     = 8
	leastMapping = 64 << 20
	hugePage     = 2 << 20
)

// Array is a growing array. Growing copies nothing once it is large: a large array is
// mapped, with room to grow, outside Go's heap. See segments.go for systems where
// that is not possible. Its zero value is empty.
//
// The collector unmaps an array when nothing refers to it any more. A pointer to an element does
// not keep the array: code that uses one after its last use of the array must call
// runtime.KeepAlive.
type Array[T any] struct {
	all    []T
	mapped *mapping // nil: in Go's heap
	inHeap bool     // never mapped
}

type mapping struct {
	*extent
	cleanup runtime.Cleanup
}

type extent struct {
	start unsafe.Pointer // a multiple of hugePage
	size  uintptr
}

// Len returns the number of elements. O(1).
func (a *Array[T]) Len() int { return len(a.all) }

// At returns element i. The pointer is valid until the next Grow. O(1).
func (a *Array[T]) At(i uint32) *T { return &a.all[i] }

// View is an array as it is until the next Grow.
type View[T any] []T

// At returns element i. O(1).
func (v View[T]) At(i uint32) *T { return &v[i] }

// View returns the array as it is. To keep it at hand saves loading where the array is.
func (a *Array[T]) View() View[T] { return a.all }

// Grow makes the array n elements long, the new ones zero.
func (a *Array[T]) Grow(n int) {
	had, need := a.bytes(len(a.all)), a.bytes(n)
	if n > cap(a.all) { // else there is room
		mapped := !a.inHeap && need >= mapFrom && (a.remap(max(headroom*need, leastMapping)) || a.remap(need))
		if !mapped {
			all := make([]T, len(a.all), n)
			copy(all, a.all)
			a.Release()
			a.all = all
		}
	}
	if n > len(a.all) {
		a.all = a.all[:n]
	}
	if a.mapped != nil && had < hugePage && need >= hugePage { // of a smaller array's, a part would stay unused
		a.mapped.makeHuge()
	}
}

// remap moves the elements to a mapping with room for some bytes. false: the system
// refused.
func (a *Array[T]) remap(bytes int) bool {
	to, err := reserve(uintptr(bytes))
	if err != nil {
		return false
	}
	all := unsafe.Slice((*T)(to.start), int(to.size)/a.bytes(1))[:len(a.all)]
	if from := a.mapped; from == nil {
		copy(all, a.all)
	} else {
		const flags = unix.MREMAP_MAYMOVE | unix.MREMAP_FIXED
		if _, err := unix.MremapPtr(from.start, from.size, to.start, to.size, flags); err != nil {
			return false // `to` may be gone already, and its addresses somebody else's
		}
		from.cleanup.Stop()
		to.makeHuge()
	}
	m := &mapping{extent: to}
	m.cleanup = runtime.AddCleanup(m, (*extent).unmap, to)
	a.mapped, a.all = m, all
	return true
}

// reserve maps some bytes, from a boundary between huge pages, and of small ones for now.
func reserve(size uintptr) (*extent, error) {
	size = (size + hugePage - 1) &^ (hugePage - 1)
	const access, flags = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_NORESERVE
	start, err := unix.MmapPtr(-1, 0, nil, size+hugePage, access, flags)
	if err != nil {
		return nil, err
	}
	before := -uintptr(start) & (hugePage - 1)
	e := &extent{unsafe.Add(start, before), size}
	if before > 0 {
		_ = unix.MunmapPtr(start, before)
	}
	_ = unix.MunmapPtr(unsafe.Add(e.start, size), hugePage-before)
	_ = unix.Madvise(e.bytes(), unix.MADV_NOHUGEPAGE) // else systems that always use them would
	return e, nil
}

// makeHuge has the system use huge pages, if it has any: fewer reads miss the TLB.
func (e *extent) makeHuge() {
	_ = unix.Madvise(e.bytes(), unix.MADV_HUGEPAGE)
	_ = unix.Madvise(e.bytes()[:hugePage], unix.MADV_COLLAPSE) // which has small pages so far
}

func (e *extent) bytes() []byte { return unsafe.Slice((*byte)(e.start), e.size) }

func (e *extent) unmap() { _ = unix.MunmapPtr(e.start, e.size) }

// Release empties the array and gives its memory back at once.
func (a *Array[T]) Release() {
	if a.mapped != nil {
		a.mapped.cleanup.Stop()
		a.mapped.unmap()
	}
	a.all, a.mapped = nil, nil
}

// OffHeap returns the bytes of the elements if they are outside Go's heap, else 0.
func (a *Array[T]) OffHeap() int {
	if a.mapped == nil {
		return 0
	}
	return a.bytes(len(a.all))
}
