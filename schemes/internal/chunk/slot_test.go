package chunk

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/schemes"
)

// TestSlots does what it likes with the entries of some slots and compares them with
// lists: put at the end, taken from a place, cut off, emptied.
func TestSlots(t *testing.T) {
	const slots = 5
	rapid.Check(t, func(t *rapid.T) {
		w := newWheel(t, schemes.Config{Slots: 8})
		var lists [slots][]uint32 // records
		draw := func() uint32 { return rapid.Uint32Range(0, slots-1).Draw(t, "slot") }
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				slot := draw()
				for range rapid.IntRange(1, 80).Draw(t, "n") {
					h := w.start(t, 1, slots*8+schemes.Tick(slot))[0]
					lists[slot] = append(lists[slot], uint32(h))
				}
			},
			"remove": func(t *rapid.T) {
				slot := draw()
				for range rapid.IntRange(1, 80).Draw(t, "n") {
					if len(lists[slot]) == 0 {
						return
					}
					at := rapid.IntRange(0, len(lists[slot])-1).Draw(t, "at")
					w.remove(w.records.At(lists[slot][at]))
					list := &lists[slot]
					(*list)[at] = (*list)[len(*list)-1]
					*list = (*list)[:len(*list)-1]
				}
			},
			"cut": func(t *rapid.T) {
				slot := draw()
				if end := w.endOf(slot); end != 0 {
					entries, head, before := w.chunk(end)
					lists[slot] = lists[slot][:len(lists[slot])-len(entries)]
					w.cut(slot, head, before)
				}
			},
			"take": func(t *rapid.T) {
				slot := draw()
				for end := w.take(slot); end != 0; {
					_, head, before := w.chunk(end)
					w.drop(head)
					end = before
				}
				lists[slot] = nil
			},
			"": func(t *rapid.T) {
				chunks := 0
				for slot := range uint32(slots) {
					var got []uint32
					for _, pos := range w.positions(slot) {
						i := w.at(pos).Record()
						require.Equal(t, pos, w.records.At(i).pos)
						got = append(got, i)
					}
					require.True(t, slices.Equal(lists[slot], got), "slot %d: %v, want %v", slot, got, lists[slot])
					require.Equal(t, len(got) > 0, w.Occupied(slot))
					chunks += (max(len(got), smallLen-1) - (smallLen - 1) + chunkLen - 2) / (chunkLen - 1)
				}
				require.Equal(t, chunks, w.chunks.InUse()-smallBlocks(len(w.ends)), "chunks in use")
			},
		})
	})
}

// positions returns the positions of a slot's entries, in the order in which they came.
func (w *wheel) positions(slot uint32) (all []uint32) {
	for end := w.endOf(slot); end != 0; {
		entries, head, before := w.chunk(end)
		for at := range entries {
			all = append(all, head+uint32(len(entries)-at))
		}
		end = before
	}
	slices.Reverse(all)
	return all
}
