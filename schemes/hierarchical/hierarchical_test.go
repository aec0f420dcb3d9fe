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

// TestSlot compares slotOf, and binary's slot, with the definition, digit by digit, for clocks and deadlines around
// every boundary: the highest digit that differs names the level, and beyond the highest wheel the top digit does.
func TestSlot(t *testing.T) {
	for _, radices := range [][]int{{256, 256, 256, 256}, {60, 60, 24, 100}, {10, 10, 10}, {7, 3, 5}, {2, 2, 2}, {1, 4, 1, 3}, {8}, {1}} {
		reach := longest(schemes.Config{Levels: radices})
		for _, now := range []schemes.Tick{0, 1, 59, 60, 255, 256, 65535, 1<<32 - 3, 1<<63 - 5} {
			w, err := newWheels("", schemes.Config{Now: now, Levels: radices})
			require.NoError(t, err)
			for _, interval := range boundaries(radices, reach) {
				level, digit := placeByDigits(radices, now, now+interval)
				require.Equal(t, w.levels[level].first+digit, slotOf(w.levels, now+interval), "%v: %d + %d", radices, now, interval)
				if powersOfTwo(w.levels) {
					require.Equal(t, w.levels[level].first+digit, newBinary(w).slot(now+interval), "%v: %d + %d", radices, now, interval)
				}
			}
		}
	}
}

func placeByDigits(radices []int, now, deadline schemes.Tick) (level int, digit uint32) {
	for l, radix := range radices {
		r := schemes.Tick(radix)
		if level, digit = l, uint32(deadline%r); deadline/r == now/r {
			return level, digit
		}
		now, deadline = now/r, deadline/r
	}
	return level, digit
}

// boundaries returns intervals from 1 to reach around each level's range.
func boundaries(radices []int, reach schemes.Tick) []schemes.Tick {
	intervals := []schemes.Tick{1, reach}
	weight := schemes.Tick(1)
	for _, radix := range radices {
		weight *= schemes.Tick(radix)
		for _, i := range []schemes.Tick{weight/2 + 1, weight - 1, weight, weight + 1, 2*weight - 1} {
			if i >= 1 && i <= reach {
				intervals = append(intervals, i)
			}
		}
	}
	return intervals
}
