package hierarchical

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

var (
	exact   = []*schemes.Info{&Info, &ByInterval, &OnDemand}
	rounded = []*schemes.Info{&NoMigrate, &NoMigrateNearest, &NoMigrateDown, &NoMigrateDigit, &Once, &OnceDigit}
)

// all returns scheme 7 and its variants.
func all() []*schemes.Info { return append(append([]*schemes.Info(nil), exact...), rounded...) }

func TestConformanceOfVariants(t *testing.T) {
	for _, info := range all()[1:] {
		t.Run(info.Name, func(t *testing.T) { schemetest.Run(t, info) })
	}
}

func FuzzConformanceByInterval(f *testing.F)       { schemetest.Fuzz(f, &ByInterval) }
func FuzzConformanceOnDemand(f *testing.F)         { schemetest.Fuzz(f, &OnDemand) }
func FuzzConformanceNoMigrate(f *testing.F)        { schemetest.Fuzz(f, &NoMigrate) }
func FuzzConformanceNoMigrateNearest(f *testing.F) { schemetest.Fuzz(f, &NoMigrateNearest) }
func FuzzConformanceNoMigrateDown(f *testing.F)    { schemetest.Fuzz(f, &NoMigrateDown) }
func FuzzConformanceNoMigrateDigit(f *testing.F)   { schemetest.Fuzz(f, &NoMigrateDigit) }
func FuzzConformanceOnce(f *testing.F)             { schemetest.Fuzz(f, &Once) }
func FuzzConformanceOnceDigit(f *testing.F)        { schemetest.Fuzz(f, &OnceDigit) }

// made returns info's scheme, also without what Bound hides.
func made(t require.TestingT, info *schemes.Info, cfg schemes.Config) (schemes.Scheme, *wheels) {
	s, err := info.New(cfg)
	require.NoError(t, err)
	switch w := s.(type) {
	case *bounded:
		return s, &w.wheels
	case *ruled:
		return s, &w.wheels
	}
	return s, s.(*wheels)
}

// Check names the invariants of the variants too: there a timer may be on any
// level whose pointer comes to it in time.
func TestCheckNamesWhatIsBrokenInVariants(t *testing.T) {
	first := func(w *ruled) *uint64 { return &w.At(w.At(firstOccupied(&w.wheels)).Next).Key }
	ways := []schemetest.Corruption[*ruled]{
		{Name: "slot", Corrupt: func(w *ruled) { *first(w)++ }, Want: "not a place in slot"},
		{Name: "a deadline a revolution too late", Corrupt: func(w *ruled) { *first(w) += 4 }, Want: "not a place in slot"},
		{Name: "a deadline that has passed", Corrupt: func(w *ruled) { *first(w) = 1 }, Want: "not a place in slot"},
		{Name: "a deadline of the present tick", Corrupt: dueNow, Want: "not a place in slot"},
		{Name: "a pointer", Corrupt: func(w *ruled) { w.levels[2].pointer++ }, Want: "the clock (2) says"},
		{Name: "the reach", Corrupt: func(w *ruled) { w.reach-- }, Want: "the levels take"},
	}
	cfg := schemes.Config{Levels: []int{4, 3, 8}}
	for _, info := range exact[1:] {
		t.Run(info.Name, func(t *testing.T) { schemetest.CheckNames(t, info, cfg, ways) })
	}
	var inside []schemetest.Corruption[*bounded]
	for _, way := range ways {
		inside = append(inside, schemetest.Corruption[*bounded]{
			Name: way.Name, Want: way.Want, Corrupt: func(b *bounded) { way.Corrupt(b.ruled) },
		})
	}
	for _, info := range rounded {
		t.Run(info.Name, func(t *testing.T) { schemetest.CheckNames(t, info, cfg, inside) })
	}
}

