package player

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/schemes"
)

// benchLifetimes is how many timers end in a run of that command, about.
const benchLifetimes = 100_000

// BenchTicks returns the length of the run that Command's command makes. Over this length the page
// counts what the command counts. It is 0 if the run is too long for a page.
func (s *State) BenchTicks() schemes.Tick {
	if s.Command() == "" {
		return 0
	}
	revolution := schemes.Tick(1) // of the lowest wheel, as in package run
	for _, info := range s.Schemes {
		if info.Kind.HasLevels() {
			revolution = max(revolution, schemes.Tick(s.Radices(info)[0]))
		}
	}
	long := *s
	long.Ticks = s.Spec().Lasting(benchLifetimes, revolution).Ticks
	if long.Ticks > maxTicks || long.check() != nil {
		return 0
	}
	return long.Ticks
}

// Command returns the command that measures the same workload on the same schemes, or "" if
// there is none: without a workload, or with wheels of different sizes, which it cannot have.
func (s *State) Command() string {
	slots, wheels := s.Slots, s.Wheels
	if s.Levels != nil {
		slots, wheels = 0, len(s.Levels)
		for _, radix := range s.Levels {
			slots += radix
		}
	}
	same := State{Slots: slots, Wheels: wheels}
	other := slices.ContainsFunc(s.Schemes, func(info *schemes.Info) bool {
		return info.Kind.HasSlots() && slots != s.Slots ||
			info.Kind.HasLevels() && !slices.Equal(s.Radices(info), same.Radices(info))
	})
	if s.N == 0 || len(s.Edits) > 0 || other {
		return ""
	}
	text := fmt.Sprintf("bench run -n %d -M %d -m %d -T %d", s.N, slots, wheels, s.T)
	if d := s.Dist.String(); d != "exp" {
		text += " --workload " + d
	}
	if s.Stops.Share > 0 {
		text += " --stop " + s.Stops.String()
	}
	if s.Seed != 1 {
		text += fmt.Sprintf(" --seed %d", s.Seed)
	}
	return text + " --schemes " + strings.Join(s.Names(), ",")
}
