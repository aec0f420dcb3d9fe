package workload

import "timerlab/schemes"

// Script is a workload of N timers that all expire, each of which starts again on the
// tick of its expiry, with intervals that a rule gives: for the worst cases, which no
// drawing finds.
type Script struct {
	N        int
	First    func(timer int) schemes.Tick                   // the tick of its first start; the prefill is what starts on tick 0
	Interval func(timer int, now schemes.Tick) schemes.Tick // of a start on tick now, from 1
	Ticks    schemes.Tick
	Seed     uint64 // of the order of the operations of a tick
}

// Trace makes the script's trace. An error wraps ErrSpec.
func (s Script) Trace() (*Trace, error) {
	if s.N < 1 || s.N > MaxOps {
		return nil, badSpec("N = %d timers, want 1 to %d", s.N, MaxOps)
	}
	if s.Ticks > MaxTicks {
		return nil, badSpec("Ticks = %d, want at most %d", s.Ticks, MaxTicks)
	}
	t := &Trace{Ticks: s.Ticks, Timers: s.N}
	g := &generator{seed: s.Seed, trace: t}
	stays := schemes.Tick(0)
	for timer := range s.N {
		for now := s.First(timer); now <= s.Ticks; {
			interval := s.Interval(timer, now)
			if len(t.Ops) == MaxOps {
				return nil, badSpec("N = %d timers make more than %d operations in Ticks = %d", s.N, MaxOps, s.Ticks)
			}
			g.begin(Op{now, interval, uint32(timer), Start})
			if now == 0 {
				t.Prefill++
			}
			stays = interval
			if now += interval; now <= s.Ticks {
				t.Want.Expired++
				t.Want.Checksum += Mix(now, schemes.ID(timer))
			}
		}
	}
	t.Spec = Spec{N: s.N, T: stays, Ticks: s.Ticks, Seed: s.Seed}
	return g.finish(), nil
}