// dueNow makes a timer wait in the slot that the lowest pointer is at, for this
// tick instead of the next revolution.
func dueNow(w *ruled) {
	i, lowest := w.At(firstOccupied(&w.wheels)).Next, &w.levels[0]
	w.Unlink(w.At(i))
	w.At(i).Key = uint64(w.Now)
	w.Append(lowest.head+lowest.pointer, i, w.At(i))
}

// definition is what a variant is, said without wheels. It is given the weight of
// the timer's level, and of the level below.
type definition struct {
	byInterval bool
	grain      func(weight, below schemes.Tick) schemes.Tick
	lead       func(grain schemes.Tick) schemes.Tick // rounding is: add this, then down
	moves      uint64                                // migrations of a timer, at most
}

var definitions = map[string]definition{
	"hierarchical-nomigrate":         {true, ownWeight, func(g schemes.Tick) schemes.Tick { return g - 1 }, 0},
	"hierarchical-nomigrate-nearest": {true, ownWeight, func(g schemes.Tick) schemes.Tick { return g / 2 }, 0},
	"hierarchical-nomigrate-down":    {true, ownWeight, nothing, 0},
	"hierarchical-nomigrate-digit":   {false, ownWeight, nothing, 0},
	"hierarchical-once":              {true, weightBelow, func(g schemes.Tick) schemes.Tick { return g / 2 }, 1},
	"hierarchical-once-digit":        {false, weightBelow, nothing, 1},
}

func ownWeight(weight, _ schemes.Tick) schemes.Tick  { return weight }
func weightBelow(_, below schemes.Tick) schemes.Tick { return below }
func nothing(schemes.Tick) schemes.Tick              { return 0 }

