package workload

import (
	"time"

	"timerlab/schemes"
)

// Adversarial are workloads that no program has all of the time, each the worst of some
// scheme, and cron. All their timers expire and start again at once, and what makes them
// bad is when they do, so that is written down.
var adversarialPresets = []Preset{
	scripted("cron", "jobs of every minute, five minutes and hour, all aligned", time.Second, 100_000,
		[]Class{{Name: "minute", Share: 600, Interval: must("const:1m")}, {Name: "five minutes", Share: 60, Interval: must("const:5m")}, {Name: "hour", Share: 5. / 3, Interval: must("const:1h")}},
		func(timer int, _ schemes.Tick) schemes.Tick {
			switch k := timer % 10; { // six, three and one of ten timers
			case k < 6:
				return 60
			case k < 9:
				return 300
			}
			return 3600
		}),
	scripted("same-slot", "all timers in one slot of a hashed wheel of any M up to 4,096 that is a power of two", time.Millisecond, 100_000,
		always("const:65536ms"), phased(65_536, func(timer int) schemes.Tick { return 4096 * schemes.Tick(1+timer%16) })),
	scripted("all-at-once", "all timers expire on one tick", time.Millisecond, 100_000,
		always("const:8192ms"), phased(8_192, func(int) schemes.Tick { return 8_192 })),
	scripted("ascending", "each timer expires later than all before it: the end of an ordered list", time.Millisecond, 100_000,
		always("const:100s"), phased(100_000, func(timer int) schemes.Tick { return 1 + schemes.Tick(timer) })),
	scripted("descending", "each timer of a batch expires before all before it: the front of an ordered list", time.Millisecond, 50_000,
		always("uniform:50001ms,149999ms"), descending(50_000)),
	scripted("equal", "equal intervals that expire on few ticks: the degenerate tree", time.Millisecond, 100_000,
		always("const:1024ms"), phased(1_024, func(timer int) schemes.Tick { return 128 * schemes.Tick(1+timer%8) })),
	scripted("boundary", "all timers migrate on one tick, and then level by level", time.Millisecond, 100_000,
		always("const:65536ms"), phased(65_536, func(timer int) schemes.Tick {
			return 256*schemes.Tick(1+timer%255) + 1 + schemes.Tick(timer/255%255)
		})),
	scripted("sparse", "ten timers and many ticks: what an empty tick costs", time.Millisecond, 10,
		always("const:20s"), phased(20_000, func(timer int) schemes.Tick { return 2_000 * schemes.Tick(1+timer) })),
}

func scripted(name, about string, tick time.Duration, n int, classes []Class, interval func(int, schemes.Tick) schemes.Tick) Preset {
	source := "the paper's worst cases"
	if name == "cron" {
		source = ""
	}
	return Preset{
		Name: name, About: about, Demand: Demand{n, tick, classes},
		Script: &Script{N: n, First: func(int) schemes.Tick { return 0 }, Interval: interval},
		Notes:  append(sourced(source, "phases"), assumed("n", "tick", "intervals")...),
	}
}

func always(dist string) []Class { return single(Class{Name: "timer", Interval: must(dist)}) }

// phased gives each timer a first interval of its own, and all the same period after it.
func phased(period schemes.Tick, first func(timer int) schemes.Tick) func(int, schemes.Tick) schemes.Tick {
	return func(timer int, now schemes.Tick) schemes.Tick {
		if now == 0 {
			return first(timer)
		}
		return period
	}
}

// descending lets n timers start on n ticks in a row, one each, to expire in the opposite
// order on the n ticks that follow n ticks later, on which they start again.
func descending(n schemes.Tick) func(int, schemes.Tick) schemes.Tick {
	return func(timer int, now schemes.Tick) schemes.Tick {
		if now == 0 {
			return 1 + schemes.Tick(timer)
		}
		return 3*n - 1 - 2*((now-1)%(2*n))
	}
}
