package hierarchical

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

var aheadForms = []*schemes.Info{&Ahead, &AheadChunked}

func TestConformanceAhead(t *testing.T) {
	for _, info := range aheadForms {
		t.Run(info.Name, func(t *testing.T) { schemetest.Run(t, info) })
	}
}

func FuzzConformanceAhead(f *testing.F)        { schemetest.Fuzz(f, &Ahead) }
func FuzzConformanceAheadChunked(f *testing.F) { schemetest.Fuzz(f, &AheadChunked) }

// Check names the invariants that migrating ahead of time adds. At tick 5, two of the four timers of ticks 8
// to 11 are still on level 1.
func TestCheckNamesWhatIsBrokenAhead(t *testing.T) {
	cfg := schemes.Config{Now: 3, Levels: []int{4, 3, 8}}
	pass := func(s schemes.Scheme, p *plan, budget uint64) { // to tick 8
		p.budget = budget
		for range 3 {
			s.PerTick()
		}
	}
	ways := map[string]struct {
		want    string
		corrupt func(schemes.Scheme, *plan)
	}{
		"a pace that is one too low":         {"level 1: 2 timers are to migrate by 7, 0 a tick", func(_ schemes.Scheme, p *plan) { p.revolutions[0].pace-- }},
		"a tick that migrates too few":       {"level 1: 2 timers are to migrate", func(_ schemes.Scheme, p *plan) { p.budget-- }},
		"a slot that is passed over":         {"level 1: 2 timers are to migrate", func(_ schemes.Scheme, p *plan) { p.next++ }},
		"a tick that migrates nothing":       {"level 1: 2 timers are to migrate", func(_ schemes.Scheme, p *plan) { p.idle = 7 }},
		"a slot begun while it is not empty": {"slot", func(s schemes.Scheme, p *plan) { pass(s, p, 0) }},
		"a revolution":                       {"level 1: revolution", func(_ schemes.Scheme, p *plan) { p.revolutions[1].slot++ }},
	}
	var linked []schemetest.Corruption[*ahead]
	var chunks []schemetest.Corruption[*aheadChunked]
	for name, way := range ways {
		linked = append(linked, schemetest.Corruption[*ahead]{Name: name, Want: way.want, Corrupt: func(w *ahead) { way.corrupt(w, &w.plan) }})
		chunks = append(chunks, schemetest.Corruption[*aheadChunked]{Name: name, Want: way.want, Corrupt: func(w *aheadChunked) { way.corrupt(w, &w.plan) }})
	}
	linked = append(linked, schemetest.Corruption[*ahead]{Name: "a timer that was not counted", Want: "but 0 entered",
		Corrupt: func(w *ahead) { w.At(firstOccupied(&w.wheels)).Key = 0 }})
	schemetest.CheckNames(t, &Ahead, cfg, linked)
	schemetest.CheckNames(t, &AheadChunked, cfg, chunks)
}

// crowds are workloads that crowd upper slots of wheels with revolutions of 16, 8 and 8 slots: the intervals
// of the timers that start on a tick.
var crowds = map[string]func(tick schemes.Tick, rng *rand.Rand) []schemes.Tick{
	"all in one slot": func(tick schemes.Tick, rng *rand.Rand) []schemes.Tick {
		return several(tick == 5, 5_000, func() schemes.Tick { return 891 + schemes.Tick(rng.IntN(128)) })
	},
	"all on one tick": func(tick schemes.Tick, _ *rand.Rand) []schemes.Tick {
		return several(tick == 5, 5_000, func() schemes.Tick { return 900 })
	},
	"constant intervals": func(schemes.Tick, *rand.Rand) []schemes.Tick {
		return several(true, 40, func() schemes.Tick { return 700 })
	},
	"bursts": func(tick schemes.Tick, rng *rand.Rand) []schemes.Tick {
		return several(tick%300 == 0, 3000, func() schemes.Tick { return 1 + schemes.Tick(rng.IntN(1024)) })
	},
}

func several(now bool, n int, interval func() schemes.Tick) (intervals []schemes.Tick) {
	for range n {
		if now {
			intervals = append(intervals, interval())
		}
	}
	return intervals
}

