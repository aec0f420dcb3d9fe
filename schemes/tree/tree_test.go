package tree

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T)           { schemetest.Run(t, &Info) }
func TestConformanceQuaternary(t *testing.T) { schemetest.Run(t, &Quaternary) }
func TestConformanceUnbalanced(t *testing.T) { schemetest.Run(t, &Unbalanced) }
func TestConformanceLazy(t *testing.T)       { schemetest.Run(t, &Lazy) }

func FuzzConformance(f *testing.F)           { schemetest.Fuzz(f, &Info) }
func FuzzConformanceQuaternary(f *testing.F) { schemetest.Fuzz(f, &Quaternary) }
func FuzzConformanceUnbalanced(f *testing.F) { schemetest.Fuzz(f, &Unbalanced) }
func FuzzConformanceLazy(f *testing.F)       { schemetest.Fuzz(f, &Lazy) }

// started returns a tree with timers of these intervals and their handles; the IDs count from 0.
func started(t *testing.T, info *schemes.Info, intervals ...schemes.Tick) (*tree, []schemes.Handle) {
	t.Helper()
	s, err := info.New(schemes.Config{})
	require.NoError(t, err)
	var handles []schemes.Handle
	for id, interval := range intervals {
		h, err := s.Start(interval, schemes.ID(id))
		require.NoError(t, err)
		handles = append(handles, h)
	}
	return s.(form).itself(), handles
}

// form is any form of the scheme.
type form interface {
	schemes.Scheme
	itself() *tree
}

func (t *tree) itself() *tree { return t } // of every form, which is or embeds it

var all = []*schemes.Info{&Info, &Quaternary, &Unbalanced, &Lazy}

// drain passes ticks and returns the IDs in the order in which they expire.
func drain(t *testing.T, s *tree, ticks int) (ids []schemes.ID) {
	t.Helper()
	for range ticks {
		s.PerTick()
		require.NoError(t, s.Check())
		s.Expire(func(id schemes.ID) { ids = append(ids, id) })
	}
	require.Zero(t, s.Len())
	return ids
}

// What every tree's Check finds.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	for _, info := range all {
		t.Run(info.Name, func(t *testing.T) {
			schemetest.CheckNames(t, info, schemes.Config{}, []schemetest.Corruption[form]{
				{Name: "an entry whose record is free", Corrupt: func(s form) { t := s.itself(); t.Free(t.first.record, t.At(t.first.record)) }, Want: "holds no timer"},
				{Name: "an entry and its record differ", Corrupt: func(s form) { t := s.itself(); t.At(t.first.record).Key++ }, Want: "its entry says"},
				{Name: "a deadline that has passed", Corrupt: func(s form) { t := s.itself(); t.Now++ }, Want: "still waits"},
				{Name: "a later timer as the first", Corrupt: func(s form) { t := s.itself(); t.first.deadline++ }, Want: "first: record"},
				{Name: "no timer as the first", Corrupt: func(s form) { t := s.itself(); t.first = entry{} }, Want: "first: record"},
				{Name: "the first in another record", Corrupt: func(s form) { t := s.itself(); t.first.record++ }, Want: "first: record"},
				{Name: "a timer outside the tree", Corrupt: func(s form) { t := s.itself(); t.queue.remove(t.first.record + 5) }, Want: "Len says"},
				{Name: "a waiting timer marked as due", Corrupt: func(s form) { t := s.itself(); t.At(t.first.record).Key = 0 }, Want: "its entry says"},
			})
		})
	}
}

// A timer whose record is worn out is restarted in another one, which takes its place in every kind of tree.
func TestRestartOfAWornOutRecord(t *testing.T) {
	for _, info := range all {
		w, _ := started(t, info, 1, 2, 3, 4, 5, 6, 7, 8, 9)
		for _, interval := range []schemes.Tick{20, 1} {
			worn := w.first.record
			w.At(worn).Gen = ^uint32(0) // the last
			fresh, err := w.Restart(w.At(worn).Handle(), interval)
			require.NoError(t, err, info.Name)
			require.NotEqual(t, worn, uint32(fresh), info.Name)
			require.NoError(t, w.Check(), info.Name)
		}
		require.Equal(t, []schemes.ID{1, 2, 3, 4, 5, 6, 7, 8, 0}, drain(t, w, 20), info.Name)
	}
}

var heaps = []*schemes.Info{&Info, &Quaternary}

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

// Going down and up are inverse, the places below one begin at a multiple of the arity, and none is left out.
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
