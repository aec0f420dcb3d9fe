//go:build linux && !safe && (amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package store

import (
	"unsafe"

	"timerlab/schemes/internal/array"
)

// view is where the records are. It changes only where records are made: in New and in StartSlow.
type view struct{ first unsafe.Pointer }

func viewOf(a *array.Array[Record]) view { return view{unsafe.Pointer(a.At(0))} }

// At returns record i, which must be one, valid until the next StartSlow. Nothing checks i: links, which are
// Next, Prev and the free lists, hold only numbers of records, as CheckStore verifies, and Find checks
// a handle's. With the build tag safe every access is checked. O(1).
func (v view) At(i uint32) *Record {
	return (*Record)(unsafe.Add(v.first, uintptr(i)*unsafe.Sizeof(Record{})))
}
