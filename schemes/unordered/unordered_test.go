package unordered

import (
	"math"
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
		{"ticks beyond the clock", func(s *list) { s.At(s.After(waiting)).Key = math.MaxUint64 }, "more than the clock"},
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
