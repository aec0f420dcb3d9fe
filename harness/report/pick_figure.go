package report

import (
	"fmt"
	"slices"

	"timerlab/harness/figures"
	"timerlab/harness/pick"
	"timerlab/harness/workload"
)

// Figure draws the cost against M, with the best candidate marked.
// Schemes without slots are at M = 1. There must be a best candidate.
func (p Pick) Figure() figures.XY {
	best := p.Best()
	f := figures.XY{
		Frame:  figures.Frame{Title: p.Sentence, Caption: []string{p.caption()}, Command: p.Command},
		XLabel: "slots of all wheels, M (1: a list or tree)", YLabel: "ns/timer",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, c := range p.Results {
		if !(c.Life.Median > 0) { // it did not run to the end
			continue
		}
		name := c.Info.Name
		at := slices.IndexFunc(f.Series, func(s figures.Series) bool { return s.Name == name })
		if at < 0 {
			at, f.Series = len(f.Series), append(f.Series, figures.Series{Name: name, Kind: figures.Measured})
		}
		f.Series[at].Points = append(f.Series[at].Points, Point(slotsAxis(c.Subject), c.Life))
	}
	mark := []figures.Point{{X: slotsAxis(best.Subject), Y: best.Quartile}}
	f.Series = append(f.Series, figures.Series{Name: "the pick", Kind: figures.Measured, Points: mark})
	return f
}

func slotsAxis(c pick.Subject) float64 { return float64(max(1, c.TotalSlots())) }

func (p Pick) caption() string {
	return fmt.Sprintf("%s: n = %s, mean %s. Medians with 95 %% intervals of six rounds or more; "+
		"the pick: its lower quartile, by which candidates are ranked.",
		p.Workload.Source, workload.Count(p.Workload.N).String(), p.Ticks(p.Workload.Residence))
}
