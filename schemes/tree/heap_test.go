package tree

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

var heaps = []*schemes.Info{&Info, &Quaternary, &Wide}

// Check names each invariant of the array that is broken.
func TestCheckNamesWhatIsBrokenInHeaps(t *testing.T) {
	at := func(s *tree, place int) *entry { h := s.queue.(*heap); return h.entries.At(h.root + place) }
	for _, info := range heaps {
		t.Run(info.Name, func(t *testing.T) {
			schemetest.CheckNames(t, info, schemes.Config{}, []schemetest.Corruption[*tree]{
				{Name: "an entry and its record differ", Corrupt: func(s *tree) { at(s, 2).deadline++ }, Want: "its entry says"},
				{Name: "a place and its record differ", Corrupt: func(s *tree) { s.At(at(s, 2).record).Prev = 1 }, Want: "its entry is at"},
				{Name: "heap order", Corrupt: func(s *tree) { e := at(s, 0); e.deadline = 1000; s.At(e.record).Key = 1000 }, Want: "expires before the one above it"},
				{Name: "a timer without an entry", Corrupt: func(s *tree) { s.queue.(*heap).entries.Pop() }, Want: "Len says"},
			})
		})
	}
}

// Going down and up are inverse, the places below one begin at a multiple of the
// arity, and none is left out.
func TestPlaces(t *testing.T) {
	for _, info := range heaps {
		s, _ := started(t, info)
		h := s.queue.(*heap)
		arity, next := h.root+1, h.root+1
		for at := h.root; at < 600; at++ {
			assert.Equal(t, next, h.child(at))
			assert.Zero(t, next%arity)
			for range arity {
				assert.Equal(t, at, h.parent(next))
				next++
			}
		}
	}
}

// Going up compares with one timer a level, going down with all that are below
// one: the first of them, and the others among each other.
func TestComparesOfHeaps(t *testing.T) {
	for _, info := range heaps {
		s, _ := started(t, info)
		arity := s.queue.(*heap).root + 1
		timers := 1 + arity + arity*arity // three full levels
		for i := range timers {
			s.Start(schemes.Tick(1+i), 1)
		}
		assert.Equal(t, uint64(timers-1), s.Counts().Compares, "%s: each is later than the one above it", info.Name)
		before := s.Counts().Compares
		assert.Equal(t, 1, s.PerTick())
		assert.Equal(t, uint64(2*arity), s.Counts().Compares-before, "%s: the last goes down two levels", info.Name)
		before = s.Counts().Compares
		s.Start(1, 1)
		assert.Equal(t, uint64(2), s.Counts().Compares-before, "%s: up two levels", info.Name)
		h, before := last(s), s.Counts().Compares
		assert.True(t, s.Stop(h))
		assert.Equal(t, before, s.Counts().Compares, "%s: the last leaves no gap", info.Name)
	}
}

// last returns the handle of the timer at the last place.
func last(s *tree) schemes.Handle {
	h := s.queue.(*heap)
	i := h.entries.At(h.entries.Len() - 1).record
	return s.At(i).Handle()
}
