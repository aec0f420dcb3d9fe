//go:build linux && !safe && (amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package array

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// resident returns how many pages of the memory are there, and false if it is not mapped any more.
func resident(start unsafe.Pointer, size int) (pages int, mapped bool) {
	vec := make([]byte, (size+unix.Getpagesize()-1)/unix.Getpagesize())
	if _, _, err := unix.Syscall(unix.SYS_MINCORE, uintptr(start), uintptr(size), uintptr(unsafe.Pointer(&vec[0]))); err != 0 {
		return 0, false
	}
	for _, v := range vec {
		pages += int(v & 1)
	}
	return pages, true
}

// A large array takes the memory that is used and no more, and gives it back when nothing refers to it.
func TestAnArrayGivesItsMemoryBack(t *testing.T) {
	const segment, n = 1 << 16, 120 << 16
	a := &Array[[5]uint32]{}
	for a.Len() < n { // beyond what the first mapping has room for
		a.Grow(a.Len() + segment)
		for at := a.Len() - segment; at < a.Len(); at++ {
			a.At(uint32(at))[0] = 1
		}
	}
	require.NotNil(t, a.mapped)
	start, size, page := a.mapped.start, int(a.mapped.size), unix.Getpagesize()
	full, _ := resident(start, size)
	assert.InDelta(t, a.bytes(n)/page, full, float64(hugePage/page), "used, and no more")
	assert.EqualValues(t, 1, a.At(n - segment)[0])

	runtime.KeepAlive(a)
	a = nil
	for range 100 {
		runtime.GC()
		if _, mapped := resident(start, size); !mapped {
			return
		}
		time.Sleep(10 * time.Millisecond) // for the collector's cleanups
	}
	t.Error("the memory of an array that is gone is still mapped")
}

// Where the system gives no memory, the heap does.
func TestAnArrayWithoutMappings(t *testing.T) {
	const n = 1 << 16
	a := &Array[[5]uint32]{}
	require.False(t, a.remap(math.MaxInt-1<<24))
	a.Grow(n)
	require.NotNil(t, a.mapped)
	a.At(7)[0] = 7
	require.False(t, a.remap(math.MaxInt-1<<24))
	require.EqualValues(t, 7, a.At(7)[0])
	a.Release()
	require.Zero(t, a.Len())
	a.Grow(n)
	require.Zero(t, a.At(7)[0])
}

// Of an array that is smaller than a huge page, only the pages are there that are used.
func TestASmallArrayTakesNoHugePage(t *testing.T) {
	const n = 300_000 // 1.2 MB
	var a Array[uint32]
	for length := 64; length < n; length *= 2 {
		a.Grow(min(2*length, n))
	}
	for i := range uint32(n) {
		*a.At(i) = i
	}
	require.NotNil(t, a.mapped)
	pages, _ := resident(a.mapped.start, int(a.mapped.size))
	assert.InDelta(t, a.bytes(n)/unix.Getpagesize(), pages, 2)
	runtime.KeepAlive(&a)
}

// Arrays are mapped from the size that the documents say.
func TestMappedFrom(t *testing.T) {
	assert.Equal(t, 256<<10, mapFrom)
	for n, mapped := range map[int]bool{mapFrom - 1: false, mapFrom: true} {
		a := &Array[byte]{}
		a.Grow(n)
		assert.Equal(t, mapped, a.mapped != nil, "%d bytes", n)
	}
	for _, path := range []string{"schemes/schemes.go", "schemes/README.md", "schemes/hashunsorted/variants.md",
		"schemes/hierarchical/variants.md", "harness/README.md", "systems/README.md"} {
		text, err := os.ReadFile("../../../" + path)
		require.NoError(t, err)
		assert.Contains(t, string(text), fmt.Sprintf("from %d KiB", mapFrom>>10), path)
		assert.NotRegexp(t, `(?i)megabyte|\b1 MiB and more`, string(text), path)
	}
}
