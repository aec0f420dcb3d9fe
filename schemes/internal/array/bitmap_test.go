package array

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNextCircular compares the search on a circle, and to its end, with one slot after the other.
func TestNextCircular(t *testing.T) {
	const first = 3
	for _, n := range []uint32{1, 2, 7, 61, 62, 64, 130, 200} { // 61 end with a word, and 62 after one
		for _, occupied := range [][]uint32{{}, {0}, {n - 1}, {n / 2}, {0, n - 1}, {n / 3, n / 2}} {
			b := Bitmap{}
			b.Extend(first + int(n))
			b.Mark(first - 1) // neither slot is on the circle
			if (first+n)%64 > 0 {
				b.Mark(first + n)
			}
			for _, slot := range occupied {
				b.Mark(first + slot)
			}
			require.Equal(t, first+n, b.NextOccupied(first+n, first+n), "of no slots")
			for position := range n {
				next := first + position
				for next < first+n && !b.Occupied(next) {
					next++
				}
				require.Equal(t, next, b.NextOccupied(first+position, first+n))
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
