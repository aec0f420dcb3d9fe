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
	"timerlab/schemes/internal/store"
)

func TestSizes(t *testing.T) {
	assert.Equal(t, uintptr(20), unsafe.Sizeof(record{}))
	assert.Equal(t, uintptr(8), unsafe.Sizeof(Entry(0)))
	assert.Equal(t, uintptr(256), unsafe.Sizeof([chunkLen]Entry{}))
	assert.Equal(t, uintptr(64), unsafe.Sizeof([smallLen]Entry{}))
	assert.Equal(t, uintptr(16), unsafe.Sizeof(segment{}))
	assert.Equal(t, 2<<20, segEntries*8)
}

// As many timers as there are records, and as many entries of stopped ones, find
// room wherever they are: eight entries, the first of which need no chunk, take one.
func TestTheArenaHasRoomForAllRecords(t *testing.T) {
	const entries = 2*maxRecords + chunkLen
	assert.Less(t, entries/smallLen, (1<<32-MaxSlots*smallLen)/chunkLen-1)
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
			assert.False(t, pointers(of.Elem()), "%s has pointers", path)
		case reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan:
			if strings.HasSuffix(path, ".mapped") || path == ".Clock.stale" { // one of each region, and of each module
				return
			}
			t.Errorf("%s is a %v", path, of)
		}
	}
	visit("", m)
	for _, path := range []string{".records.pool.mem.all", ".records.pool.free.all", ".arena.pool.mem.all", ".arena.pool.free.all", ".slots", ".Bitmap.words"} {
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

// held returns the bytes that the module has for records and chunks.
func (w *wheel) held() (n int) {
	for _, g := range w.records.segs {
		n += int(g.length) * (int(unsafe.Sizeof(record{})) + 2)
	}
	n += w.arena.first * 8
	for _, g := range w.arena.segs {
		n += int(g.length) * (chunkLen*8 + 2)
	}
	return n
}

// After a peak, records and chunks are given back but for a few segments: whether
// the timers were stopped, in any order, or expired, and whatever their entries
// still name.
func TestMemoryAfterAPeak(t *testing.T) {
	const peak, few = 1_000_000, 10 << 20 // two segments of records and three of chunks: the first, the spare one, and the due list's
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
				require.Greater(t, w.held(), peak*30)
				if w.records.mem.mapped != nil {
					require.InDelta(t, w.held(), w.OffHeap(), few)
				}
				end(w, hs)
				for _, h := range hs[:1000] {
					require.False(t, w.Stop(h))
				}
				require.NoError(t, w.Check())
				require.Zero(t, w.Len())
				assert.Less(t, w.held(), few)
				assert.Less(t, w.OffHeap(), few)
				hs = nil
				if w.records.mem.mapped != nil { // the heap keeps what a region once had
					assert.Less(t, heapAlloc()-before, int64(few))
				}
			}
			runtime.KeepAlive(w)
		})
	}
}

// Generations survive memory given back: no handle comes again.
func TestGenerationsSurviveMemoryGivenBack(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 4})
	stale := map[schemes.Handle]bool{}
	for range 4 {
		hs := w.start(t, 5*recordLen, 9)
		for _, h := range hs {
			require.False(t, stale[h], "a handle from before the memory was given back came again")
			stale[h] = true
		}
		rand.New(rand.NewPCG(3, 4)).Shuffle(len(hs), func(a, b int) { hs[a], hs[b] = hs[b], hs[a] })
		w.stop(t, hs)
		require.NoError(t, w.Check())
		require.LessOrEqual(t, len(w.records.Returned)+2, len(w.records.segs))
		require.GreaterOrEqual(t, len(w.records.Returned), 2, "memory was not given back after a peak, but for the first, a spare, and the hot record's")
		for h := range stale {
			require.False(t, w.Stop(h))
		}
	}
}

// An entry may name a record whose memory was given back, or allocated again for another
// timer.
func TestEntriesOutliveTheirRecords(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 4})
	ballast := w.start(t, 4*recordLen, 1000) // so that nothing is swept
	hs := w.start(t, 2*recordLen, 50)
	w.stop(t, hs)
	require.Equal(t, 2*recordLen, w.stale)
	require.NotEmpty(t, w.records.Returned)
	gone := 0
	for pos := w.end(w.slot(50)); pos != 0; {
		entries, _, before := w.chunk(pos)
		for _, e := range entries {
			if *w.records.named(e) == (record{}) {
				gone++
			}
		}
		pos = before
	}
	require.GreaterOrEqual(t, gone, recordLen)
	require.NoError(t, w.Check())
	w.start(t, recordLen/2, 60) // some of them, in memory allocated again
	require.NoError(t, w.Check())
	for range 49 {
		require.Zero(t, w.PerTick())
	}
	require.Zero(t, w.PerTick())
	require.Zero(t, w.stale)
	require.NoError(t, w.Check())
	for range 9 {
		require.Zero(t, w.PerTick())
	}
	require.Equal(t, recordLen/2, w.PerTick())
	w.Expire(func(schemes.ID) {})
	w.stop(t, ballast)
	require.NoError(t, w.Check())
}

// A segment with a record that has no generation left is not given back.
func TestASegmentWithUsedUpGenerationsStays(t *testing.T) {
	for _, gen := range []uint32{lastGen, lastGen - nextGen} {
		w := newWheel(t, schemes.Config{Slots: 4})
		hs := w.start(t, 4*recordLen, 9)
		const i = 2*recordLen + 5
		w.records.named(i).genState = gen | stateExact
		hs[i] = handle(i, gen)
		w.stop(t, hs)
		require.NotZero(t, w.records.segs[2].length)
		require.NoError(t, w.Check())
		for _, h := range w.start(t, 4*recordLen, 9) {
			require.False(t, uint32(h) == i && (gen == lastGen || uint32(h>>32) != lastGen|stateExact))
		}
		require.NoError(t, w.Check())
	}
}

func TestCapacityIsAllocatedUpFrontAndKept(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 64, Capacity: 3 * recordLen})
	before := w.held()
	for range 2 {
		hs := w.start(t, 3*recordLen, 9)
		assert.Equal(t, before, w.held())
		w.stop(t, hs)
		assert.Equal(t, before, w.held())
	}
}

func TestASmallModuleIsSmall(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 4})
	w.start(t, 100, 9)
	assert.Less(t, w.held(), 8<<10)
}

func TestBadSizes(t *testing.T) {
	for _, cfg := range []schemes.Config{{Capacity: -1}, {Capacity: maxRecords + 1}, {Capacity: min(1<<40, math.MaxInt)}} {
		_, err := New("x", cfg, 4, store.Placement{}, 1)
		assert.ErrorIs(t, err, schemes.ErrConfig)
	}
	_, err := New("x", schemes.Config{}, MaxSlots+1, store.Placement{}, 1)
	assert.ErrorIs(t, err, schemes.ErrConfig)
}

// Starts and stops in turn do not make and drop a segment each, wherever the
// boundary of a segment falls; nor do ticks, where that of a segment of chunks does.
func TestNoThrashingAtASegmentsBoundary(t *testing.T) {
	for _, n := range []int{0, recordLen - 2, recordLen - 1, 2*recordLen - 1, 3*recordLen - 1} {
		w := newWheel(t, schemes.Config{Slots: 4})
		w.start(t, n, 99)
		w.stop(t, w.start(t, 2*recordLen, 99)) // a peak, so that segments empty
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			a, _ := w.Start(9, 1)
			b, _ := w.Start(9, 1)
			w.Stop(a)
			w.Stop(b)
		}), "%d timers", n)
	}
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
