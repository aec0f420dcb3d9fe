package hierarchical

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

var roundedOnes = []*schemes.Info{&NoMigrate, &Once}

func TestConformanceOfVariants(t *testing.T) {
	for _, info := range []*schemes.Info{&ByInterval, &NoMigrate, &Once} {
		t.Run(info.Name, func(t *testing.T) { schemetest.Run(t, info) })
	}
}

func FuzzConformanceByInterval(f *testing.F) { schemetest.Fuzz(f, &ByInterval) }
func FuzzConformanceNoMigrate(f *testing.F)  { schemetest.Fuzz(f, &NoMigrate) }
func FuzzConformanceOnce(f *testing.F)       { schemetest.Fuzz(f, &Once) }

// made returns info's scheme, also as its wheels.
func made(t require.TestingT, info *schemes.Info, cfg schemes.Config) (schemes.Scheme, *wheels) {
	s, err := info.New(cfg)
	require.NoError(t, err)
	return s, s.(interface{ itself() *wheels }).itself()
}

func (w *wheels) itself() *wheels { return w } // of every linked form, which embeds it

// Check names the invariants of the variants too: there a timer may be on any
// level whose pointer comes to it in time.
func TestCheckNamesWhatIsBrokenInVariants(t *testing.T) {
	type linked interface {
		schemes.Scheme
		itself() *wheels
	}
	first := func(s linked) *uint64 { w := s.itself(); return &w.At(w.At(firstOccupied(w)).Next).Key }
	for _, info := range []*schemes.Info{&ByInterval, &NoMigrate, &Once} {
		t.Run(info.Name, func(t *testing.T) {
			schemetest.CheckNames(t, info, schemes.Config{Levels: []int{4, 3, 8}}, []schemetest.Corruption[linked]{
				{Name: "slot", Corrupt: func(s linked) { *first(s)++ }, Want: "which is not in slot"},
				{Name: "a deadline a revolution too late", Corrupt: func(s linked) { *first(s) += 4 }, Want: "which is not in slot"},
				{Name: "a deadline that has passed", Corrupt: func(s linked) { *first(s) = 1 }, Want: "which is not in slot"},
				{Name: "a deadline of the present tick", Corrupt: func(s linked) { dueNow(s.itself()) }, Want: "which is not in slot"},
				{Name: "a block", Corrupt: func(s linked) { s.itself().levels[2].last-- }, Want: "the clock (2) says"},
			})
		})
	}
}

// dueNow makes a timer wait in the slot that the lowest pointer is at, for this tick instead of the next revolution.
func dueNow(w *wheels) {
	i, lowest := w.At(firstOccupied(w)).Next, &w.levels[0]
	w.Unlink(w.At(i))
	w.At(i).Key = uint64(w.Now)
	w.Insert(lowest.first+lowest.digit(w.Now), i, w.At(i))
}

// migrationsAtMost are the migrations of a timer, at most, of the variants that round.
var migrationsAtMost = map[*schemes.Info]uint64{&NoMigrate: 0, &Once: 1}

// dueRounded is what such a variant is, said without wheels: the tick on which it makes a timer due, and whether that
// is rounded.
func dueRounded(info *schemes.Info, radices []int, now, interval schemes.Tick) (schemes.Tick, bool) {
	weight, below, deadline := schemes.Tick(1), schemes.Tick(1), now+interval
	for _, radix := range radices {
		grain, lead := weight, weight-1 // rounding is: add lead, then down to a multiple of grain
		if info == &Once {
			grain, lead = below, below/2
		}
		if interval+lead <= weight*schemes.Tick(radix) {
			if deadline > math.MaxUint64-lead {
				return deadline, false
			}
			return (deadline + lead) / grain * grain, true
		}
		weight, below = weight*schemes.Tick(radix), weight
	}
	panic("no level takes the interval")
}

// small are radices whose every clock and interval can be tried.
var small = [][]int{{1}, {1, 1}, {3}, {2, 2}, {4, 4}, {3, 1, 4}, {1, 3, 1}, {2, 3, 2}, {5, 2, 1}, {2, 2, 2, 2}, {1, 2, 1, 1, 3}, {3, 2, 4}, {2, 5, 3}}

// clocksOf returns every clock of two periods in the middle of the clock, its first period and its last
// two; with -short every third.
func clocksOf(radices []int) (clocks []schemes.Tick) {
	period := longest(schemes.Config{Levels: radices})
	step := schemes.Tick(1)
	if testing.Short() {
		step = 3
	}
	for k := schemes.Tick(0); k < period; k += step {
		clocks = append(clocks, k, 1<<40/period*period+k, 1<<40/period*period+period+k,
			math.MaxUint64-k, math.MaxUint64-period-k)
	}
	return clocks
}

