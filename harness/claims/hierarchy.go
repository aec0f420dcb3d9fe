package claims

import (
	"math"

	"timerlab/harness"
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
		Instead:  "true where many small wheels are searched or timers are few; with four wheels of 4096 slots a START costs as much as that of scheme 6, give or take a few percent: the record and its neighbours are the cost",
		timed:    startsOfScheme7,
	},
	{
		ID: "V-5", Scheme: "hashunsorted, hierarchical", Source: "section 6.2",
		Sentence: "A timer that stays T is visited T/M times by scheme 6, give or take one, and migrates at most m times in scheme 7.",
		counted: func(l *lab) []Point {
			var points []Point
			const n, T = 1000, 16_384
			six := l.run(experiment{scheme: "hashunsorted", cfg: withSlots(256), spec: hold(n, T, workload.Exp()), warm: T, each: T})
			points = append(points, sampled(T/256., six.per(visits, ended), "visits for each timer, T = 64 M").about(1, "a timer of J ticks meets J/M slots' turns, rounded up or down"))
			for _, m := range []int{2, 4} {
				seven := l.run(experiment{scheme: "hierarchical", cfg: same(256, m), spec: hold(n, min(T, reachFor(256, m)), workload.Exp()), warm: T, each: T})
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
