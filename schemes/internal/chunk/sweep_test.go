package chunk

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// looks returns the most entries that n stops may examine: their credit, and the
// rest of a chunk.
func looks(stops int) int { return stops*sweepPerStop + chunkLen }

// stopCounted stops timers and returns how many entries the sweep looked at for one
// of them at most, and for all. It verifies the bound too.
func (w *wheel) stopCounted(t *testing.T, hs []schemes.Handle) (most, all int) {
	for _, h := range hs {
		looked, before := w.sweep.looked, w.Tally.Links
		require.True(t, w.Stop(h))
		looked = w.sweep.looked - looked
		require.LessOrEqual(t, int(w.Tally.Links-before), looks(1))
		most, all = max(most, looked), all+looked
		require.LessOrEqual(t, w.stale(), w.waiting()+chunkLen)
	}
	return most, all
}

// Entries of one record that come up on one tick cannot be distinguished, and no sweep
// removes them: restarts to near and back to far make as many as one likes. Sweeps
// in vain are paid for by later stops, so that many stops still look
// at few entries each.
func TestStopsAmongDoubles(t *testing.T) {
	const doubles, others = 2000, 9000
	w := newWheel(t, schemes.Config{Slots: 1 << 14})
	hs := w.start(t, others, 900_000)
	h := w.start(t, 1, 800_000)[0]
	due := w.Now + 800_000
	for range doubles {
		for _, interval := range []schemes.Tick{1, due - w.Now} {
			var err error
			h, err = w.Restart(h, interval)
			require.NoError(t, err)
		}
		w.PerTick()
	}
	require.GreaterOrEqual(t, w.stale(), doubles)
	before := w.sweep.looked
	w.stop(t, hs)
	require.NoError(t, w.Check())
	require.GreaterOrEqual(t, w.stale(), doubles, "they are what cannot be swept")
	entries := doubles + others
	assert.LessOrEqual(t, w.sweep.looked-before, looks(len(hs))+2*2*entries, "their credit, and a futile revolution at the end")
	require.Equal(t, 1, w.Len())
}

// A stop looks at no more than a constant number of entries, and many stops at eight
// each.
func TestAStopLooksAtFewEntries(t *testing.T) {
	for _, slots := range []int{1, 64, 1 << 14} {
		w := newWheel(t, schemes.Config{Slots: slots})
		var hs []schemes.Handle
		for id := range schemes.ID(20_000) {
			h, err := w.Start(1+schemes.Tick(id*7919%50_000), id)
			require.NoError(t, err)
			hs = append(hs, h)
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(hs), func(a, b int) { hs[a], hs[b] = hs[b], hs[a] })
		most, all := w.stopCounted(t, hs)
		assert.LessOrEqual(t, most, looks(1))
		assert.LessOrEqual(t, all, looks(len(hs)))
		assert.Positive(t, all)
		require.NoError(t, w.Check())
	}
}

// Stops of far timers do not make a tick visit more than what comes up on it.
func TestStopsDoNotBurdenATick(t *testing.T) {
	for _, far := range []schemes.Tick{1<<20 + 1, 1<<40 + 1} {
		w := newWheel(t, schemes.Config{Slots: 1 << 10})
		for k := range schemes.Tick(100) {
			w.start(t, 1, k+1)
		}
		w.stop(t, w.start(t, 10_000, far))
		for range 100 {
			before := w.Counts().Visits
			require.Equal(t, 1, w.PerTick())
			require.LessOrEqual(t, w.Counts().Visits-before, uint64(1+2*chunkLen), "what is left of the far ones is a chunk")
		}
	}
}

// A deadline sweeps in proportion to the timers that are due, and after the last one
// no more than a chunk is left.
func TestExpiriesSweep(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 64})
	w.start(t, 10_000, 5)
	w.stop(t, w.start(t, 4_999, 1_000_000))
	require.Equal(t, 4_999, w.stale())
	for range 5 {
		w.PerTick()
	}
	require.Zero(t, w.waiting())
	assert.LessOrEqual(t, w.stale(), chunkLen)
	assert.LessOrEqual(t, w.sweep.credit, 0, "what was not needed is not kept")
	require.NoError(t, w.Check())
}

