package hierarchical

import (
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

func TestConformance(t *testing.T) { schemetest.Run(t, &Info) }

func FuzzConformance(f *testing.F) { schemetest.Fuzz(f, &Info) }

// Check names each of the scheme's own invariants that is broken.
func TestCheckNamesWhatIsBroken(t *testing.T) {
	schemetest.CheckNames(t, &Info, schemes.Config{Levels: []int{4, 3, 8}}, []schemetest.Corruption[*wheels]{
		{Name: "slot", Corrupt: func(s *wheels) { s.At(s.At(firstOccupied(s)).Next).Key++ }, Want: "which is not in slot"},
		{Name: "a deadline beyond the range", Corrupt: func(s *wheels) { s.At(s.At(firstOccupied(s)).Next).Key += 96 }, Want: "which is not in slot"},
		{Name: "a deadline that has passed", Corrupt: func(s *wheels) { s.At(s.At(firstOccupied(s)).Next).Key = 1 }, Want: "which is not in slot"},
		{Name: "the highest block", Corrupt: func(s *wheels) { s.levels[2].last-- }, Want: "the clock (2) says"},
		{Name: "the lowest block", Corrupt: func(s *wheels) { s.levels[0].last++ }, Want: "the clock (2) says"},
		{Name: "quiet too long", Corrupt: func(s *wheels) { s.quiet = s.Now + 96 }, Want: "quiet to"},
		{Name: "a block", Corrupt: func(s *wheels) { s.levels[1].last++ }, Want: "the clock (2) says"},
	})
}

func started(t require.TestingT, s schemes.Scheme, interval schemes.Tick, id schemes.ID) schemes.Handle {
	h, err := s.Start(interval, id)
	require.NoError(t, err)
	return h
}

// firstOccupied returns the head of the lowest slot that holds a timer.
func firstOccupied(s *wheels) uint32 {
	head := s.levels[0].first
	for s.At(head).Next == head {
		head++
	}
	return head
}
