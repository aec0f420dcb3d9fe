package tree

import (
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

func TestConformanceQuaternary(t *testing.T) { schemetest.Run(t, &Quaternary) }

func FuzzConformanceQuaternary(f *testing.F) { schemetest.Fuzz(f, &Quaternary) }

func TestConformanceWide(t *testing.T) { schemetest.Run(t, &Wide) }

func FuzzConformanceWide(f *testing.F) { schemetest.Fuzz(f, &Wide) }

func TestConformanceUnbalanced(t *testing.T) { schemetest.Run(t, &Unbalanced) }

func FuzzConformanceUnbalanced(f *testing.F) { schemetest.Fuzz(f, &Unbalanced) }

// started returns a tree with timers of these intervals and their handles; the
// IDs count from 0.
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
	return s.(*tree), handles
}

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
	for _, info := range []*schemes.Info{&Info, &Quaternary, &Wide, &Unbalanced} {
		t.Run(info.Name, func(t *testing.T) {
			schemetest.CheckNames(t, info, schemes.Config{}, []schemetest.Corruption[*tree]{
				{Name: "an entry whose record is free", Corrupt: func(s *tree) { s.Free(s.first.record, s.At(s.first.record)) }, Want: "holds no timer"},
				{Name: "an entry and its record differ", Corrupt: func(s *tree) { s.At(s.first.record).Key++ }, Want: "its entry says"},
				{Name: "a deadline that has passed", Corrupt: func(s *tree) { s.Now++ }, Want: "still waits"},
				{Name: "a later timer as the first", Corrupt: func(s *tree) { s.first.deadline++ }, Want: "first: record"},
				{Name: "no timer as the first", Corrupt: func(s *tree) { s.first = entry{} }, Want: "first: record"},
				{Name: "the first in another record", Corrupt: func(s *tree) { s.first.record++ }, Want: "first: record"},
				{Name: "a timer outside the tree", Corrupt: func(s *tree) { s.queue.remove(s.first.record + 5) }, Want: "Len says"},
				{Name: "a waiting timer marked as due", Corrupt: func(s *tree) { s.At(s.first.record).Key = 0 }, Want: "its entry says"},
			})
		})
	}
}

// A timer whose record is worn out is restarted in another one, which takes its
// place in every kind of tree.
func TestRestartOfAWornOutRecord(t *testing.T) {
	for _, info := range []*schemes.Info{&Info, &Quaternary, &Unbalanced} {
		s, err := info.New(schemes.Config{})
		require.NoError(t, err)
		w := s.(*tree)
		for interval := schemes.Tick(1); interval <= 9; interval++ {
			_, err := w.Start(interval, schemes.ID(interval))
			require.NoError(t, err)
		}
		for _, interval := range []schemes.Tick{20, 1} {
			worn := w.first.record
			w.At(worn).Gen = ^uint32(0) // the last
			fresh, err := w.Restart(w.At(worn).Handle(), interval)
			require.NoError(t, err, info.Name)
			require.NotEqual(t, worn, uint32(fresh), info.Name)
			require.NoError(t, w.Check(), info.Name)
		}
		var got []schemes.ID
		for range 20 {
			w.PerTick()
			w.Expire(func(id schemes.ID) { got = append(got, id) })
		}
		require.Equal(t, []schemes.ID{2, 3, 4, 5, 6, 7, 8, 9, 1}, got, info.Name)
	}
}
