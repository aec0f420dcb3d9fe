package player

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness"
	"timerlab/schemes"
)

// benchLifetimes is how many timers end in a run of that command, about.
const benchLifetimes = 100_000

// BenchTicks returns the length of the run that Command's command makes, as run.Lasting computes it,
// which a page cannot link. Over this length the page counts what the command counts. It is 0 if the
// run is too long for a page.
func (s *State) BenchTicks() schemes.Tick {
	if s.Command() == "" {
		return 0
	}
	revolution := schemes.Tick(1)
	for _, name := range s.Schemes {
		if info, err := harness.Find(name); err == nil && info.Kind.HasLevels() {
			revolution = schemes.Tick(s.Radices()[0])
		}
	}
	ticks := max(1, s.T*benchLifetimes/schemes.Tick(s.N))
	ticks = (ticks + revolution - 1) / revolution * revolution
	if long := *s; ticks <= maxTicks {
		long.Ticks = ticks
		if long.check() == nil {
			return ticks
		}
	}
	return 0
}

// Command returns the command that measures the same workload on the same schemes, or "" if
// there is none: without a workload, or with wheels of different sizes, which it cannot have.
func (s *State) Command() string {
	slots, wheels := s.Slots, s.Wheels
	if s.Levels != nil {
		slots, wheels = s.Levels[0]*len(s.Levels), len(s.Levels)
	}
	same := State{Slots: slots, Wheels: wheels}
	hashed := slices.ContainsFunc(s.Schemes, func(name string) bool {
		info, err := harness.Find(name)
		return err == nil && info.Kind.HasSlots()
	})
	changed := len(s.Edits) > 0 || s.Trace != ""
	if s.N == 0 || changed || !slices.Equal(s.Radices(), same.Radices()) || hashed && slots != s.Slots {
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
	return text + " --schemes " + strings.Join(s.Schemes, ",")
}
