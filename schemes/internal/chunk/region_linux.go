//go:build linux && !safe

package chunk

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// mapFrom is the smallest region that is mapped, in bytes. Below, a copy takes less
	// than the page faults that a mapping would save, and a program with thousands of small
	// schemes should not have thousands of mappings.
	mapFrom = 1 << 20

	// A mapping is several times larger than asked for, which costs addresses and no
	// memory. When it is used up, the system moves it without a copy.
	headroom     = 8
	leastMapping = 64 << 20
)

// mapping is mapped memory, which is unmapped when the collector frees the mapping. A
// function whose last access to a module is a write to such memory keeps the module
// alive until then: in the module's last call, it may be garbage before.
type mapping struct{ *mapped }

type mapped struct {
	bytes []byte
	used  int64 // bytes that elements have taken
}

// outside counts what is mapped. The collector does not see it, so it would leave
// modules that are garbage in place until something else requires a collection.
var outside struct {
	live  atomic.Int64 // bytes used in all mappings, those of garbage included
	since atomic.Int64 // bytes used since the last collection that was requested
	then  atomic.Int64 // live, after that collection
}

// used records that elements have taken more bytes. It requests a collection when they
// have doubled since the last one, as the collector does for the heap.
func (r *region[T]) used(bytes int) {
	if r.mapped == nil {
		return
	}
	r.mapped.used += int64(bytes)
	outside.live.Add(int64(bytes))
	if outside.since.Add(int64(bytes)) > max(leastMapping, outside.then.Load()) {
		outside.since.Store(0)
		go func() {
			runtime.GC()
			outside.then.Store(outside.live.Load())
		}()
	}
}

// unmap unmaps the memory of a mapping that is garbage.
func unmap(m *mapped) {
	outside.live.Add(-m.used)
	_ = unix.Munmap(m.bytes)
}

// move makes room for n elements somewhere.
func (r *region[T]) move(n int) {
	if need := r.bytes(n); need < mapFrom || !r.remap(max(headroom*need, leastMapping)) && !r.remap(need) {
		r.copyTo(n)
	}
}

// remap moves the elements to a mapping of `size` bytes. false: the system refused.
func (r *region[T]) remap(size int) bool {
	size = (size + unix.Getpagesize() - 1) &^ (unix.Getpagesize() - 1)
	var bytes []byte
	var err error
	if r.mapped == nil {
		const flags = unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_NORESERVE
		bytes, err = unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, flags)
	} else {
		bytes, err = unix.Mremap(r.mapped.bytes, size, unix.MREMAP_MAYMOVE)
	}
	if err != nil {
		return false
	}
	// In huge pages, where there are any, fewer reads miss the TLB.
	_ = unix.Madvise(bytes, unix.MADV_HUGEPAGE)
	var element T
	all := unsafe.Slice((*T)(unsafe.Pointer(&bytes[0])), size/int(unsafe.Sizeof(element)))[:len(r.all)]
	if r.mapped == nil {
		copy(all, r.all)
		r.mapped = &mapping{&mapped{}}
		runtime.AddCleanup(r.mapped, unmap, r.mapped.mapped)
		r.used(r.bytes(len(r.all)))
	}
	r.mapped.bytes, r.all = bytes, all
	return true
}

// release zeroes elements, and gives back the pages that hold nothing else.
func (r *region[T]) release(from, to int) {
	if r.mapped != nil {
		page := unix.Getpagesize()
		first, last := (r.bytes(from)+page-1)&^(page-1), r.bytes(to)&^(page-1)
		if first < last && unix.Madvise(r.mapped.bytes[first:last], unix.MADV_DONTNEED) == nil {
			each := r.bytes(1)
			clear(r.all[from:min(to, (first+each-1)/each)])
			clear(r.all[max(from, last/each):to])
			return
		}
	}
	clear(r.all[from:to])
}
