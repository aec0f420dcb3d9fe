package tree

import (
	"testing"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{}, []schemetest.Corruption[*tree]{
		{Name: "an entry whose record is free", Corrupt: func(s *tree) { i := s.heap.At(2).record; s.Free(i) }, Want: "holds no timer"},
		{Name: "an entry and its record differ", Corrupt: func(s *tree) { s.heap.At(2).expiry++ }, Want: "its entry"},
		{Name: "a place and its record differ", Corrupt: func(s *tree) { s.At(s.heap.At(2).record).Place = 1 }, Want: "its entry"},
		{Name: "heap order", Corrupt: func(s *tree) { e := s.heap.At(0); e.expiry = 1000; s.At(e.record).Key = 1000 }, Want: "expires before the one above it"},
		{Name: "an expiry that has passed", Corrupt: func(s *tree) { e := s.heap.At(0); e.expiry = 1; s.At(e.record).Key = 1 }, Want: "still waits"},
		{Name: "a timer without an entry", Corrupt: func(s *tree) { s.heap.Pop() }, Want: "Len says"},
	})
}
