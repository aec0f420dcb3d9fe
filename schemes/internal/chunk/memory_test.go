package chunk

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/schemes"
)

func TestSizes(t *testing.T) {
	assert.Equal(t, 24, binary.Size(record{}))
	assert.Equal(t, 256, binary.Size(block{}))
	assert.Equal(t, 64, binary.Size([smallLen]Entry{}))
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
			assert.Positive(t, binary.Size(reflect.Zero(of.Elem()).Interface()), "%s has more than numbers", path)
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
