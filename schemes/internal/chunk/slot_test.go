package chunk

import (
	"math/rand/v2"
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
					w.put(slot, next)
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
				if end := w.end(slot); end != 0 {
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
						got = append(got, *w.arena.at(pos))
					}
					require.True(t, slices.Equal(lists[slot], got), "slot %d: %v, want %v", slot, got, lists[slot])
					require.Equal(t, len(got) > 0, w.Has(slot))
					chunks += (max(len(got), smallLen-1) - (smallLen - 1) + chunkLen - 2) / (chunkLen - 1)
				}
				live := 0
				for n := range w.arena.segs {
					live += int(w.arena.segs[n].live)
				}
				require.Equal(t, chunks, live, "chunks in use")
			},
		})
	})
}

// put appends an entry to a slot, as enter does.
func (w *wheel) put(slot uint32, e Entry) {
	pos := w.slots[slot]
	if pos%smallLen == 0 {
		pos = w.room(slot, pos)
	}
	*w.arena.at(pos) = e
	w.slots[slot] = pos + 1
}

// positions returns those of a slot's entries, in the order in which they came.
func (w *wheel) positions(slot uint32) (all []uint32) {
	for end := w.end(slot); end != 0; {
		entries, head, before := w.chunk(end)
		for at := range entries {
			all = append(all, head+uint32(len(entries)-at))
		}
		end = before
	}
	slices.Reverse(all)
	return all
}

// Chunks in use are never handed out again, and come back to the last one; memory
// follows.
func TestArena(t *testing.T) {
	a := newArena(0, 4)
	random := rand.New(rand.NewPCG(5, 6))
	for range 3 {
		used := map[uint32]bool{}
		var all []uint32
		for range 3 * segChunks {
			head := a.alloc()
			require.Zero(t, head%chunkLen)
			require.False(t, a.isSmall(head) || used[head])
			used[head] = true
			all = append(all, head)
		}
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		for _, head := range all {
			a.free(head)
		}
		held := 0
		for _, mem := range a.mem {
			held += len(mem)
		}
		require.LessOrEqual(t, held, 2*segEntries+4*smallLen)
	}
}

// TestOccupied compares From with a naive loop, for many sizes and every first and
// end around words of bits, and of words.
func TestOccupied(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 63, 64, 65, 127, 128, 1000, 4095, 4096, 4097, 8192, 8193, 70_000, 300_000} {
		for _, occupied := range []int{0, 1, 2, 5, 100, n / 2, n} {
			o, is := NewOccupied(n), make([]bool, n)
			for range occupied {
				slot := random.IntN(n)
				o.Set(uint32(slot))
				is[slot] = true
			}
			for slot := range n {
				if is[slot] && random.IntN(4) == 0 {
					o.Clear(uint32(slot))
					is[slot] = false
				}
				require.Equal(t, is[slot], o.Has(uint32(slot)))
			}
			for range 300 {
				first, end := edge(random, n), edge(random, n)
				want := first
				for want < end && !is[want] {
					want++
				}
				slot, ok := o.From(uint32(first), uint32(end))
				require.Equal(t, want < end, ok, "n %d: from %d to %d", n, first, end)
				if ok {
					require.Equal(t, uint32(want), slot, "n %d: from %d to %d", n, first, end)
				}
			}
		}
	}
}

// edge draws a number up to n that likes to be beside a multiple of 64 or of 4096.
func edge(random *rand.Rand, n int) int {
	at := random.IntN(n + 1)
	switch random.IntN(3) {
	case 0:
		at = at&^63 + random.IntN(3) - 1
	case 1:
		at = at&^4095 + random.IntN(3) - 1
	}
	return min(max(at, 0), n)
}
