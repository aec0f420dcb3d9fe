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
			i, ok := s.Alloc(schemes.ID(len(r.want[0])), 1)
			require.True(t, ok)
			s.Insert(uint32(ring), i)
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

// TestCountdown compares Countdown with its definition on a slice, for every
// pattern of records that leave.
func TestCountdown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Uint64Range(1, 2), 0, 12).Draw(t, "keys")
		r := newTwo(t, [2]int{len(keys), rapid.IntRange(0, 3).Draw(t, "due")})
		var stay []uint32
		for k, i := range r.want[0] {
			r.s.At(i).Key = keys[k]
			if keys[k] == 1 {
				r.want[1] = append(r.want[1], i)
			} else {
				stay = append(stay, i)
			}
		}
		visited, moved := r.s.countdown(0, 1)
		require.Equal(t, len(keys), visited)
		require.Equal(t, len(keys)-len(stay), moved)
		r.want[0] = stay
		r.check(t)
		for _, i := range stay {
			require.Equal(t, uint64(1), r.s.At(i).Key)
		}
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

func TestPop(t *testing.T) {
	r := newTwo(t, [2]int{3, 0})
	for len(r.want[0]) > 0 {
		i, record, ok := r.s.Pop(0)
		require.True(t, ok)
		assert.Equal(t, r.want[0][0], i)
		assert.Same(t, r.s.At(i), record)
		r.want[0] = append([]uint32(nil), r.want[0][1:]...)
		r.check(t)
	}
	_, _, ok := r.s.Pop(0)
	assert.False(t, ok)
	r.check(t)
}

func TestDetach(t *testing.T) {
	r := newTwo(t, [2]int{3, 0})
	var got []uint32
	first, _ := r.s.DetachEnds(0)
	for i := first; i != 0; i = r.s.After(i) {
		got = append(got, i)
	}
	assert.Equal(t, r.want[0], got)
	assert.Equal(t, uint32(0), r.s.After(0), "the ring is empty")
	assert.Equal(t, uint32(0), r.s.Before(0))
}

// Walks from both ends meet in the middle of rings of every length.
func TestWalksFromBothEnds(t *testing.T) {
	for length := range 8 {
		for short := 0; short <= length; short++ { // records behind the end of Zero
			s := newStore(t, 1, 0)
			records := fill(t, s, length)
			least := ^uint64(0)
			for k, i := range records {
				s.At(i).Key = uint64(10 + (k*5+short)%7)
				least = min(least, s.At(i).Key)
				s.Append(0, i, s.At(i))
			}
			require.Equal(t, least, s.Least(0))
			if length > 0 {
				require.Equal(t, length, s.Lower(0, 3))
				require.Equal(t, least-3, s.Least(0))
			}
			end := uint32(0)
			if short > 0 {
				end = records[length-short]
			}
			require.Equal(t, length-short, s.Zero(0, end))
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
	s.Insert(a, r[0])
	s.Insert(r[0], r[1])
	s.Append(b, r[2], s.At(r[2]))
	want("entered", true, true)
	s.Remove(r[0])
	s.Remove(r[2])
	want("one of two left, and the only one", true, false)
	s.Insert(b, r[0])
	s.Splice(a, a, due)
	s.Splice(b, r[0], due)
	want("all and none spliced", false, true)
	s.DetachEnds(b)
	want("detached", false, false)
	s.Append(b, r[0], s.At(r[0]))
	s.At(r[0]).Key = 2
	s.countdown(b, due)
	want("counted down", false, true)
	s.countdown(b, due)
	want("to the end", false, false)
}
