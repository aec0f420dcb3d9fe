package hashsorted

import (
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
		{Name: "slot", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key++ }, Want: "not a coming turn"},
		{Name: "order", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key += 4000 }, Want: "order: timer"},
		{Name: "a deadline that has passed", Corrupt: func(s *wheel) { s.Now += 4 }, Want: "not a coming turn"},
	})
}