// alone starts a timer at this time and returns the tick on which it is due, 0 if none, and the scheme.
func alone(t require.TestingT, info *schemes.Info, radices []int, now, interval schemes.Tick) (schemes.Tick, *wheels) {
	s, w := made(t, info, schemes.Config{Now: now, Levels: radices})
	started(t, s, interval, 1)
	for !w.Ended() {
		require.NoError(t, s.(schemes.Checker).Check())
		if s.PerTick() > 0 {
			return w.Now, w
		}
	}
	return 0, w
}

// TestDueByDefinition tries every clock and interval of small wheels.
func TestDueByDefinition(t *testing.T) {
	for _, info := range []*schemes.Info{&Info, &ByInterval, &NoMigrate, &Once, &Ahead} {
		for _, radices := range small {
			reach := info.Range(schemes.Config{Levels: radices})
			for _, now := range clocksOf(radices) {
				for interval := schemes.Tick(1); interval <= min(reach, math.MaxUint64-now); interval++ {
					want, rounds := now+interval, false
					moves, inexact := migrationsAtMost[info]
					if inexact {
						want, rounds = dueRounded(info, radices, now, interval)
					}
					got, w := alone(t, info, radices, now, interval)
					require.Equal(t, want, got, "%s %v: %d + %d", info.Name, radices, now, interval)
					if rounds {
						require.LessOrEqual(t, w.Tally.Migrations, moves, "%s %v: %d + %d", info.Name, radices, now, interval)
					}
				}
			}
		}
	}
}

// An interval out of range has no error.
func TestBoundBeyondTheRange(t *testing.T) {
	for _, info := range roundedOnes {
		cfg := schemes.Config{Levels: []int{60, 60, 24, 100}}
		s, _ := made(t, info, cfg)
		for _, interval := range []schemes.Tick{0, info.Range(cfg) + 1, math.MaxUint64} {
			early, late := s.(schemes.Bounder).Bound(interval)
			assert.Zero(t, early+late, "%s: %d", info.Name, interval)
		}
	}
}

func TestRangeOfVariants(t *testing.T) {
	const days = 8_640_000
	tests := []struct {
		info                *schemes.Info
		clock, binary, tiny schemes.Tick // of 60, 60, 24 and 100 slots; of four times 256; of 4 and 1
	}{
		{&ByInterval, days, 1 << 32, 4},
		{&NoMigrate, days - 86_399, 1<<32 - 1<<24 + 1, 4},
		{&Once, days - 1800, 1<<32 - 1<<15, 4},
	}
	for _, test := range tests {
		assert.Equal(t, test.clock, test.info.Range(schemes.Config{Levels: []int{60, 60, 24, 100}}), test.info.Name)
		assert.Equal(t, test.binary, test.info.Range(schemes.Config{}), test.info.Name)
		assert.Equal(t, test.tiny, test.info.Range(schemes.Config{Levels: []int{4, 1}}), test.info.Name)
		assert.Equal(t, schemes.Tick(math.MaxUint64), test.info.Range(schemes.Config{Levels: []int{1 << 16, 1 << 16, 1 << 16, 1 << 16, 2}}), test.info.Name)
		assert.NotPanics(t, func() { test.info.Range(schemes.Config{Levels: []int{4, 0}}) }, test.info.Name)
	}
}

// By interval a timer that the lowest wheel can hold never migrates; by digit it
// does where it crosses the beginning of a slot above.
func TestShortTimersMigrateByDigitOnly(t *testing.T) {
	for now := schemes.Tick(0); now < 64; now++ {
		for interval := schemes.Tick(1); interval <= 16; interval++ {
			_, w := alone(t, &ByInterval, []int{16, 16}, now, interval)
			require.Zero(t, w.Tally.Migrations)
			_, w = alone(t, &Info, []int{16, 16}, now, interval)
			crosses := now%16+interval > 16 && (now+interval)/16 > now/16
			require.Equal(t, crosses, w.Tally.Migrations == 1, "%d + %d", now, interval)
		}
	}
}

// A drawing of many levels shows the lowest.
func TestDrawingOfManyLevels(t *testing.T) {
	_, w := made(t, &Info, schemes.Config{Levels: slices.Repeat([]int{2}, 41)})
	assert.Contains(t, w.String(), "… and 31 higher levels\n")
	assert.Contains(t, w.String(), "level 9 slot [0]: -\n")
}
