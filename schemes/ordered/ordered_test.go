package ordered

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{}, []schemetest.Corruption[*list]{
		{Name: "order", Corrupt: func(s *list) { s.At(s.At(waiting).Next).Key = 1000 }, Want: "order: timer"},
		{Name: "a deadline that has passed", Corrupt: func(s *list) { s.At(s.At(waiting).Next).Key = 1 }, Want: "order: timer"},
	})
}

func FuzzConformanceRear(f *testing.F) { schemetest.Fuzz(f, &Rear) }

func TestConformanceRear(t *testing.T) { schemetest.Run(t, &Rear) }

// Both directions find the same place; they differ in the timers they pass.
// Equal intervals cost one comparison from the rear, and all from the head.
func TestSearchDirection(t *testing.T) {
	head, err := Info.New(schemes.Config{})
	require.NoError(t, err)
	rear, err := Rear.New(schemes.Config{})
	require.NoError(t, err)
	for id := range schemes.ID(100) {
		for _, s := range []schemes.Scheme{head, rear} {
			_, err := s.Start(1000, id)
			require.NoError(t, err)
		}
	}
	assert.Equal(t, head.(*list).String(), rear.(*list).String())
	assert.Equal(t, uint64(100*99/2), head.(*list).Counts().Compares)
	assert.Equal(t, uint64(99), rear.(*list).Counts().Compares)
}
