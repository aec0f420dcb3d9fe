package bench

import (
	"runtime"

	"timerlab/harness/run"

	"timerlab/systems"
)

// memory tells what n timers take that wait, without the 16 bytes of the client's variable,
// and what one collection of the garbage then takes.
func (s *sample) memory() error {
	timers := make([]systems.Timer, s.N)
	for i := range timers {
		timers[i] = (*empties)(nil) // the client's memory is in use before
	}
	before, err := run.Resident()
	if err != nil {
		return err
	}
	allocs := mallocs()
	f, err := s.entrant.open(fixedDuration)
	if err != nil {
		return err
	}
	if err := s.fill(f, timers, 1); err != nil {
		return err
	}
	allocs = mallocs() - allocs
	after, err := run.Resident()
	if err != nil {
		return err
	}
	cpu := run.CPUTime()
	runtime.GC()
	cpu = run.CPUTime() - cpu
	s.tell(float64(after-before)/float64(s.N), "B/timer")
	s.tell(float64(allocs)/float64(s.N), "allocs/timer")
	s.tell(float64(cpu), "gc-cpu-ns")
	return empty(f, timers)
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// empties is a timer that is none.
type empties struct{ systems.Timer }
