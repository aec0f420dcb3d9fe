package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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
			i, record := s.take(schemes.ID(len(r.want[0])), 1)
			require.NotNil(t, record)
			s.Insert(uint32(ring), i, record)
			r.want[ring] = append(r.want[ring], i)
		}
	}
	return r
}

// check compares both rings with the slices, forwards and, by Walk, backwards.
func (r *two) check(t require.TestingT) {
	for ring, want := range r.want {
		var got []uint32
		require.NoError(t, r.s.Walk(uint32(ring), func(i uint32, _ *Record) error {
			got = append(got, i)
			return nil
		}))
		require.Equal(t, append([]uint32{}, want...), append([]uint32{}, got...), "ring %d", ring)
	}
}

// TestMoveZeros compares MoveZeros with its definition on a slice, for every pattern of
// records that leave.
func TestMoveZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 1), 0, 12).Draw(t, "keys")
		r := newTwo(t, [2]int{rapid.IntRange(0, 3).Draw(t, "due"), len(keys)})
		for _, i := range r.want[Due] {
			r.s.At(i).Key = 0
		}
		var stay []uint32
		for k, i := range r.want[1] {
			r.s.At(i).Key = keys[k]
			if keys[k] == 0 {
				r.want[Due] = append(r.want[Due], i)
			} else {
				stay = append(stay, i)
			}
		}
		moved := len(keys) - len(stay)
		require.Equal(t, moved, r.s.MoveZeros(1, len(keys), moved))
		r.want[1] = stay
		r.check(t)
		require.Equal(t, len(stay) > 0, r.s.Occupied(1))
	})
}

// TestSpliceUpTo moves every prefix of a ring behind another.
func TestSpliceUpTo(t *testing.T) {
	for length := range 5 {
		for prefix := 0; prefix <= length; prefix++ {
			for behind := range 3 {
				r := newTwo(t, [2]int{length, behind})
				end := uint32(0)
				if prefix < length {
					end = r.want[0][prefix]
				}
				r.s.Splice(0, end, 1)
				r.want[1] = append(r.want[1], r.want[0][:prefix]...)
				r.want[0] = append([]uint32(nil), r.want[0][prefix:]...)
				r.check(t)
			}
		}
	}
}

// Expire takes the first record each time, and leaves a whole ring to the action.
func TestExpireInOrder(t *testing.T) {
	r := newTwo(t, [2]int{3, 0})
	for k, i := range r.want[0] {
		r.s.At(i).ID = schemes.ID(k)
	}
	left := schemes.ID(0)
	r.s.Expire(func(id schemes.ID) {
		assert.Equal(t, left, id)
		left++
		r.want[0] = append([]uint32(nil), r.want[0][1:]...)
		r.check(t)
	})
	assert.Equal(t, schemes.ID(3), left)
	assert.Zero(t, r.s.Len())
}

func TestDetach(t *testing.T) {
	r := newTwo(t, [2]int{3, 0})
	var got []uint32
	first, last := r.s.Detach(0)
	assert.Equal(t, r.want[0][2], last)
	for i := first; i != 0; i = r.s.At(i).Next {
		got = append(got, i)
	}
	assert.Equal(t, r.want[0], got)
	assert.Equal(t, uint32(0), r.s.At(0).Next, "the ring is empty")
	assert.Equal(t, uint32(0), r.s.At(0).Prev)
}

// Walks over rings of every length, whole or up to a record.
func TestWalks(t *testing.T) {
	const ring = 1
	for length := range 8 {
		for short := 0; short <= length; short++ { // records from the end of MoveDue on
			s := newStore(t, 2, 0)
			records := fill(t, s, length)
			least := ^uint64(0)
			for k, i := range records {
				s.At(i).Key = uint64(10 + (k*5+short)%7)
				least = min(least, s.At(i).Key)
				s.Insert(ring, i, s.At(i))
			}
			require.Equal(t, least, s.Least(ring))
			if length > 0 {
				require.Equal(t, s.At(records[0]).Key, s.First(ring))
				s.Lower(ring, 3)
				require.Equal(t, uint64(length), s.Tally.Visits)
				require.Equal(t, least-3, s.Least(ring))
			}
			end := uint32(ring)
			if short > 0 {
				end = records[length-short]
			}
			require.Equal(t, length-short, s.MoveDue(ring, end))
			for k, i := range records {
				require.Equal(t, k < length-short, s.At(i).Key == 0, "record %d of %d, the last %d left out", k, length, short)
			}
		}
	}
}

// Bits follow the rings through every way in and out.
func TestBitsFollowTheRings(t *testing.T) {
	const due, a, b = 0, 1, 2
	s := newStore(t, 3, 0)
	r := fill(t, s, 4)
	want := func(what string, inA, inB bool) {
		t.Helper()
		assert.Equal(t, [2]bool{inA, inB}, [2]bool{s.Occupied(a), s.Occupied(b)}, what)
	}
	want("fresh", false, false)
	s.Insert(a, r[0], s.At(r[0]))
	s.Insert(r[0], r[1], s.At(r[1]))
	s.Insert(b, r[2], s.At(r[2]))
	want("entered", true, true)
	s.Unlink(s.At(r[0]))
	s.Unlink(s.At(r[2]))
	want("one of two left, and the only one", true, false)
	s.Insert(b, r[0], s.At(r[0]))
	s.Splice(a, a, due)
	s.Splice(b, r[0], due)
	want("all and none spliced", false, true)
	s.Detach(b)
	want("detached", false, false)
	s.Insert(b, r[0], s.At(r[0]))
	s.MoveZeros(b, 1, 0)
	want("none moved", false, true)
	s.At(r[0]).Key = 0
	s.MoveZeros(b, 1, 1)
	want("all moved", false, false)
}
