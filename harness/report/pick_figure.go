package report

import (
	"cmp"
	"fmt"
	"slices"

	"timerlab/harness/figures"
	"timerlab/harness/pick"
	"timerlab/harness/results"
	"timerlab/schemes"
)

// Figure draws the cost against M, measured and predicted, with the best candidate marked.
// Schemes without slots are at M = 1. There must be a best candidate.
func (p Pick) Figure() figures.XY {
	best := p.Best()
	f := figures.XY{
		Frame:  figures.Frame{Title: p.Sentence, Caption: []string{p.caption()}, Command: p.Command},
		XLabel: "slots of all wheels, M (1: a list or tree)", YLabel: "ns/timer",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	measured := map[string][]figures.Point{}
	var order []string
	for _, c := range p.Results {
		if !(c.Life.Median > 0) { // it did not run to the end
			continue
		}
		if len(measured[c.Info.Name]) == 0 {
			order = append(order, c.Info.Name)
		}
		point := figures.Point{X: slotsAxis(c.Subject), Y: c.Life.Median}
		if c.Life.Bounded() {
			point.Lo, point.Hi = c.Life.Lo, c.Life.Hi
		}
		measured[c.Info.Name] = append(measured[c.Info.Name], point)
	}
	for _, name := range order {
		f.Series = append(f.Series, figures.Series{Name: name, Kind: figures.Measured, Points: measured[name]})
		if curve := p.predicted(name); len(curve) > 0 {
			f.Series = append(f.Series, figures.Series{Name: name, Kind: figures.Predicted, Points: curve})
		}
	}
	mark := []figures.Point{{X: slotsAxis(best.Subject), Y: best.Quartile}}
	f.Series = append(f.Series, figures.Series{Name: "the pick", Kind: figures.Measured, Points: mark})
	return f
}

func slotsAxis(c pick.Subject) float64 { return float64(max(1, c.TotalSlots())) }

// predicted returns the predictions for a scheme: for an unsorted hashed wheel at each power
// of two from 16 to four times the largest M that ran, for others at their sizes.
func (p Pick) predicted(scheme string) (points []figures.Point) {
	var all []pick.Subject
	for _, c := range p.Results {
		if c.Info.Name == scheme && c.Life.Median > 0 {
			all = append(all, c.Subject)
		}
	}
	if info := all[0].Info; info.Kind == schemes.HashedWheel && !info.Sorted {
		most := slices.MaxFunc(all, func(a, b pick.Subject) int { return cmp.Compare(a.Slots, b.Slots) }).Slots
		all = nil
		for slots := 16; slots <= 4*most; slots *= 2 {
			all = append(all, pick.Subject{Info: info, Slots: slots})
		}
	}
	for _, c := range all {
		if ns, ok := p.Model.Predict(c, p.Workload); ok {
			points = append(points, figures.Point{X: slotsAxis(c), Y: ns})
		}
	}
	slices.SortFunc(points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
	return points
}

func (p Pick) caption() string {
	text := fmt.Sprintf("%s: n = %s, mean %s. Points: medians with 95 %% intervals of six rounds or more; "+
		"the pick: its lower quartile, by which candidates are ranked.",
		p.Workload.Source, results.FormatCount(uint64(p.Workload.N)), p.Ticks(p.Workload.Residence))
	if p.NoModel == "" {
		text += " Lines: predicted."
	}
	return text
}
