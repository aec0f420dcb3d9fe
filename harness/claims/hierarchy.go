package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 7: hierarchical wheels (section 6.2), but for the choice between 6 and 7
// (crossing points are in choosing.go) and precision (precision.go).

// clock is the paper's hierarchy: seconds, minutes, hours and days.
var clock = []int{60, 60, 24, 100}

// at returns a time of the paper's clock in seconds.
func at(day, hour, minute, second schemes.Tick) schemes.Tick {
	return ((day*24+hour)*60+minute)*60 + second
}

var hierarchyClaims = []Claim{
	{
		ID: "V-1", Scheme: "hierarchical, simplewheel", Source: "section 6.2",
		Sentence: "100 days, 24 hours, 60 minutes and 60 seconds are 244 slots, where one wheel needs 8.64 million.",
		counted: func(l *lab) []Point {
			sum := 0
			for _, radix := range clock {
				sum += radix
			}
			reach := reachOf(l, "hierarchical", withLevels(clock...))
			return []Point{
				counted(244, float64(sum), "slots of the four wheels"),
				counted(8_640_000, reach, "ticks that they reach, and slots of scheme 4 for the same"),
				counted(reach, reachOf(l, "simplewheel", withSlots(8_640_000)), "ticks that as many slots reach in scheme 4"),
				counted(35_410, math.Round(reach/float64(sum)), "ratio"),
			}
		},
	},
	{
		ID: "V-2", Scheme: "hierarchical", Source: "section 6.2, figures 10 and 11",
		Sentence: "Started on day 11 at 10:24:30 for 50 min 45 s, a timer waits in hour 11, at 11:00:00 goes to minute 15, at 11:15:00 to second 15, and expires at 11:15:15.",
		counted:  workedExample,
	},
	{
		ID: "V-3", Scheme: "hierarchical", Source: "section 6.2; sum derived",
		Sentence: "Each wheel above the lowest moves on when the one below has come round, timers or none: 1/q1 + 1/(q1·q2) + … moves a tick.",
		counted:  housekeeping,
	},
	{
		ID: "V-4", Scheme: "hierarchical", Source: "section 6.2",
		Sentence: "START may need O(m) steps to find the level, and costs a few instructions more than START of scheme 6.",
		Instead:  "no difference outside the noise where the comparison fails: the cache misses of the record and its neighbours are the cost",
		timed: func(t *timings) []Point {
			var points []Point
			six := t.cells("Start", "hashunsorted", forLevels)
			for _, k := range t.cells("Start", "hierarchical", forLevels) {
				for _, s := range six {
					points = append(points, timed(AtLeast, 1, t.ratio(k, s, nsPerOp), "START of 7, m = %d levels, over START of 6, n = %s", strings.Count(k.Levels, "x")+1, k.N))
				}
			}
			if len(points) == 0 {
				t.lacks("START of schemes 6 and 7 at several m")
			}
			return points
		},
	},
	{
		ID: "V-5", Scheme: "hashunsorted, hierarchical", Source: "section 6.2",
		Sentence: "A timer that stays T is visited T/M times by scheme 6, give or take one, and migrates at most m times in scheme 7.",
		counted: func(l *lab) []Point {
			var points []Point
			const n, T = 1000, 16_384
			six := l.run(experiment{scheme: "hashunsorted", cfg: withSlots(256), spec: hold(n, T, workload.Exp()), warm: T, each: T / 4})
			points = append(points, sampled(T/256., six.per(visits, ended), "visits for each timer, T = 64 M").about(1, "a timer of J ticks meets J/M slots' turns, rounded up or down"))
			for _, m := range []int{2, 4} {
				seven := l.run(experiment{scheme: "hierarchical", cfg: same(256, m), spec: hold(n, min(T, reachFor(256, m)), workload.Exp()), warm: T, each: T / 4})
				points = append(points, sampled(float64(m), seven.per(migrations, ended), "migrations for each timer, m = %d", m).as(AtMost))
			}
			return points
		},
	},
	{
		ID: "V-5x", Scheme: "hierarchical, hierarchical-interval", Source: "derived",
		Sentence: "A timer migrates as often as its expiry, written in the wheels' radices, has digits other than 0 below the level that it starts on: about once near T = M, at most m - 1 times, and less often if the level goes by the interval.",
		Figure:   "migrations",
		counted:  meanMigrations,
	},
	{
		ID: "V-10", Scheme: "hierarchical", Source: "section 6.2",
		Sentence: "Scheme 7 is to a radix sort what scheme 4 is to a bucket sort: timers started together come out sorted, each handled once for every digit other than 0.",
		counted:  radixSort,
	},
	{
		ID: "V-11", Scheme: "hashunsorted, hierarchical", Source: "section 7",
		Sentence: "Where memory does not allow an efficient scheme 6, scheme 7 is to be taken: with the same slots and T far above M it handles a timer less often.",
		counted: func(l *lab) []Point {
			var points []Point
			for _, turns := range []schemes.Tick{8, 64, 256} {
				T := turns * 256
				six := l.run(experiment{scheme: "hashunsorted", cfg: withSlots(256), spec: hold(200, T, workload.Exp()), warm: T, each: 2 * T}).per(wasted, ended)
				seven := l.run(experiment{scheme: "hierarchical", cfg: same(256, 4), spec: hold(200, T, workload.Exp()), warm: T, each: 2 * T}).per(migrations, ended)
				points = append(points, sampled(1, seven.over(six), "migrations of 7 over wasted visits of 6, 256 slots each, T = %d M", turns).as(AtMost))
			}
			return points
		},
	},
}

