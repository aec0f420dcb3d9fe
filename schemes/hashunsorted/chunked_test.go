package hashunsorted

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformanceChunked(t *testing.T) { schemetest.Run(t, &Chunked) }

func FuzzConformanceChunked(f *testing.F) { schemetest.Fuzz(f, &Chunked) }

// A far timer's entry comes up every 2^32 ticks, or seems to, as does one that stands
// for none; Advance need not stop there.
func TestAdvanceToAFarTimer(t *testing.T) {
	for _, slots := range []int{1, 3, 8, 1000, 1_000_003} {
		w := made[*chunked](t, &Chunked, schemes.Config{Now: 7, Slots: slots})
		for id := range schemes.ID(100) {
			started(t, w, 1<<62+schemes.Tick(id), id)
			require.True(t, w.Stop(started(t, w, 1<<62-1, id)))
		}
		passed, due := w.Advance(math.MaxUint64)
		assert.Equal(t, schemes.Tick(1<<62), passed)
		assert.Equal(t, 1, due)
		assert.Less(t, w.Counts().Visits, uint64(1000))
		require.NoError(t, w.Check())
	}
}

// Nothing remains of a timer that was restarted and has expired.
func TestAdvanceKeepsNothingForEver(t *testing.T) {
	for _, slots := range []int{1, 3, 8} {
		for _, now := range []schemes.Tick{0, math.MaxUint64 - 1<<40} {
			for _, far := range []schemes.Tick{3, 1 << 20, 1 << 33, 1 << 39} {
				w := made[*chunked](t, &Chunked, schemes.Config{Now: now, Slots: slots})
				_, err := w.Restart(started(t, w, far, 1), 1)
				require.NoError(t, err)
				require.Equal(t, 1, w.PerTick())
				require.Equal(t, []schemes.ID{1}, expired(w))
				passed, due := w.Advance(far)
				require.Equal(t, [2]schemes.Tick{far, 0}, [2]schemes.Tick{passed, schemes.Tick(due)})
				require.Zero(t, w.Held(), "%d slots, from %d to %d", slots, now, far)
			}
		}
	}
}

// Check names the invariants that the wheel adds to its chunks'.
func TestCheckNamesWhatIsBrokenInChunked(t *testing.T) {
	schemetest.CheckNames(t, &Chunked, schemes.Config{Slots: 4}, []schemetest.Corruption[*chunked]{
		{Name: "the pointer", Corrupt: func(w *chunked) { w.pointer = 3 }, Want: "the pointer is at slot 3"},
		{Name: "the clock", Corrupt: func(w *chunked) { w.Now++ }, Want: "but the clock (3) is in slot 3"},
		{Name: "a revolution", Corrupt: func(w *chunked) { w.Now += 4 }, Want: "comes up now, but waits"},
		{Name: "M", Corrupt: func(w *chunked) { w.slots = 5 }, Want: "which is in another slot"},
		{Name: "an occupied slot marked as empty", Corrupt: func(w *chunked) { w.Clear(1) }, Want: "slot 1: it ends at"},
	})
	schemetest.CheckNames(t, &Chunked, schemes.Config{Slots: 64}, []schemetest.Corruption[*chunked]{
		{Name: "an empty slot marked as occupied", Corrupt: func(w *chunked) { w.Mark(60) }, Want: "slot 60: it ends at 0, but its bit says true"},
	})
}

// The entry of a stopped timer serves the record's next timer if that is due later. When it comes
// up, the timer is passed on.
func TestChunkedReuse(t *testing.T) {
	w := made[*chunked](t, &Chunked, schemes.Config{Slots: 4})
	require.True(t, w.Stop(started(t, w, 2, 1)))
	assert.Equal(t, [2]int{0, 1}, [2]int{w.Len(), w.Held()})
	assert.Equal(t, "now 0, 0 outstanding, id(deadline)\nslot [0]: -\n", w.String())
	started(t, w, 5, 2)
	assert.Equal(t, "now 0, 1 outstanding, id(deadline)\nslot [0]: -\nslot 2: 2(5)\n", w.String())
	w.PerTick()
	assert.Zero(t, w.PerTick())
	assert.Equal(t, "now 2, 1 outstanding, id(deadline)\nslot 1: 2(5)\nslot [2]: -\n", w.String())
	assert.Equal(t, schemes.Counts{Visits: 1, Links: 3, EmptySlots: 1}, w.Counts())
	w.PerTick()
	w.PerTick()
	assert.Equal(t, 1, w.PerTick())
	assert.Equal(t, "now 5, 1 outstanding, id(deadline)\nslot [1]: -\ndue: 2\n", w.String())
	assert.Equal(t, []schemes.ID{2}, expired(w))
	assert.Equal(t, schemes.Counts{Visits: 2, Links: 4, EmptySlots: 3}, w.Counts())
}
