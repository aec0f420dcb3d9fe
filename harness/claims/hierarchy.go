package claims

import (
	"math"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Scheme 7: hierarchical wheels (section 6.2), but for the choice between 6 and 7
// (crossing points are in choosing.go) and precision (precision.go).

// paperWheels is the paper's hierarchy: seconds, minutes, hours and days.
var paperWheels = []int{60, 60, 24, 100}

// clockTime returns a time on those wheels in seconds.
func clockTime(day, hour, minute, second schemes.Tick) schemes.Tick {
	return ((day*24+hour)*60+minute)*60 + second
}

var hierarchyChecks = checks{
	"V-1": {counted: func(l *lab) {
		sum := 0
		for _, radix := range paperWheels {
			sum += radix
		}
		reach := reachOf(l, "hierarchical", withLevels(paperWheels...))
		l.counted(244, float64(sum), "slots of the four wheels")
		l.counted(8_640_000, reach, "ticks that they reach, and slots of scheme 4 for the same")
		l.counted(reach, reachOf(l, "simplewheel", withSlots(8_640_000)), "ticks that as many slots reach in scheme 4")
		l.counted(35_410, math.Round(reach/float64(sum)), "ratio")
	}},
	"V-2": {counted: workedExample},
	"V-3": {counted: housekeeping},
	"V-4": {timed: startsOfScheme7},
	"V-5": {counted: func(l *lab) {
		const n, T = 1000, 16_384
		six := l.run(newExperiment("hashunsorted", withSlots(256), hold(n, T, workload.Exp()), T, T))
		l.sampled(T/256., six.per(visits, ended), "visits for each timer, T = 64 M").about(1,
			"a timer of J ticks meets J/M slots' turns, rounded up or down")
		for _, m := range []int{2, 4} {
			seven := l.run(newExperiment("hierarchical", equalLevels(256, m), hold(n, min(T, reachFor(256, m)), workload.Exp()), T, T))
			l.sampled(float64(m), seven.per(migrations, ended), "migrations for each timer, m = %d", m).as(AtMost)
		}
	}},
	"V-5x": {counted: meanMigrations},
	"V-10": {counted: radixSort},
	"V-11": {counted: func(l *lab) {
		for _, turns := range []schemes.Tick{8, 64, 256} {
			T := turns * 256
			six := l.run(newExperiment("hashunsorted", withSlots(256), hold(200, T, workload.Exp()), T, 2*T)).per(wasted, ended)
			seven := l.run(newExperiment("hierarchical", equalLevels(256, 4), hold(200, T, workload.Exp()), T, 2*T)).per(migrations, ended)
			l.sampled(1, seven.over(six), "migrations of 7 over wasted visits of 6, 256 slots each, T = %d M",
				turns).as(AtMost)
		}
	}},
}

// reachOf returns a scheme's range.
func reachOf(l *lab, scheme string, cfg schemes.Config) float64 {
	info, err := harness.Find(scheme)
	l.check(err)
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
