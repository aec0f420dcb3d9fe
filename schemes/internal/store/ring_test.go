package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// two is a store with two rings, and the records of each in order as plain
// slices.
type two struct {
	s    *Store
	want [2][]uint32
}

func newTwo(t require.TestingT, lengths [2]int) *two {
	s, err := New("test", schemes.Config{}, 1)
	require.NoError(t, err)
	r := &two{s: &s}
	for ring, n := range lengths {
		for range n {
			i := s.make(t, schemes.ID(len(r.want[0])))
			s.Insert(uint32(ring), i, s.At(i))
			r.want[ring] = append(r.want[ring], i)
		}
	}
	return r
}

// check compares both rings with the slices, forwards and, by Walk, backwards.
func (r *two) check(t require.TestingT) {
	for ring, want := range r.want {
		var got []uint32
		require.NoError(t, r.s.walk(uint32(ring), func(i uint32, _ *Record) error {
			got = append(got, i)
			return nil
		}))
		require.Equal(t, append([]uint32{}, want...), append([]uint32{}, got...), "ring %d", ring)
	}
}

// MoveDue moves rings of every length, in their order, behind what is due.
func TestMoveDue(t *testing.T) {
	for length := range 8 {
		for due := range 3 {
			r := newTwo(t, [2]int{due, length})
			before := r.s.Counts()
			require.Equal(t, length, r.s.MoveDue(1))
			for _, i := range r.want[1] {
				require.Zero(t, r.s.At(i).Key)
			}
			r.want = [2][]uint32{append(r.want[0], r.want[1]...), nil}
			r.check(t)
			require.False(t, r.s.Bitmap.Occupied(1) && length > 0)
			require.Equal(t, schemes.Counts{Visits: uint64(length), Links: uint64(length)}, r.s.Counts().Sub(before))
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
