package workload

import "timerlab/schemes"

// Script is a workload of N timers that all start on tick 0, expire, and start again on
// the tick of their expiry, with intervals given by a rule: for the worst cases, which
// no random draw finds.
type Script struct {
	N        int
	Interval func(timer int, now schemes.Tick) schemes.Tick // of a start on tick now, from 1
	Ticks    schemes.Tick
	Seed     uint64 // of the order of the operations of a tick
}

// Trace makes the script's trace. An error wraps ErrSpec.
func (s Script) Trace() (*Trace, error) {
	if err := checkRun(s.N, s.Ticks); err != nil {
		return nil, err
	}
	t := &Trace{Ticks: s.Ticks, Timers: s.N, Prefill: s.N}
	g := &generator{seed: s.Seed, trace: t}
	last := schemes.Tick(0)
	for timer := range s.N {
		for now := schemes.Tick(0); now <= s.Ticks; {
			if len(t.Ops) == MaxOps {
				return nil, badSpec("N = %d timers make more than %d operations in Ticks = %d", s.N, MaxOps, s.Ticks)
			}
			last = s.Interval(timer, now)
			g.begin(Op{now, last, uint32(timer), Start})
			if now += last; now <= s.Ticks {
				t.Want.Expired++
				t.Want.Checksum += Mix(now, schemes.ID(timer))
			}
		}
	}
	t.Spec = Spec{N: s.N, T: last, Ticks: s.Ticks, Seed: s.Seed}
	return g.finish(), nil
}
