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

// TestCheckNamesWhatIsBroken corrupts each of the scheme's own invariants in
// turn.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	tests := []struct {
		name    string
		corrupt func(s *list)
		want    string
	}{
		{"order", func(s *list) { s.At(s.After(waiting)).Key = 1000 }, "order: timer"},
		{"an expiry that has passed", func(s *list) { s.At(s.After(waiting)).Key = 1 }, "order: timer"},
		{"a waiting timer marked as due", func(s *list) { s.At(s.After(waiting)).Key = 0 }, "marked as due"},
		{"a timer in no list", func(s *list) { s.Remove(s.After(waiting)) }, "Len says"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := Info.New(schemes.Config{})
			require.NoError(t, err)
			s := made.(*list)
			for interval := schemes.Tick(1); interval <= 50; interval++ {
				_, err := s.Start(interval, schemes.ID(interval))
				require.NoError(t, err)
			}
			s.PerTick()
			s.PerTick()
			require.NoError(t, s.Check())
			test.corrupt(s)
			err = s.Check()
			require.Error(t, err)
			assert.ErrorContains(t, err, Info.Name+": ")
			assert.ErrorContains(t, err, test.want)
		})
	}
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
