package chunk

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

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
	for _, path := range []string{".ends", ".Bitmap.words"} {
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
		_, err := New("x", cfg, 0, 4, nil, nil, 1)
		assert.ErrorIs(t, err, schemes.ErrConfig)
	}
}
