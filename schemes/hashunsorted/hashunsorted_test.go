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
		{Name: "a waiting timer marked as due", Corrupt: func(s *wheel) { s.At(s.At(store.FirstSlot).Next).Key = 0 }, Want: "marked as due"},
		{Name: "a timer in no slot", Corrupt: func(s *wheel) { s.Unlink(s.At(s.At(store.FirstSlot).Next)) }, Want: "Len says"},
		{Name: "the pointer", Corrupt: func(s *wheel) { s.TurnBy(1); s.Now-- }, Want: "the pointer is at slot"},
	})
	schemetest.CheckNames(t, &Info, schemes.Config{Slots: 64}, []schemetest.Corruption[*wheel]{
		{Name: "the bit of an occupied slot", Corrupt: func(s *wheel) { s.Clear(store.FirstSlot + 8) }, Want: "slot 8: the bit of ring 9 says occupied: false"},
	})
}
