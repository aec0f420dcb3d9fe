//go:build linux && !safe

package chunk

import (
	"syscall"
	"unsafe"
)

const (
	hugePage       = 2 << 20
	adviseHugePage = 14 // MADV_HUGEPAGE
)

// memory returns n zero elements without pointers. From half a huge page on, which
// neighbours fill, they are asked to be in such, which spares misses of the TLB: a
// system that has none says no, and nothing else changes. It is the collector's
// memory like any other.
func memory[T any](n int) []T {
	s := make([]T, n)
	if size := uintptr(n) * unsafe.Sizeof(s[0]); size >= hugePage/2 {
		page := uintptr(syscall.Getpagesize())
		first := uintptr(unsafe.Pointer(&s[0])) &^ (page - 1)
		syscall.Syscall(syscall.SYS_MADVISE, first, size, adviseHugePage)
	}
	return s
}
