package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/figures"
	"timerlab/harness/pick"
)

// save draws the cost against M, as it was timed and as it was predicted, with the winner
// marked.
func (p picking) save(path string, w picture) error {
	_, err := figures.Save(path, p.figure(w))
	return err
}

// figure has a line of predictions and one of timings for each scheme that has slots,
// and points for the others, at M = 1.
func (p picking) figure(w picture) figures.Lines {
	won := p.Winners()
	f := figures.Lines{
		Frame: figures.Frame{
			Title:   finding(won),
			Caption: p.caption(w),
			Command: p.command,
		},
		XLabel: "slots of all wheels, M (1: a list or tree)", YLabel: "a timer's life, ns",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	byScheme := map[string][]figures.Point{}
	var order []string
	for _, c := range p.Results {
		if c.Life.Median <= 0 {
			continue
		}
		if _, known := byScheme[c.Info.Name]; !known {
			order = append(order, c.Info.Name)
		}
		point := figures.Point{X: float64(max(1, c.Total())), Y: c.Life.Median}
		if !math.IsInf(c.Life.Lo, 0) && !math.IsInf(c.Life.Hi, 0) {
			point.Lo, point.Hi = c.Life.Lo, c.Life.Hi
		}
		byScheme[c.Info.Name] = append(byScheme[c.Info.Name], point)
	}
	for _, name := range order {
		f.Lines = append(f.Lines, figures.Line{Like: name, Name: name, Kind: figures.Counted, Points: byScheme[name]})
		f.Lines = append(f.Lines, figures.Line{Like: name, Name: name, Kind: figures.Predicted, Points: p.curve(name, w)})
	}
	for _, c := range won[:1] {
		f.Lines = append(f.Lines, figures.Line{Name: "the pick", Kind: figures.Counted, Points: []figures.Point{{X: float64(max(1, c.Total())), Y: c.Life.Median}}})
	}
	f.Lines = slices.DeleteFunc(f.Lines, func(l figures.Line) bool { return len(l.Points) == 0 })
	return f
}

// curve returns what the model says of a scheme at the sizes around those that ran.
func (p picking) curve(scheme string, w picture) (points []figures.Point) {
	for _, c := range p.Results {
		if c.Info.Name == scheme && c.Predicted > 0 {
			points = append(points, figures.Point{X: float64(max(1, c.Total())), Y: c.Predicted})
		}
	}
	slices.SortFunc(points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
	return points
}

func finding(won []pick.Result) string {
	if len(won) > 1 {
		return fmt.Sprintf("%s tie, %v at %.3g ns a life among them", count(len(won), "candidate"), won[0].Candidate, won[0].Life.Median)
	}
	return fmt.Sprintf("%v takes least, %.3g ns a life", won[0].Candidate, won[0].Life.Median)
}

func (p picking) caption(w picture) []string {
	text := fmt.Sprintf("%s: n = %.3g, R = %s, tick %v. Points: medians of what was timed, with 95 %% intervals of six rounds or more.", w.from, float64(w.N), w.inTime(w.Residence), w.tick)
	if p.model != nil {
		text += " Lines: predicted."
	}
	return []string{text}
}
