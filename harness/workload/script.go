package workload

import "timerlab/schemes"

// Script is a workload of N timers that all start on tick 0, expire, and start again on
// the tick of their expiry, with intervals given by a rule: for the worst cases, which
// no random draw finds.
type Script struct {
	N        int
	Interval func(timer int, now schemes.Tick) schemes.Tick // of a start on tick now, from 1
	Seed     uint64                                         // of the order of the operations of a tick
}

// Stream makes the script's stream. An error wraps ErrSpec.
func (s Script) Stream() (*Stream, error) {
	if err := checkTimers(s.N); err != nil {
		return nil, err
	}
	return newStream(Spec{N: s.N, Seed: s.Seed}, s), nil
}

// fresh and aged make a Script a source.
func (s Script) fresh(_ *random, timer uint32, now schemes.Tick) Life {
	interval := s.Interval(int(timer), now)
	return Life{Interval: interval, Stay: interval}
}

func (s Script) aged(r *random, timer uint32) (Life, schemes.Tick) { return s.fresh(r, timer, 0), 0 }
