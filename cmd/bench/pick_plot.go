package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/results"

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
func (p picking) figure(w picture) figures.XY {
	won := p.Winners()
	f := figures.XY{
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
		if !(c.Life.Median > 0) { // it did not run to an end
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
		f.Series = append(f.Series, figures.Series{Style: name, Name: name, Kind: figures.Measured, Points: byScheme[name]})
		f.Series = append(f.Series, figures.Series{Style: name, Name: name, Kind: figures.Predicted, Points: p.curve(name, w)})
	}
	for _, c := range won[:1] {
		f.Series = append(f.Series, figures.Series{Name: "the pick", Kind: figures.Measured, Points: []figures.Point{{X: float64(max(1, c.Total())), Y: c.Quartile}}})
	}
	f.Series = slices.DeleteFunc(f.Series, func(l figures.Series) bool { return len(l.Points) == 0 })
	return f
}

// curve returns what the model says of a scheme: for hashed wheels at every M that is a
// power of two, from 16 to four times the largest that ran, for others at their sizes.
func (p picking) curve(scheme string, w picture) (points []figures.Point) {
	add := func(c pick.Candidate) {
		if ns, ok := p.model.Predict(c, w.Workload); ok {
			points = append(points, figures.Point{X: float64(max(1, c.Total())), Y: ns})
		}
	}
	most := pick.Candidate{}
	for _, c := range p.Results {
		if c.Info.Name != scheme || !(c.Life.Median > 0) {
			continue
		}
		if c.Info.Number != 6 {
			add(c.Candidate)
		}
		if most.Info == nil || c.Slots > most.Slots {
			most = c.Candidate
		}
	}
	if most.Info.Number == 6 {
		for slots := 16; slots <= 4*most.Slots; slots *= 2 {
			add(pick.Candidate{Info: most.Info, Slots: slots})
		}
	}
	slices.SortFunc(points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
	return points
}

func finding(won []pick.Result) string {
	if len(won) > 1 {
		return fmt.Sprintf("%s tie, %v at %.3g ns a life among them", count(len(won), "candidate"), won[0].Candidate, won[0].Quartile)
	}
	return fmt.Sprintf("%v takes least, %.3g ns a life", won[0].Candidate, won[0].Quartile)
}

func (p picking) caption(w picture) []string {
	text := fmt.Sprintf("%s: n = %s, R = %s, tick %v. Points: medians of what was timed, with 95 %% intervals of six rounds or more; the pick: the lower quartile, by which candidates are ranked.", w.from, results.FormatCount(uint64(w.N)), w.inTime(w.Residence), w.tick)
	if p.model != nil {
		text += " Lines: predicted."
	}
	return []string{text}
}
