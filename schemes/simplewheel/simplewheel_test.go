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
		{Name: "a waiting timer marked as due", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot + 8).Next).Key = 0 }, Want: "marked as due"},
		{Name: "a timer in no slot", Corrupt: func(s *wheel) { s.Unlink(s.At(s.At(store.FirstSlot + 8).Next)) }, Want: "Len says"},
		{Name: "the bit of an occupied slot", Corrupt: func(s *wheel) { s.Clear(store.FirstSlot + 8) }, Want: "slot 8: the bit of ring 9 says occupied: false"},
		{Name: "the pointer", Corrupt: func(s *wheel) { s.TurnBy(1); s.Now-- }, Want: "the pointer is at slot"},
	})
}
