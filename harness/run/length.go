package run

import (
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Batched returns the workload with its operations in batches of 1 % of n, but at
// least 16, so that a batch is long against the reading of the clock and n stays
// nearly what it is: at n = 100 it swings by 16 %. For the run's length see
// Lasting.
func Batched(s workload.Spec, lifetimes int, subjects []Subject) workload.Spec {
	const least = 16
	s.Every = max(1, s.T/100, least*s.T/schemes.Tick(s.N))
	return Lasting(s, lifetimes, subjects)
}

// Lasting returns the workload with a run so long that about this many timers
// end, rounded up to whole turns of the largest lowest wheel of scheme 7: when it
// comes round, timers migrate, and a run without that would cost nothing for it.
func Lasting(s workload.Spec, lifetimes int, subjects []Subject) workload.Spec {
	turn := schemes.Tick(1)
	for _, e := range subjects {
		if len(e.Levels) > 0 {
			turn = max(turn, schemes.Tick(e.Levels[0]))
		}
	}
	ticks := s.T * schemes.Tick(lifetimes) / schemes.Tick(s.N)
	s.Ticks = (max(ticks, 1) + turn - 1) / turn * turn
	return s
}
