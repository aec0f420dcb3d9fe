package hashsorted

import (
	"testing"

	"timerlab/schemes"
	"timerlab/schemes/internal/module"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 4}, []schemetest.Corruption[*wheel]{
		{Name: "slot", Corrupt: func(s *wheel) { s.At(s.After(module.FirstSlot)).Key++ }, Want: "not a coming turn"},
		{Name: "order", Corrupt: func(s *wheel) { s.At(s.After(module.FirstSlot)).Key += 4000 }, Want: "order: timer"},
		{Name: "an expiry that has passed", Corrupt: func(s *wheel) { s.Now += 4 }, Want: "not a coming turn"},
		{Name: "a waiting timer marked as due", Corrupt: func(s *wheel) { s.At(s.After(module.FirstSlot)).Key = 0 }, Want: "marked as due"},
		{Name: "a timer in no slot", Corrupt: func(s *wheel) { s.Remove(s.After(module.FirstSlot)) }, Want: "Len says"},
		{Name: "the pointer", Corrupt: func(s *wheel) { s.Turn(); s.Now-- }, Want: "the pointer is at slot"},
	})
}
