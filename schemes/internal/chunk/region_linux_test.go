//go:build linux && !safe

package chunk

import (
	"math"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
)

// resident returns how many pages of the memory are there, and false if it is not
// mapped any more.
func resident(bytes []byte) (pages int, mapped bool) {
	vec := make([]byte, (len(bytes)+unix.Getpagesize()-1)/unix.Getpagesize())
	if _, _, err := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&bytes[0])), uintptr(len(bytes)), uintptr(unsafe.Pointer(&vec[0]))); err != 0 {
		return 0, false
	}
	for _, v := range vec {
		pages += int(v & 1)
	}
	return pages, true
}

// A large region takes the memory that is used and no more, gives back what is
// released, and everything when nothing refers to it.
func TestARegionGivesItsMemoryBack(t *testing.T) {
	const n, segment = 40 * recordLen, recordLen
	r := &region[record]{}
	r.grow(segment)
	require.NotNil(t, r.mapped)
	r.all[segment-1].genState = 1
	for len(r.all) < n { // beyond what the first mapping has room for
		r.grow(len(r.all) + segment)
		for at := len(r.all) - segment; at < len(r.all); at++ {
			r.all[at].genState = 1
		}
	}
	bytes := r.mapped.bytes
	page := unix.Getpagesize()
	full, _ := resident(bytes)
	assert.InDelta(t, r.bytes(n)/page, full, float64(hugeBytes/page), "used, and no more")
	r.release(segment, n-segment)
	few, _ := resident(bytes)
	assert.InDelta(t, r.bytes(2*segment)/page, few, 2*float64(hugeBytes/page))
	assert.EqualValues(t, 1, r.all[segment-1].genState)
	assert.EqualValues(t, 1, r.all[n-segment].genState)

	runtime.KeepAlive(r)
	r = nil
	for range 100 {
		runtime.GC()
		if _, mapped := resident(bytes); !mapped {
			return
		}
		time.Sleep(10 * time.Millisecond) // for the collector's cleanups
	}
	t.Error("the memory of a region that is gone is still mapped")
}

const hugeBytes = 2 << 20

// Where the system gives no memory, the heap does.
func TestARegionWithoutMappings(t *testing.T) {
	r := &region[record]{}
	require.False(t, r.remap(math.MaxInt-1<<20))
	r.grow(recordLen)
	require.NotNil(t, r.mapped)
	r.all[7].genState = 7
	require.False(t, r.remap(math.MaxInt-1<<20))
	require.EqualValues(t, 7, r.all[7].genState)
	r.copyTo(2 * recordLen)
	require.Nil(t, r.mapped)
	require.EqualValues(t, 7, r.all[7].genState)
	r.grow(4 * recordLen)
	require.EqualValues(t, 7, r.all[7].genState)
}

// Modules that are dropped do not pile up, though the heap has next to nothing of them.
func TestDroppedModulesAreCollected(t *testing.T) {
	before := outside.live.Load()
	const each, modules = 1 << 20, 200
	for range modules {
		_, err := New("x", schemes.Config{Capacity: each}, 64, store.Placement{}, 1<<20)
		require.NoError(t, err)
	}
	one := int64(each * 30)
	for range 100 {
		if outside.live.Load()-before < modules/4*one {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d MB are mapped", (outside.live.Load()-before)>>20)
}