// reachOf returns a scheme's range.
func reachOf(l *lab, scheme string, cfg schemes.Config) float64 {
	info, err := harness.Find(scheme)
	if err != nil {
		l.fail(err)
		return math.NaN()
	}
	return float64(info.Range(cfg))
}

// reachFor is the longest mean for which exponential intervals, up to 9.0 means, fit
// into m wheels of M/m slots.
func reachFor(slots, m int) schemes.Tick {
	reach := 1.0
	for range m {
		reach *= float64(slots / m)
	}
	return schemes.Tick(reach / 9.1)
}

// workedExample follows the paper's timer through the drawing.
func workedExample(l *lab) []Point {
	s := l.new("hierarchical", schemes.Config{Now: at(11, 10, 24, 30), Levels: clock})
	if s == nil {
		return nil
	}
	if _, err := s.Start(50*60+45, 7); err != nil {
		l.fail(err)
	}
	now := at(11, 10, 24, 30)
	where := func(until schemes.Tick) (level, slot float64) {
		for ; now < until; now++ {
			s.PerTick()
		}
		return placeOf(s, 7)
	}
	var points []Point
	for _, stop := range []struct {
		until       schemes.Tick
		level, slot float64
		what        string
	}{
		{at(11, 10, 24, 30), 2, 11, "10:24:30"},
		{at(11, 10, 59, 59), 2, 11, "10:59:59"},
		{at(11, 11, 0, 0), 1, 15, "11:00:00"},
		{at(11, 11, 14, 59), 1, 15, "11:14:59"},
		{at(11, 11, 15, 0), 0, 15, "11:15:00"},
		{at(11, 11, 15, 14), 0, 15, "11:15:14"},
	} {
		level, slot := where(stop.until)
		points = append(points, counted(stop.level, level, "level at %s", stop.what), counted(stop.slot, slot, "slot at %s", stop.what))
	}
	return append(points,
		counted(1, float64(s.PerTick()), "timers due at 11:15:15"),
		counted(2, float64(s.Counts().Migrations), "migrations"))
}

// placeOf finds a timer in the drawing.
func placeOf(s fmt.Stringer, id schemes.ID) (level, slot float64) {
	for _, line := range strings.Split(s.String(), "\n") {
		if strings.Contains(line, fmt.Sprintf(" %d(", id)) {
			line = strings.NewReplacer("[", "", "]", "").Replace(line)
			var l, at int
			if scan(line, "level %d slot %d:", &l, &at) {
				return float64(l), float64(at)
			}
		}
	}
	return math.NaN(), math.NaN()
}

