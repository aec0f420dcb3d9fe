package hashunsorted

import (
	"math"
	"testing"

	"timerlab/schemes"
	"timerlab/schemes/internal/store"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 4}, []schemetest.Corruption[*wheel]{
		{Name: "rounds beyond the clock", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key = math.MaxUint64 }, Want: "rounds left"},
	})
}
