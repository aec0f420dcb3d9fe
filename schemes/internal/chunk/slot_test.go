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
		var lists [slots][]Entry
		next := Entry(0)
		draw := func() uint32 { return rapid.Uint32Range(0, slots-1).Draw(t, "slot") }
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				slot := draw()
				for range rapid.IntRange(1, 80).Draw(t, "n") {
					next++
					w.push(slot, next)
					lists[slot] = append(lists[slot], next)
				}
			},
			"remove": func(t *rapid.T) {
				slot := draw()
				for range rapid.IntRange(1, 80).Draw(t, "n") {
					if len(lists[slot]) == 0 {
						return
					}
					at := rapid.IntRange(0, len(lists[slot])-1).Draw(t, "at")
					w.remove(slot, w.positions(slot)[at])
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
					w.drop(head, before)
					end = before
				}
				lists[slot] = nil
			},
			"": func(t *rapid.T) {
				chunks := 0
				for slot := range uint32(slots) {
					var got []Entry
					for _, pos := range w.positions(slot) {
						got = append(got, *w.at(pos))
					}
					require.True(t, slices.Equal(lists[slot], got), "slot %d: %v, want %v", slot, got, lists[slot])
					require.Equal(t, len(got) > 0, w.Occupied(slot))
					chunks += (max(len(got), smallLen-1) - (smallLen - 1) + chunkLen - 2) / (chunkLen - 1)
				}
				require.Equal(t, chunks, w.chunks.InUse()-smallBlocks(len(w.slots)), "chunks in use")
			},
		})
	})
}

// positions returns those of a slot's entries, in the order in which they came.
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

// push appends an entry to a slot.
func (w *wheel) push(slot uint32, e Entry) {
	pos := w.slots[slot]
	if w.full(pos) {
		pos = w.room(slot, pos)
	}
	w.slots[slot] = pos + 1
	*w.at(pos) = e
}