// due returns the tick on which a timer is due, and whether it is rounded.
func (d definition) due(radices []int, now, interval schemes.Tick) (schemes.Tick, bool) {
	weight, below, deadline := schemes.Tick(1), schemes.Tick(1), now+interval
	digitLevel, _ := placeByDigits(radices, now, deadline)
	for l, radix := range radices {
		grain := d.grain(weight, below)
		lead := d.lead(grain)
		if d.byInterval && interval+lead <= weight*schemes.Tick(radix) || !d.byInterval && l == digitLevel {
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

// clocksOf returns every clock of two periods in the middle of the clock, its
// first period and its last two.
func clocksOf(radices []int) (clocks []schemes.Tick) {
	period := longest(schemes.Config{Levels: radices})
	for k := range period {
		clocks = append(clocks, k, 1<<40/period*period+k, 1<<40/period*period+period+k,
			math.MaxUint64-k, math.MaxUint64-period-k)
	}
	return clocks
}

// alone starts a timer at this time and returns the tick on which it is due, 0 if
// none, and the scheme.
func alone(t require.TestingT, info *schemes.Info, radices []int, now, interval schemes.Tick) (schemes.Tick, *wheels) {
	s, w := made(t, info, schemes.Config{Now: now, Levels: radices})
	_, err := s.Start(interval, 1)
	require.NoError(t, err)
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
	for _, info := range rounded {
		d := definitions[info.Name]
		for _, radices := range small {
			reach := info.Range(schemes.Config{Levels: radices})
			for _, now := range clocksOf(radices) {
				for interval := schemes.Tick(1); interval <= min(reach, math.MaxUint64-now); interval++ {
					want, rounds := d.due(radices, now, interval)
					got, w := alone(t, info, radices, now, interval)
					require.Equal(t, want, got, "%s %v: %d + %d", info.Name, radices, now, interval)
					if rounds {
						require.LessOrEqual(t, w.Tally.Migrations, d.moves, "%s %v: %d + %d", info.Name, radices, now, interval)
					}
				}
			}
		}
	}
}

// TestExactVariants tries every clock and interval of small wheels, and twice
// their range on demand.
func TestExactVariants(t *testing.T) {
	for _, info := range exact {
		for _, radices := range small {
			reach := min(info.Range(schemes.Config{Levels: radices}), 2*longest(schemes.Config{Levels: radices}))
			for _, now := range clocksOf(radices) {
				for interval := schemes.Tick(1); interval <= min(reach, math.MaxUint64-now); interval++ {
					got, _ := alone(t, info, radices, now, interval)
					require.Equal(t, now+interval, got, "%s %v: %d + %d", info.Name, radices, now, interval)
				}
			}
		}
	}
}

// TestBoundIsAttained compares Bound with the worst of every clock, by the
// definition of the variant: it is that, no more and no less.
func TestBoundIsAttained(t *testing.T) {
	for _, info := range rounded {
		for _, radices := range small {
			s, _ := made(t, info, schemes.Config{Levels: radices})
			for interval := schemes.Tick(1); interval <= info.Range(schemes.Config{Levels: radices}); interval++ {
				var worstEarly, worstLate schemes.Tick
				for _, now := range clocksOf(radices) {
					if interval > math.MaxUint64-now {
						continue
					}
					due, _ := definitions[info.Name].due(radices, now, interval)
					if deadline := now + interval; due < deadline {
						worstEarly = max(worstEarly, deadline-due)
					} else {
						worstLate = max(worstLate, due-deadline)
					}
				}
				early, late := s.(schemes.Bounder).Bound(interval)
				require.Equal(t, [2]schemes.Tick{worstEarly, worstLate}, [2]schemes.Tick{early, late}, "%s %v: %d", info.Name, radices, interval)
				require.Less(t, early, interval)
			}
		}
	}
}

// Bound has an answer for every interval: also for the longest, and none for
// those out of range.
func TestBoundOfAnyInterval(t *testing.T) {
	for _, info := range rounded {
		for _, radices := range [][]int{nil, {60, 60, 24, 100}, {1 << 16, 1 << 16, 1 << 16, 1 << 16}, {3, 1 << 16, 1 << 16, 1 << 16, 1<<16 - 1, 9}} {
			cfg := schemes.Config{Levels: radices}
			s, _ := made(t, info, cfg)
			reach := info.Range(cfg)
			for _, interval := range boundaries(radices, reach) {
				early, _ := s.(schemes.Bounder).Bound(interval)
				assert.Less(t, early, interval, "%s %v", info.Name, radices)
			}
			out := []schemes.Tick{0}
			if reach < math.MaxUint64 {
				out = append(out, reach+1, math.MaxUint64)
			}
			for _, interval := range out {
				early, late := s.(schemes.Bounder).Bound(interval)
				assert.Zero(t, early+late, "%s %v: %d", info.Name, radices, interval)
			}
		}
	}
}

// Having Bound means to be inexact.
func TestOnlyRoundedVariantsHaveBound(t *testing.T) {
	for _, info := range exact {
		s, _ := made(t, info, schemes.Config{})
		assert.NotImplements(t, (*schemes.Bounder)(nil), s, info.Name)
	}
	for _, info := range rounded {
		s, _ := made(t, info, schemes.Config{})
		assert.Implements(t, (*schemes.Bounder)(nil), s, info.Name)
	}
}

func TestRangeOfVariants(t *testing.T) {
	const days = 8_640_000
	tests := []struct {
		info                *schemes.Info
		clock, binary, tiny schemes.Tick // of 60, 60, 24 and 100 slots; of four times 256; of 4 and 1
	}{
		{&ByInterval, days, 1 << 32, 4},
		{&OnDemand, math.MaxUint64, math.MaxUint64, math.MaxUint64},
		{&NoMigrate, days - 86_399, 1<<32 - 1<<24 + 1, 4},
		{&NoMigrateNearest, days - 43_200, 1<<32 - 1<<23, 4},
		{&NoMigrateDown, days, 1 << 32, 4},
		{&NoMigrateDigit, days, 1 << 32, 4},
		{&Once, days - 1800, 1<<32 - 1<<15, 4},
		{&OnceDigit, days, 1 << 32, 4},
	}
	for _, test := range tests {
		assert.Equal(t, test.clock, test.info.Range(schemes.Config{Levels: []int{60, 60, 24, 100}}), test.info.Name)
		assert.Equal(t, test.binary, test.info.Range(schemes.Config{}), test.info.Name)
		assert.Equal(t, test.tiny, test.info.Range(schemes.Config{Levels: []int{4, 1}}), test.info.Name)
		assert.Equal(t, schemes.Tick(math.MaxUint64), test.info.Range(schemes.Config{Levels: []int{1 << 16, 1 << 16, 1 << 16, 1 << 16, 2}}), test.info.Name)
		assert.NotZero(t, test.info.Range(schemes.Config{Levels: []int{4, 0}}), "%s: no panic", test.info.Name)
	}
}

// clock returns the tick of a time of day 11, as in the paper's example.
func clock(h, m, s schemes.Tick) schemes.Tick { return ((11*24+h)*60+m)*60 + s }

// TestTheClockExample is the paper's example, 50 min 45 s at 11 d 10:24:30, under
// each variant.
func TestTheClockExample(t *testing.T) {
	tests := []struct {
		info       *schemes.Info
		due        schemes.Tick
		migrations uint64
	}{
		{&Info, clock(11, 15, 15), 2},
		{&ByInterval, clock(11, 15, 15), 1},
		{&OnDemand, clock(11, 15, 15), 1}, // two wheels reach it: hours have none
		{&NoMigrate, clock(11, 16, 0), 0},
		{&NoMigrateNearest, clock(11, 15, 0), 0},
		{&NoMigrateDown, clock(11, 15, 0), 0},
		{&NoMigrateDigit, clock(11, 0, 0), 0},
		{&Once, clock(11, 15, 15), 1},
		{&OnceDigit, clock(11, 15, 0), 1},
	}
	for _, test := range tests {
		due, w := alone(t, test.info, []int{60, 60, 24, 100}, clock(10, 24, 30), 50*60+45)
		assert.Equal(t, test.due, due, test.info.Name)
		assert.Equal(t, test.migrations, w.Tally.Migrations, test.info.Name)
	}
}

// A level by interval is not a slot by interval: 11 h 15 min 15 s from 10:24:30
// is 21:39:45. The digits of the interval, counted from the pointers, would make
// it hour 21 and from there 15 min 15 s.
func TestByIntervalUsesTheDigitsOfTheDeadline(t *testing.T) {
	due, _ := alone(t, &ByInterval, []int{60, 60, 24, 100}, clock(10, 24, 30), (11*60+15)*60+15)
	assert.Equal(t, clock(21, 39, 45), due)
}

// By digit, how early a timer is has nothing to do with its interval: 20 minutes
// from 10:59:59 are over after a second.
func TestNoMigrateDigitLosesNearlyAll(t *testing.T) {
	due, _ := alone(t, &NoMigrateDigit, []int{60, 60, 24, 100}, clock(10, 59, 59), 20*60)
	assert.Equal(t, clock(11, 0, 0), due)
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

// radicesOf returns the slots of the levels that there are.
func radicesOf(w *wheels) (radices []int) {
	for _, v := range w.levels {
		radices = append(radices, int(v.radix))
	}
	return radices
}

func TestLevelsOnDemand(t *testing.T) {
	tests := []struct {
		radices  []int
		interval schemes.Tick
		want     []int
	}{
		{[]int{4, 3, 2}, 4, []int{4}},
		{[]int{4, 3, 2}, 5, []int{4, 3}},
		{[]int{4, 3, 2}, 24, []int{4, 3, 2}},
		{[]int{4, 3, 2}, 25, []int{4, 3, 2, 2}},
		{[]int{4, 1, 3}, 12, []int{4, 1, 3}},
		{[]int{3, 1}, 4, []int{3, 1, 2}},
		{[]int{1}, 4, []int{1, 2, 2}},
		{nil, 1<<32 + 1, []int{256, 256, 256, 256, 256}},
		{[]int{1 << 16, 1 << 16, 1 << 16, 1 << 16, 1 << 16}, math.MaxUint64, []int{1 << 16, 1 << 16, 1 << 16, 1 << 16}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.radices, test.interval), func(t *testing.T) {
			s, w := made(t, &OnDemand, schemes.Config{Levels: test.radices})
			require.Len(t, w.levels, 1)
			_, err := s.Start(test.interval, 1)
			require.NoError(t, err)
			assert.Equal(t, test.want, radicesOf(w))
			assert.NoError(t, s.(schemes.Checker).Check())
		})
	}
}

// The clock's longest interval ends the making of levels, whatever the radix.
func TestLevelsOnDemandEndWithTheClock(t *testing.T) {
	for _, radix := range []int{1, 2, 3, 10, 60, 256, 1000} {
		s, w := made(t, &OnDemand, schemes.Config{Levels: []int{radix}})
		_, err := s.Start(math.MaxUint64, 1)
		require.NoError(t, err)
		assert.Equal(t, schemes.Tick(math.MaxUint64), s.(*ruled).reach)
		assert.LessOrEqual(t, len(w.levels), 65)
		require.NoError(t, s.(schemes.Checker).Check())
	}
}

// A wheel made late stands as if it had always been there, and the timers that
// wait for the next revolution of the wheel below it still are due in time.
func TestLevelsMadeLate(t *testing.T) {
	for now := schemes.Tick(0); now < 48; now++ {
		for wait := range schemes.Tick(8) {
			s, w := made(t, &OnDemand, schemes.Config{Now: now, Levels: []int{4, 2, 3}})
			due := map[schemes.Tick]int{}
			pass := func() {
				moved := s.PerTick()
				require.Equal(t, due[w.Now], moved)
				require.NoError(t, s.(schemes.Checker).Check())
			}
			start := func(interval schemes.Tick) {
				_, err := s.Start(interval, 1)
				require.NoError(t, err)
				due[w.Now+interval]++
			}
			for interval := schemes.Tick(1); interval <= 24; interval++ {
				if interval == 5 || interval == 9 {
					for range wait {
						pass()
					}
				}
				start(interval)
				require.NoError(t, s.(schemes.Checker).Check())
			}
			for range 30 {
				pass()
				for l, v := range makeLevels([]int{4, 2, 3}, w.Now) {
					v.head = w.levels[l].head
					require.Equal(t, v, w.levels[l])
				}
			}
		}
	}
}

// Without room for the levels, Start is refused and nothing is there that was
// not there before.
func TestNoRoomForLevels(t *testing.T) {
	s, w := made(t, &OnDemand, schemes.Config{Levels: []int{4, 3, 2}})
	_, err := s.Start(3, 1)
	require.NoError(t, err)
	w.SetLimit(8)
	before, text := w.Counts(), w.String()
	h, err := s.Start(5, 2)
	require.ErrorIs(t, err, schemes.ErrFull)
	assert.ErrorContains(t, err, "hierarchical-ondemand: ")
	assert.ErrorContains(t, err, " 5,")
	assert.Zero(t, h)
	assert.Equal(t, before, w.Counts())
	assert.Equal(t, text, w.String())
	assert.Len(t, w.levels, 1)
	require.NoError(t, s.(schemes.Checker).Check())
	_, err = s.Start(4, 3)
	assert.NoError(t, err)
}

// A drawing of many levels shows the lowest.
func TestDrawingOfManyLevels(t *testing.T) {
	s, w := made(t, &OnDemand, schemes.Config{Levels: []int{2}})
	_, err := s.Start(1<<40, 1)
	require.NoError(t, err)
	assert.Contains(t, w.String(), fmt.Sprintf("… and %d higher levels\n", len(w.levels)-10))
	assert.Contains(t, w.String(), "level 9 slot [0]: -\n")
}
