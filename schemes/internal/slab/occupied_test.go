package slab

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// firstMarked is NextOccupied as plainly as it can be said.
func firstMarked(s *Slab, from, end uint32) uint32 {
	for head := from; head < end; head++ {
		if s.Occupied(head) {
			return head
		}
	}
	return end
}

// TestNextOccupied marks and clears heads at random, few and many, and searches
// between any two.
func TestNextOccupied(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, heads := range []int{1, 5, 63, 64, 65, 200, 4095, 4096, 4097, 20_000} {
		for _, marked := range []int{0, 1, 3, heads / 2, heads} {
			s := newSlab(t, heads, 0)
			for range 30 {
				for range marked {
					s.Mark(uint32(random.IntN(heads)))
				}
				for range 20 {
					from, end := uint32(random.IntN(heads+1)), uint32(random.IntN(heads+1))
					require.Equal(t, firstMarked(s, from, max(from, end)), s.NextOccupied(from, max(from, end)), "%d heads, from %d to %d", heads, from, end)
				}
				require.Equal(t, firstMarked(s, 0, uint32(heads)), s.NextOccupied(0, uint32(heads)))
				require.NoError(t, s.checkSums())
				for range marked {
					s.Clear(uint32(random.IntN(heads)))
				}
			}
		}
	}
}

// A search passes over 4096 empty heads by one word, once it has seen that those
// that were marked are empty again.
func TestSearchForgetsWordsThatEmptied(t *testing.T) {
	s := newSlab(t, 1<<16, 0)
	for head := uint32(0); head < 1<<16; head += 100 {
		s.Mark(head)
		s.Clear(head)
	}
	assert.Equal(t, uint32(1<<16), s.NextOccupied(0, 1<<16))
	for at, sum := range s.sums {
		if at > 0 { // the first word is not looked up there
			assert.Zero(t, sum, "sum %d", at)
		}
	}
}

// Bits follow the rings through every way in and out.
func TestBitsFollowTheRings(t *testing.T) {
	const due, a, b = 0, 1, 2
	s := newSlab(t, 3, 0)
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
	s.Countdown(b, due)
	want("counted down", false, true)
	s.Countdown(b, due)
	want("to the end", false, false)
}
