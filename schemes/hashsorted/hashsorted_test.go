package hashsorted

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 4}, []schemetest.Corruption[*wheel]{
		{Name: "slot", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key++ }, Want: "not a coming turn"},
		{Name: "order", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key += 4000 }, Want: "order: timer"},
		{Name: "a deadline that has passed", Corrupt: func(s *wheel) { s.Now += 4 }, Want: "not a coming turn"},
	})
}

// Where all timers fall into one slot, the list is searched from end to end.
func TestOneSlotForAll(t *testing.T) {
	const n, slots = 1000, 16
	s, err := Info.New(schemes.Config{Slots: slots})
	require.NoError(t, err)
	for id := range schemes.ID(n) {
		_, err := s.Start(slots*schemes.Tick(1+id), id)
		require.NoError(t, err)
	}
	assert.Equal(t, uint64(n*(n-1)/2), s.(schemes.Counter).Counts().Compares)
}
