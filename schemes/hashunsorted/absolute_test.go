package hashunsorted

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

func TestConformanceAbsolute(t *testing.T) { schemetest.Run(t, &Absolute) }

func TestConformanceMulhash(t *testing.T) { schemetest.Run(t, &Mulhash) }

func FuzzConformanceAbsolute(f *testing.F) { schemetest.Fuzz(f, &Absolute) }

func FuzzConformanceMulhash(f *testing.F) { schemetest.Fuzz(f, &Mulhash) }

// Check names each invariant that deadlines add.
func TestCheckNamesWhatIsBrokenInAbsolute(t *testing.T) {
	first := func(s *absolute) uint32 { return s.At(store.FirstSlot).Next }
	ways := []schemetest.Corruption[*absolute]{
		{Name: "home", Corrupt: func(s *absolute) { s.At(first(s)).Key++ }, Want: "another home"},
		{Name: "a deadline that has passed", Corrupt: func(s *absolute) { s.At(first(s)).Key = uint64(s.Now) }, Want: "is past"},
	}
	schemetest.CheckNames(t, &Absolute, schemes.Config{Slots: 4}, ways)
	schemetest.CheckNames(t, &Mulhash, schemes.Config{Slots: 4}, ways)
}

// Comparing looks at the same timers as counting rounds down, tick by tick.
func TestAbsoluteCountsAsRounds(t *testing.T) {
	for _, slots := range []int{1, 3, 8} {
		rounds, err := Info.New(schemes.Config{Now: 5, Slots: slots})
		require.NoError(t, err)
		absolute, err := Absolute.New(schemes.Config{Now: 5, Slots: slots})
		require.NoError(t, err)
		for id := range schemes.ID(300) {
			for _, s := range []schemes.Scheme{rounds, absolute} {
				_, err := s.Start(schemes.Tick(1+id*id%101), id)
				require.NoError(t, err)
			}
			require.Equal(t, rounds.PerTick(), absolute.PerTick())
			require.Equal(t, rounds.(schemes.Counter).Counts(), absolute.(schemes.Counter).Counts())
			assert.Equal(t, expired(rounds), expired(absolute), "in the same order too")
		}
	}
}

func expired(s schemes.Scheme) (ids []schemes.ID) {
	s.Expire(func(id schemes.ID) { ids = append(ids, id) })
	return ids
}

// The multiplicative hash is of the deadline, not of the rotation: M ticks in
// sequence do not come to M slots, but many ticks share the slots evenly, for any
// M.
func TestMulhashIsEven(t *testing.T) {
	for _, slots := range []int{1, 2, 3, 10, 64, 1000} {
		s, err := Mulhash.New(schemes.Config{Now: 1<<32 - 3, Slots: slots})
		require.NoError(t, err)
		a, found := s.(*absolute), make([]int, slots)
		for tick := range schemes.Tick(1000 * slots) {
			found[a.home(a.Now+tick)]++
		}
		for slot, n := range found {
			assert.InDelta(t, 1000, n, 5, "slot %d of %d", slot, slots)
		}
	}
}
