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

func (s Script) aged(r *random, timer uint32) Life { return s.fresh(r, timer, 0) }

// scripts are the intervals of the presets that are each the worst case of some scheme,
// and of cron, in ticks, of a timer that starts on tick now. All timers start on tick 0,
// expire, and start again at once; what makes them bad is when they expire.
var scripts = map[string]func(timer int, now schemes.Tick) schemes.Tick{
	"cron": func(timer int, _ schemes.Tick) schemes.Tick {
		switch k := timer % 10; { // six, three and one of ten timers
		case k < 6:
			return 60
		case k < 9:
			return 300
		}
		return 3600
	},
	"same-slot":   phased(65_536, func(timer schemes.Tick) schemes.Tick { return 4096 * (1 + timer%16) }),
	"all-at-once": phased(8_192, func(schemes.Tick) schemes.Tick { return 8_192 }),
	"ascending":   phased(100_000, func(timer schemes.Tick) schemes.Tick { return 1 + timer }),
	"descending":  descending(50_000),
	"equal":       phased(1_024, func(timer schemes.Tick) schemes.Tick { return 128 * (1 + timer%8) }),
	"boundary": phased(65_536, func(timer schemes.Tick) schemes.Tick {
		return 256*(1+timer%255) + 1 + timer/255%255
	}),
	"sparse": phased(20_000, func(timer schemes.Tick) schemes.Tick { return 2_000 * (1 + timer) }),
}

// phased gives each timer a first interval of its own, and then all the same period.
func phased(period schemes.Tick, first func(schemes.Tick) schemes.Tick) func(int, schemes.Tick) schemes.Tick {
	return func(timer int, now schemes.Tick) schemes.Tick {
		if now == 0 {
			return first(schemes.Tick(timer))
		}
		return period
	}
}

// descending starts n timers on n consecutive ticks, one each, that expire in the opposite
// order on n consecutive ticks n ticks later, on which they start again.
func descending(n schemes.Tick) func(int, schemes.Tick) schemes.Tick {
	return func(timer int, now schemes.Tick) schemes.Tick {
		if now == 0 {
			return 1 + schemes.Tick(timer)
		}
		return 3*n - 1 - 2*((now-1)%(2*n))
	}
}