// housekeeping watches the pointers of empty wheels in the drawing, over a whole
// turn of all.
func housekeeping(l *lab) []Point {
	s := l.new("hierarchical", withLevels(4, 8, 4))
	if s == nil {
		return nil
	}
	const turn = 4 * 8 * 4
	moves, before := 0.0, pointers(s)
	for range turn {
		s.PerTick()
		now := pointers(s)
		for l := 1; l < 3; l++ {
			if now[l] != before[l] {
				moves++
			}
		}
		before = now
	}
	return []Point{
		counted(1./4+1./32, moves/turn, "moves of upper pointers for each tick, wheels of 4, 8 and 4 slots, n = 0"),
		counted(0, float64(s.Counts().Visits), "timers visited meanwhile: no internal timers do it here"),
	}
}

// pointers reads the slots in brackets.
func pointers(s fmt.Stringer) (at [3]int) {
	for _, line := range strings.Split(s.String(), "\n") {
		var l, slot int
		if scan(line, "level %d slot [%d]:", &l, &slot) {
			at[l] = slot
		}
	}
	return at
}

// meanMigrations compares migrations for each timer with the formulas of both level
// rules.
func meanMigrations(l *lab) []Point {
	var points []Point
	for _, rule := range levelRules {
		for _, T := range []schemes.Tick{64, 256, 1024, 4096, 65_536} {
			for _, stops := range []bool{false, true} {
				if stops && T > 4096 {
					continue // intervals beyond the wheels' range
				}
				predicted, counted := migrationsPerTimer(l, rule, T, stops)
				points = append(points, sampled(predicted, counted, "migrations for each timer, %s, %s, T = %d, 4 wheels of 64", rule.scheme, withStops(stops), T))
			}
		}
	}
	return points
}

// migrationsPerTimer counts on four wheels of 64. The run is a whole turn of the
// third wheel, since timers migrate when wheels come round, or eight of them where
// many intervals reach beyond the second.
func migrationsPerTimer(l *lab, rule levelRule, T schemes.Tick, stops bool) (predicted float64, counted Value) {
	const second, third = 64 * 64, 64 * 64 * 64
	e := experiment{scheme: rule.scheme, cfg: withLevels(64, 64, 64, 64), spec: hold(2000, T, workload.Exp()), warm: second, each: third / batches}
	if stops {
		e.spec = mostlyStopped(e.spec)
	}
	lives := e.spec.Lives()
	if cost.HeldPerLive(lives)*float64(T) > second/2 {
		e.warm, e.each, e.spec.N = third, 8*third/batches, min(2000, max(64, int(T/8)))
	}
	return rule.migrations(lives, e.cfg.Levels), l.run(e).per(migrations, ended)
}

// levelRule is how a timer's level is chosen.
type levelRule struct {
	scheme     string
	migrations func(lives []workload.Life, radices []int) float64
}

var levelRules = []levelRule{
	{"hierarchical", cost.Migrations7},
	{"hierarchical-interval", cost.MigrationsByInterval},
}

// radixSort starts timers of every interval at once, in a scattered order.
func radixSort(l *lab) []Point {
	levels := []int{8, 4, 16}
	const reach = 8 * 4 * 16
	s := l.new("hierarchical", withLevels(levels...))
	if s == nil {
		return nil
	}
	digits := 0.0
	for i := range schemes.Tick(reach - 1) {
		interval := 1 + i*211%(reach-1)
		if _, err := s.Start(interval, schemes.ID(interval)); err != nil {
			l.fail(err)
		}
		for _, radix := range levels {
			if interval%schemes.Tick(radix) != 0 {
				digits++
			}
			interval /= schemes.Tick(radix)
		}
	}
	var order []schemes.ID
	for range reach {
		s.PerTick()
		s.Expire(func(id schemes.ID) { order = append(order, id) })
	}
	sorted := 0.0
	if slices.IsSorted(order) && len(order) == reach-1 {
		sorted = 1
	}
	return []Point{
		counted(1, sorted, "all %d timers come out, sorted (1: yes)", reach-1),
		counted(digits, float64(s.Counts().Visits), "times that timers are handled; predicted: the digits other than 0 of their expiries"),
	}
}
