package array

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// firstMarked is NextOccupied as plainly as it can be said.
func firstMarked(s *Bitmap, from, end uint32) uint32 {
	for slot := from; slot < end; slot++ {
		if s.Occupied(slot) {
			return slot
		}
	}
	return end
}

// TestNextOccupied marks and clears slots at random, few and many, and searches between any two.
func TestNextOccupied(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, slots := range []int{1, 5, 63, 64, 65, 200, 4095, 4096, 4097, 20_000} {
		for _, marked := range []int{0, 1, 3, slots / 2, slots} {
			s := &Bitmap{}
			s.Extend(slots)
			for range 30 {
				for range marked {
					s.Mark(uint32(random.IntN(slots)))
				}
				for range 20 {
					from, end := uint32(random.IntN(slots+1)), uint32(random.IntN(slots+1))
					require.Equal(t, firstMarked(s, from, max(from, end)), s.NextOccupied(from, max(from, end)), "%d slots, from %d to %d", slots, from, end)
				}
				require.Equal(t, firstMarked(s, 0, uint32(slots)), s.NextOccupied(0, uint32(slots)))
				for range marked {
					s.Clear(uint32(random.IntN(slots)))
				}
			}
		}
	}
}

// TestNextCircular compares the search on a circle with one slot after the other.
func TestNextCircular(t *testing.T) {
	const first = 3
	for _, n := range []uint32{1, 2, 7, 64, 130} {
		for _, occupied := range [][]uint32{{}, {0}, {n - 1}, {n / 2}, {0, n - 1}, {n / 3, n / 2}} {
			b := Bitmap{}
			b.Extend(first + int(n) + 70)
			b.Mark(first - 1) // neither slot is on the circle
			b.Mark(first + n)
			for _, slot := range occupied {
				b.Mark(first + slot)
			}
			for position := range n {
				for _, from := range []uint32{1, n/2 + 1, n, n + 1} {
					for _, most := range []uint32{0, 1, n / 2, n - 1, n} {
						want := from
						for want <= most && !b.Occupied(first+(position+want)%n) {
							want++
						}
						ahead, ok := b.NextCircular(first, n, position, from, most)
						require.Equal(t, want <= most, ok)
						if ok {
							require.Equal(t, want, ahead)
						}
					}
				}
			}
		}
	}
}
