package unordered

import (
	"math"
	"testing"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{}, []schemetest.Corruption[*list]{
		{Name: "ticks beyond the clock", Corrupt: func(s *list) { s.At(s.At(waiting).Next).Key = math.MaxUint64 }, Want: "more than the clock"},
	})
}
