package simplewheel

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
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 64}, []schemetest.Corruption[*wheel]{
		{Name: "slot", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot+8).Next).Key++ }, Want: "not this slot"},
		{Name: "a deadline beyond the range", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot + 8).Next).Key += 64 }, Want: "not this slot"},
		{Name: "a deadline that has passed", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot + 8).Next).Key -= 64 }, Want: "not this slot"},
	})
}
