package chunk

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func TestSizes(t *testing.T) {
	assert.Equal(t, uintptr(24), unsafe.Sizeof(record{}))
	assert.Equal(t, uintptr(8), unsafe.Sizeof(Entry(0)))
	assert.Equal(t, uintptr(256), unsafe.Sizeof(block{}))
	assert.Equal(t, 64, smallLen*int(unsafe.Sizeof(Entry(0))))
}

// As many timers as there are records find room wherever they are: eight entries, the first of
// which need no chunk, take one.
func TestThereIsAChunkForAllRecords(t *testing.T) {
	const entries = maxRecords + 1
	assert.Less(t, entries/smallLen, maxBlocks-smallBlocks(MaxSlots+1))
}

// What grows with the timers and the slots has nothing to scan for the collector.
func TestNothingToScan(t *testing.T) {
	m := reflect.TypeFor[Module]()
	var visit func(path string, of reflect.Type)
	found := map[string]bool{}
	visit = func(path string, of reflect.Type) {
		switch of.Kind() {
		case reflect.Struct:
			for k := range of.NumField() {
				visit(path+"."+of.Field(k).Name, of.Field(k).Type)
			}
		case reflect.Slice:
			found[path] = true
			if strings.HasSuffix(path, ".Array.segs") { // where arrays are segments: one pointer for each of them
				of = of.Elem()
			}
			assert.False(t, pointers(of.Elem()), "%s has pointers", path)
		case reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan:
			if strings.HasSuffix(path, ".Array.mapped") || path == ".Clock.stale" || path == ".table" || path == ".Near" { // one of each region, and of each module
				return
			}
			t.Errorf("%s is a %v", path, of)
		}
	}
	visit("", m)
	for _, path := range []string{".records.segs", ".chunks.segs", ".ends", ".Bitmap.words"} {
		assert.True(t, found[path], path)
	}
}

// pointers reports whether a type has any.
func pointers(of reflect.Type) bool {
	switch of.Kind() {
	case reflect.Struct:
		for k := range of.NumField() {
			if pointers(of.Field(k).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return pointers(of.Elem())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return false
	}
	return true
}

func heapAlloc() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// After a peak, records and chunks are given back but for a few segments: whether
// the timers were stopped, in any order, or expired, and whatever their entries
// still name.
func TestMemoryAfterAPeak(t *testing.T) {
	large(t)
	const peak, segment = 500_000, segLen*24 + segChunks*256
	ends := map[string]func(w *wheel, hs []schemes.Handle){
		"stopped": func(w *wheel, hs []schemes.Handle) { w.stop(t, hs) },
		"stopped in any order": func(w *wheel, hs []schemes.Handle) {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(hs), func(a, b int) { hs[a], hs[b] = hs[b], hs[a] })
			w.stop(t, hs)
		},
		"expired": func(w *wheel, hs []schemes.Handle) {
			for range 2000 {
				w.PerTick()
				w.Expire(func(schemes.ID) {})
			}
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			w := newWheel(t, schemes.Config{Slots: 1024})
			before := heapAlloc()
			for range 2 {
				hs := make([]schemes.Handle, 0, peak)
				for id := range schemes.ID(peak) {
					h, err := w.Start(1+schemes.Tick(id*7919%2000), id)
					require.NoError(t, err)
					hs = append(hs, h)
				}
				require.Greater(t, heapAlloc()-before+int64(w.OffHeap()), int64(peak*30))
				few := int64(3*segment + 2<<20) // the first, the spare one, and the hot record's
				if w.OffHeap() == 0 {
					few += segment // of zeros, in place of those given back
				}
				end(w, hs)
				for _, h := range hs[:1000] {
					require.False(t, w.Stop(h))
				}
				require.NoError(t, w.Check())
				require.Zero(t, w.Len())
				hs = nil
				assert.Less(t, heapAlloc()-before+int64(w.OffHeap()), few)
			}
			runtime.KeepAlive(w)
		})
	}
}

// A segment with a record that has no generation left is not given back.
func TestASegmentWithUsedUpGenerationsStays(t *testing.T) {
	large(t)
	for _, gen := range []uint32{lastGen, lastGen - nextGen} {
		w := newWheel(t, schemes.Config{Slots: 4})
		hs := w.start(t, 4*segLen, 9)
		const i = 2*segLen + 5
		w.records.At(i).Gen = gen | stateInReach
		hs[i-1] = handle(i, gen) // the records are taken from 1 on
		w.stop(t, hs)
		if gen == lastGen {
			require.Equal(t, gen, w.records.At(i).Gen&^stateMask)
		}
		require.NoError(t, w.Check())
		for _, h := range w.start(t, 4*segLen, 9) {
			require.False(t, uint32(h) == i && (gen == lastGen || h != handle(i, lastGen)))
		}
		require.NoError(t, w.Check())
	}
}

// With Config.Heap, everything is in Go's heap; what is not is given back at once by Release.
func TestHeapAndRelease(t *testing.T) {
	const n = 200_000
	w := newWheel(t, schemes.Config{Slots: 4, Heap: true, Capacity: n})
	w.start(t, n, 9)
	assert.Zero(t, w.OffHeap())
	w = newWheel(t, schemes.Config{Slots: 4, Capacity: n})
	w.start(t, n, 9)
	w.Release()
	assert.Zero(t, w.OffHeap())
}

func TestBadSizes(t *testing.T) {
	for _, cfg := range []schemes.Config{{Capacity: -1}, {Capacity: maxRecords + 1}, {Capacity: min(1<<40, math.MaxInt)}} {
		_, err := New("x", cfg, 4, nil, nil, 1)
		assert.ErrorIs(t, err, schemes.ErrConfig)
	}
}

// Ticks do not make and drop a segment of chunks each, wherever its boundary falls. For records, see
// the store's test.
func TestNoThrashingAtASegmentsBoundary(t *testing.T) {
	large(t)
	const full = segChunks * (chunkLen - 1)
	for _, n := range []int{full - chunkLen, full - 1, full, full + chunkLen, 3 * full} {
		w := newWheel(t, schemes.Config{Slots: 4})
		w.start(t, n, 1<<30)
		w.start(t, 2*full, 3)
		for range 3 {
			w.PerTick()
		}
		w.Expire(func(schemes.ID) {})
		action := func(id schemes.ID) { w.Start(1, id) }
		w.start(t, 2*chunkLen, 1)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			w.PerTick()
			w.Expire(action)
		}), "%d timers", n)
	}
}

// Segments of records and of chunks, as the store has them.
const (
	segLen    = 1 << 16
	segChunks = 1 << 13
)

// large skips a test that fills segments, with -short.
func large(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of thousands of timers")
	}
}
