package tree

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

// Check names each invariant that marks add. Of the test's 48 timers, 12 may be marked.
func TestCheckNamesWhatIsBrokenInLazy(t *testing.T) {
	mark := func(s *lazy, from, to int) {
		for place := from; place < to; place++ {
			s.At(s.heap.entries.At(s.heap.root + place).record).Link = store.NoTimer
		}
	}
	schemetest.CheckNames(t, &Lazy, schemes.Config{}, []schemetest.Corruption[*lazy]{
		{Name: "a mark without a stop", Corrupt: func(s *lazy) { mark(s, 7, 8) }, Want: "1 of 48 timers are marked as stopped, the count says 0"},
		{Name: "a stop without a mark", Corrupt: func(s *lazy) { s.heap.stopped = 1 }, Want: "0 of 48 timers are marked as stopped"},
		{Name: "too many", Corrupt: func(s *lazy) { mark(s, 1, 14); s.heap.stopped = 13 }, Want: "13 of 48 timers are marked as stopped"},
		{Name: "the first", Corrupt: func(s *lazy) { mark(s, 0, 1); s.heap.stopped = 1 }, Want: "first: record"},
	})
}

// A stopped timer is refused at once. It leaves when it surfaces, or when more than a quarter are stopped; until then
// Links lags behind.
func TestLazyStop(t *testing.T) {
	made, err := Lazy.New(schemes.Config{})
	require.NoError(t, err)
	s, hs := made.(*lazy), []schemes.Handle(nil)
	held := func(outstanding, held, links int) {
		t.Helper()
		require.NoError(t, s.Check())
		assert.Equal(t, [3]int{outstanding, held, links}, [3]int{s.Len(), s.Held(), int(s.Counts().Links)})
	}
	for id := range schemes.ID(9) {
		h, err := s.Start(10+schemes.Tick(id), id)
		require.NoError(t, err)
		hs = append(hs, h)
	}
	require.True(t, s.Stop(hs[1]))
	assert.False(t, s.Stop(hs[1]))
	held(8, 9, 9)
	assert.Equal(t, "now 0, 8 outstanding, id(deadline, x: stopped)\nlevel 0: 0(10)\nlevel 1: 1(11 x) 2(12) 3(13) 4(14)\n"+
		"level 2: 5(15) 6(16) 7(17) 8(18)\n", s.String())
	for p := range s.View {
		assert.Equal(t, min(0, int(p.Position)-1), p.Parent, "what was below the stopped timer is below the one above it")
	}
	require.True(t, s.Stop(hs[0]))
	held(7, 7, 11) // 1 has surfaced
	require.True(t, s.Stop(hs[7]))
	held(6, 7, 11)
	require.True(t, s.Stop(hs[3]))
	held(5, 5, 13) // 2 of 7 are too many
	require.True(t, s.Stop(hs[8]))
	held(4, 5, 13)
	for range 14 {
		s.PerTick()
	}
	held(4, 4, 16) // 2 and 4 are due; of 5, 6 and 8, one is too many
}

// While Capacity timers wait, a third as many may be stopped, and nothing is allocated.
func TestLazyHolds(t *testing.T) {
	const n = 1000
	made, err := Lazy.New(schemes.Config{Capacity: n})
	require.NoError(t, err)
	s, random := made.(*lazy), rand.New(rand.NewPCG(1, 2))
	var hs []schemes.Handle
	most, room := 0, s.heap.entries.Array.Len()
	start := func() schemes.Handle {
		h, err := s.Start(1000+schemes.Tick(random.IntN(1000)), 1)
		require.NoError(t, err)
		most = max(most, s.Held())
		return h
	}
	for range n {
		hs = append(hs, start())
	}
	for range 5 * n {
		i := random.IntN(n)
		s.Stop(hs[i])
		hs[i] = start()
	}
	assert.Equal(t, n+n/3, most)
	assert.Equal(t, room, s.heap.entries.Array.Len())
}
