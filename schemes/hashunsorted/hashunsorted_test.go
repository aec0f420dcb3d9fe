package hashunsorted

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T)         { schemetest.Run(t, &Info) }
func TestConformanceLazy(t *testing.T)     { schemetest.Run(t, &Lazy) }
func TestConformanceAbsolute(t *testing.T) { schemetest.Run(t, &Absolute) }

func FuzzConformance(f *testing.F)         { schemetest.Fuzz(f, &Info) }
func FuzzConformanceLazy(f *testing.F)     { schemetest.Fuzz(f, &Lazy) }
func FuzzConformanceAbsolute(f *testing.F) { schemetest.Fuzz(f, &Absolute) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 4}, []schemetest.Corruption[*wheel]{
		{Name: "rounds beyond the clock", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key = math.MaxUint64 }, Want: "rounds left"},
	})
}

// Check names each invariant that marks add.
func TestCheckNamesWhatIsBrokenInLazy(t *testing.T) {
	schemetest.CheckNames(t, &Lazy, schemes.Config{Slots: 4}, []schemetest.Corruption[*lazy]{
		{Name: "a mark without a stop", Corrupt: func(s *lazy) { s.At(s.At(store.FirstSlot).Next).Link = store.NoTimer }, Want: "marked as stopped, the count says 0"},
		{Name: "a stop without a mark", Corrupt: func(s *lazy) { s.stopped = 1 }, Want: "0 timers are marked as stopped"},
		{Name: "a due timer marked", Corrupt: func(s *lazy) { s.At(s.At(store.Due).Next).Link = store.NoTimer }, Want: "is due but marked"},
		{Name: "rounds beyond the clock", Corrupt: func(s *lazy) { s.At(s.At(store.FirstSlot).Next).Key = math.MaxUint64 }, Want: "rounds left"},
	})
}

// A stopped timer is refused at once, and its record leaves when its rounds are
// used up: until then Links lags behind by the records held for nothing.
func TestLazyStop(t *testing.T) {
	s := made[*lazy](t, &Lazy, schemes.Config{Slots: 4})
	var hs []schemes.Handle
	for id := range schemes.ID(3) {
		hs = append(hs, started(t, s, 6, id))
	}
	require.True(t, s.Stop(hs[1]))
	assert.False(t, s.Stop(hs[1]))
	assert.Equal(t, "now 0, 2 outstanding, id(rounds left, x: stopped)\nslot [0]: -\nslot 2: 0(2) 1(2 x) 2(2)\n", s.String())
	for range 5 {
		require.Zero(t, s.PerTick())
		assert.Equal(t, [2]int{2, 3}, [2]int{s.Len(), s.Held()})
		assert.EqualValues(t, 3, s.Counts().Links)
	}
	assert.Equal(t, 2, s.PerTick())
	assert.Equal(t, [2]int{2, 2}, [2]int{s.Len(), s.Held()})
	assert.Equal(t, schemes.Counts{Visits: 6, Links: 6, EmptySlots: 4}, s.Counts())
	assert.False(t, s.Stop(hs[1]))
	assert.True(t, s.Stop(hs[0]), "a due timer is stopped eagerly")
	assert.Equal(t, 1, s.Held())
	for id := range schemes.ID(2) { // in both free records, the one that was marked among them
		started(t, s, 1, 10+id)
	}
	require.NoError(t, s.Check(), "a record used again is not marked")
	assert.Equal(t, 2, s.PerTick())
	assert.Equal(t, []schemes.ID{2, 10, 11}, expired(s))
}

// Check names each invariant that deadlines add.
func TestCheckNamesWhatIsBrokenInAbsolute(t *testing.T) {
	first := func(s *absolute) uint32 { return s.At(store.FirstSlot).Next }
	schemetest.CheckNames(t, &Absolute, schemes.Config{Slots: 4}, []schemetest.Corruption[*absolute]{
		{Name: "slot", Corrupt: func(s *absolute) { s.At(first(s)).Key++ }, Want: "not a coming turn"},
		{Name: "a deadline that has passed", Corrupt: func(s *absolute) { s.At(first(s)).Key = uint64(s.Now) }, Want: "not a coming turn"},
	})
}

// Comparing looks at the same timers as counting rounds down, tick by tick.
func TestAbsoluteCountsAsRounds(t *testing.T) {
	for _, slots := range []int{1, 3, 8} {
		cfg := schemes.Config{Now: 5, Slots: slots}
		rounds, compared := made[*wheel](t, &Info, cfg), made[*absolute](t, &Absolute, cfg)
		for id := range schemes.ID(300) {
			for _, s := range []schemes.Scheme{rounds, compared} {
				started(t, s, schemes.Tick(1+id*id%101), id)
			}
			require.Equal(t, rounds.PerTick(), compared.PerTick())
			require.Equal(t, rounds.Counts(), compared.Counts())
			assert.Equal(t, expired(rounds), expired(compared), "in the same order too")
		}
	}
}

func made[S schemes.Scheme](t *testing.T, info *schemes.Info, cfg schemes.Config) S {
	t.Helper()
	s, err := info.New(cfg)
	require.NoError(t, err)
	return s.(S)
}

func started(t *testing.T, s schemes.Scheme, interval schemes.Tick, id schemes.ID) schemes.Handle {
	t.Helper()
	h, err := s.Start(interval, id)
	require.NoError(t, err)
	return h
}

func expired(s schemes.Scheme) (ids []schemes.ID) {
	s.Expire(func(id schemes.ID) { ids = append(ids, id) })
	return ids
}
