package bench

import (
	"fmt"

	"timerlab/harness/figures"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// drawn lists the services of the figure: Go's own timers and one of each design. Eleven lines could not
// be distinguished.
var drawn = []string{goTimers, ours, kafka, "netty", "jdk-pool", "fixedtimeout"}

// contention draws the time of a start and a stop against goroutines, if any was measured. A line joins
// the points of a sweep: two points are no sweep. All else is in the tables.
func contention(t *results.Table, made string) []report.Named {
	f := figures.XY{
		XLabel: "goroutines", X: figures.Axis{Log: true, Unit: figures.Count},
		YLabel: "time of an operation, all goroutines together", Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, name := range drawn {
		s := figures.Series{Name: name, Kind: figures.Measured}
		for _, g := range goroutines {
			if e, err := t.Median(at(fmt.Sprintf("StartStop/n=1M/g=%d", g), name), units.NsPerOp); err == nil {
				s.Points = append(s.Points, report.Point(float64(g), e))
			}
		}
		if len(s.Points) > 2 {
			s.Kind = figures.Both
		}
		if len(s.Points) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	if len(f.Series) == 0 {
		return nil
	}
	f.Frame = figures.Frame{
		Title: "Starting and stopping a timer", Command: made,
		Caption: []string{"A million timers pending, due in half an hour to one and a half. Medians; bars: 95 % intervals."},
	}
	if e, err := ratio(contendedStartStop, goTimers, ours, units.NsPerOp)(t); err == nil {
		f.Frame.Title += fmt.Sprintf(": %s is %s times as fast as Go's timers, with 8 goroutines", ours, units.FormatRatio(e.Median))
	}
	return []report.Named{{Name: "systems-startstop", XY: f}}
}