// The sweep goes on where it was, whatever is dropped around it.
func TestTheSweepKeepsItsPlace(t *testing.T) {
	w := newWheel(t, schemes.Config{Slots: 8})
	for slot := range schemes.Tick(7) {
		w.start(t, 2*chunkLen, slot+1)
	}
	for _, slot := range []uint32{1, 4, 5} {
		small := slot*smallLen + smallLen
		w.sweep = sweep{slot: slot, end: small}
		for other := range uint32(8) {
			if other == slot || w.endOf(other) == 0 {
				continue
			}
			for end := w.take(other); end != 0; {
				entries, head, before := w.chunk(end)
				w.entries -= len(entries)
				w.drop(head, before)
				end = before
			}
			require.Equal(t, small, w.sweep.end, "slot %d was emptied, the sweep is in slot %d", other, slot)
		}
		w = newWheel(t, schemes.Config{Slots: 8})
		for slot := range schemes.Tick(7) {
			w.start(t, 2*chunkLen, slot+1)
		}
	}
}

// The sweep ends a slot whatever that does between two looks: it shrinks to any
// length, and grows again.
func TestTheSweepFollowsItsSlot(t *testing.T) {
	const entries = 6 * chunkLen
	for looks := range 7 {
		for gone := range entries + 1 {
			for _, grow := range []int{0, 1, 2 * chunkLen} {
				w := newWheel(t, schemes.Config{Slots: 2})
				w.start(t, entries, 1000)
				w.sweep.slot = 1
				for range looks {
					w.cleanChunk()
				}
				for range gone {
					w.remove(0, w.slots[0]-1)
				}
				w.entries -= gone
				w.start(t, grow, 1000)
				for range 10 {
					if w.sweep.end != 0 {
						require.LessOrEqual(t, w.cleanChunk(), chunkLen-1)
					}
				}
				require.Zero(t, w.sweep.end, "%d looks, %d entries gone", looks, gone)
				require.Equal(t, entries-gone+grow, w.entries, "none is stale")
			}
		}
	}
}

// entriesAfter returns how many entries again made of a timer of an interval.
func entriesAfter(t *testing.T, w *wheel, interval schemes.Tick, again func(h schemes.Handle)) int {
	h := w.start(t, 1, interval)[0]
	before := w.entries
	again(h)
	require.NoError(t, w.Check())
	return w.entries - before
}

// A later timer of the same record makes no entry, an earlier one does. From 2^32 ticks
// on a low word is ambiguous, unless it is the same timer restarted at the same tick.
func TestReuse(t *testing.T) {
	const half = 1 << 32
	tests := []struct {
		first, second    schemes.Tick
		started, resumed int // entries made by stop and start, by restart
	}{
		{10, 10, 0, 0},
		{10, 11, 0, 0},
		{10, half - 1, 0, 0},
		{10, half, 1, 1},
		{10, 1 << 60, 1, 1},
		{10, half + 10, 1, 1},
		{10, 9, 1, 1},
		{10, 1, 1, 1},
		{half - 1, half - 1, 0, 0},
		{half - 1, half + 5, 1, 1},
		{half - 1, 5, 1, 1},
		{half, half, 1, 0},
		{half + 10, 10, 1, 1},
		{half + 10, half + 11, 1, 1},
		{half + 10, 2*half + 10, 1, 1},
	}
	for _, test := range tests {
		for _, now := range []schemes.Tick{0, 7, half - 3, 1<<63 - 5} {
			w := newWheel(t, schemes.Config{Slots: 8, Now: now})
			assert.Equal(t, test.started, entriesAfter(t, w, test.first, func(h schemes.Handle) {
				require.True(t, w.Stop(h))
				w.start(t, 1, test.second)
			}), "%d: %d stopped, then %d started", now, test.first, test.second)
			w = newWheel(t, schemes.Config{Slots: 8, Now: now})
			assert.Equal(t, test.resumed, entriesAfter(t, w, test.first, func(h schemes.Handle) {
				_, err := w.Restart(h, test.second)
				require.NoError(t, err)
			}), "%d: %d restarted as %d", now, test.first, test.second)
		}
	}
}