// On no tick migrate more timers than the published bound, whatever is stopped or restarted, and on some tick
// as many, where nothing is. The bound is computed from the timers alone.
func TestMigrationsOfATick(t *testing.T) {
	cfg := schemes.Config{Levels: []int{16, 8, 8}}
	widths := []schemes.Tick{16, 128} // of the slots of the levels above the lowest
	for name, start := range crowds {
		for _, info := range aheadForms {
			for _, leave := range []float64{0, 0.5, 0.99} {
				s, err := info.New(cfg)
				require.NoError(t, err)
				rng, now, reached := rand.New(rand.NewPCG(1, 2)), schemes.Tick(0), false
				entered, early := map[[2]schemes.Tick]uint64{}, []schemes.Handle(nil)
				enter := func(deadline schemes.Tick) { // counts a timer in the slots where it waits or will wait
					for _, w := range widths {
						if slot := deadline / w; slot > now/w+1 {
							entered[[2]schemes.Tick{w, slot}]++
						}
					}
				}
				for ; now < 2500; now++ {
					for _, h := range early { // half of those that leave their slot are started again
						if interval := 1 + schemes.Tick(rng.IntN(1024)); rng.IntN(2) == 0 {
							require.True(t, s.Stop(h))
						} else if _, err := s.(schemes.Restarter).Restart(h, interval); assert.NoError(t, err) {
							enter(now + interval)
						}
					}
					early = early[:0]
					for _, interval := range start(now, rng) {
						h := started(t, s, interval, 0)
						enter(now + interval)
						if interval > 1 && rng.Float64() < leave {
							early = append(early, h)
						}
					}
					before := s.(schemes.Counter).Counts().Migrations
					s.PerTick()
					s.Expire(func(schemes.ID) {})
					moved, most := s.(schemes.Counter).Counts().Migrations-before, uint64(0)
					for _, w := range widths {
						e := entered[[2]schemes.Tick{w, (now+1)/w + 1}]
						most += (e + uint64(w) - 1) / uint64(w)
					}
					require.LessOrEqual(t, moved, most, "%s %s: tick %d", info.Name, name, now+1)
					reached = reached || moved == most && moved > 4
					if now%199 == 0 {
						require.NoError(t, s.(schemes.Checker).Check())
					}
				}
				assert.True(t, reached || leave > 0, "%s %s: the bound is too high", info.Name, name)
			}
		}
	}
}

// Advance over the range steps from level to level, and NextEvent of a client that sleeps does.
func TestAdvanceAhead(t *testing.T) {
	for _, info := range aheadForms {
		s, err := info.New(schemes.Config{})
		require.NoError(t, err)
		const interval = 1<<32 - 5
		started(t, s, interval, 1)
		passed, due := s.(schemes.Advancer).Advance(1 << 40)
		assert.Equal(t, schemes.Tick(interval), passed)
		assert.Equal(t, 1, due)
		counts := s.(schemes.Counter).Counts()
		assert.LessOrEqual(t, counts.Migrations, uint64(3))
		assert.LessOrEqual(t, counts.EmptySlots, uint64(12))
		s.Expire(func(schemes.ID) {})
		started(t, s, interval, 2)
		for wakes := 0; due == 0 || wakes == 0; wakes++ {
			require.Less(t, wakes, 5)
			wait, ok := s.(schemes.Sleeper).NextEvent()
			require.True(t, ok)
			passed, due = s.(schemes.Advancer).Advance(wait)
			require.Equal(t, wait, passed)
		}
	}
}

// A timer that is restarted again and again in one slot is not waited for again and again.
func TestRestartsCrowdNoTick(t *testing.T) {
	for _, info := range aheadForms {
		s, err := info.New(schemes.Config{Levels: []int{16, 16}})
		require.NoError(t, err)
		for range 100 {
			h := started(t, s, 5*16, 0)
			for range 20 {
				h, err = s.(schemes.Restarter).Restart(h, 5*16)
				require.NoError(t, err)
			}
		}
		for tick := range 80 {
			before := s.(schemes.Counter).Counts().Migrations
			s.PerTick()
			moved := s.(schemes.Counter).Counts().Migrations - before
			assert.LessOrEqual(t, moved, uint64(100/16+1), "%s: tick %d", info.Name, tick)
		}
	}
}
