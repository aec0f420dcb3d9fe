package simplewheel

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/internal/module"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// TestCheckNamesWhatIsBroken corrupts each of the scheme's own invariants in
// turn.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	tests := []struct {
		name    string
		corrupt func(s *wheel)
		want    string
	}{
		{"slot", func(s *wheel) { s.At(s.After(module.FirstSlot+8)).Key++ }, "not this slot"},
		{"an expiry beyond the range", func(s *wheel) { s.At(s.After(module.FirstSlot + 8)).Key += 64 }, "not this slot"},
		{"an expiry that has passed", func(s *wheel) { s.At(s.After(module.FirstSlot + 8)).Key -= 64 }, "not this slot"},
		{"a waiting timer marked as due", func(s *wheel) { s.At(s.After(module.FirstSlot + 8)).Key = 0 }, "marked as due"},
		{"a timer in no slot", func(s *wheel) { s.Remove(s.After(module.FirstSlot + 8)) }, "Len says"},
		{"the pointer", func(s *wheel) { s.Turn(); s.Now-- }, "the pointer is at slot"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := Info.New(schemes.Config{Slots: 64})
			require.NoError(t, err)
			s := made.(*wheel)
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
