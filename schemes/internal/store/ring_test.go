package store

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// MoveDue moves rings of every length, in their order, behind what is due.
func TestMoveDue(t *testing.T) {
	for length := range 8 {
		for due := range 3 {
			s := newStore(t, 2, 0)
			records := fill(t, s, due+length)
			for k, i := range records {
				ring := Due
				if k >= due {
					ring = 1
				}
				s.Insert(ring, i, s.At(i))
			}
			before := s.Counts()
			require.Equal(t, length, s.MoveDue(1))
			var moved []uint32
			require.NoError(t, s.walk(Due, func(i uint32, r *Record) error {
				require.True(t, r.Key == 0 || len(moved) < due)
				moved = append(moved, i)
				return nil
			}))
			require.True(t, slices.Equal(records, moved), "%v, want %v", moved, records)
			require.EqualValues(t, 1, s.At(1).Next, "the ring is empty")
			require.EqualValues(t, 1, s.At(1).Prev)
			require.False(t, s.Bitmap.Occupied(1) && length > 0)
			require.Equal(t, schemes.Counts{Visits: uint64(length), Links: uint64(length)}, s.Counts().Sub(before))
		}
	}
}

// A ring that holds a timer has its bit set. A bit that is set may be stale: code that
// finds the ring empty clears it.
func TestBitsOfRings(t *testing.T) {
	s := newStore(t, 300, 0)
	r := fill(t, s, 3)
	s.Insert(7, r[0], s.At(r[0]))
	s.Insert(7, r[1], s.At(r[1]))
	s.Insert(250, r[2], s.At(r[2]))
	assert.Equal(t, uint32(7), s.NextOccupied(1, 300))
	s.Unlink(s.At(r[0]))
	assert.True(t, s.Occupied(7))
	s.Unlink(s.At(r[1]))
	assert.True(t, s.Bitmap.Occupied(7), "leaving clears no bit")
	ahead, ok := s.NextCircular(1, 299, 200, 1, 299)
	assert.True(t, ok)
	assert.Equal(t, uint32(49), ahead)
	s.Unlink(s.At(r[2]))
	_, ok = s.NextCircular(1, 299, 200, 1, 299)
	assert.False(t, ok)
	assert.False(t, s.Bitmap.Occupied(7) || s.Bitmap.Occupied(250), "a search clears them")
	s.Insert(7, r[0], s.At(r[0]))
	s.Unlink(s.At(r[0]))
	assert.False(t, s.Occupied(7))
	assert.False(t, s.Bitmap.Occupied(7), "and so does a look")
	assert.Equal(t, uint32(300), s.NextOccupied(1, 300))
}
