package picks

import (
	"cmp"
	_ "embed"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// Sweep is the page of a sweep. Its version hides the file's.
type Sweep struct {
	Version int `json:"version"`
	pick.Sweep
	Good       int            `json:"good"`   // picks within pick.GoodPick
	Grades     map[string]int `json:"grades"` // by the intervals of the ratios
	OverMemory int            `json:"over_memory_limit"`
	Short      int            `json:"short"`      // picks whose time was too short
	Tied       int            `json:"tied"`       // picks that name a tie
	TiesRight  int            `json:"ties_right"` // of those, all that is named is within pick.GoodPick
	Missing    []string       `json:"not_judged"` // workloads
	Worst      float64        `json:"-"`

	All, Beyond          int     `json:"-"` // workloads, judged or not; picks that are not good
	GoodShare, MostShare float64 `json:"-"` // of good picks among all, and if the missing ones were good
}

// NewSweep returns the page of a sweep of some workloads.
func NewSweep(s pick.Sweep, names []string) Sweep {
	p := Sweep{Version: report.JSONVersion, Sweep: s, Grades: map[string]int{"within": 0, "beyond": 0, "undecided": 0}}
	p.Verdicts = slices.Clone(s.Verdicts)
	p.Missing = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(s.Verdicts, func(v pick.Verdict) bool { return v.Name == name })
	})
	slices.SortStableFunc(p.Verdicts, func(a, b pick.Verdict) int { // parts and continued sweeps have another order
		return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name))
	})
	for _, v := range p.Verdicts {
		p.Grades[v.Grade(pick.GoodPick)]++
		switch {
		case v.Short:
			p.Short++ // which is a miss
		case v.Ratio <= pick.GoodPick:
			p.Good++
		}
		if v.Tied > 1 {
			p.Tied++
			if v.WorstTied <= pick.GoodPick {
				p.TiesRight++
			}
		}
		if v.Memory > 0 && v.Bytes > v.Memory {
			p.OverMemory++
		}
		p.Worst = max(p.Worst, v.Ratio)
	}
	p.All, p.Beyond = len(p.Verdicts)+len(p.Missing), len(p.Verdicts)-p.Good
	p.GoodShare, p.MostShare = float64(p.Good)/float64(p.All), float64(p.Good+len(p.Missing))/float64(p.All)
	return p
}

const worstRows = 10 // of the page's table

//go:embed sweep.tmpl
var sweepText string

var sweepTemplate = report.NewTemplate("sweep", sweepText)

// Write writes the page in a format: text is Markdown, with the workloads whose picks are the worst; CSV has them all.
func (p Sweep) Write(w io.Writer, f report.Format) error {
	switch f {
	case report.JSON:
		return report.WriteJSON(w, p)
	case report.CSV:
		return p.list().Write(w, f)
	}
	return sweepTemplate.Execute(w, p)
}

// list has a row for each verdict.
func (p Sweep) list() *report.Table {
	t := report.NewTable("workload", "about", "n", "starts a tick", "T", "memory limit", "picked", "bytes", "best", "vs best",
		"tied", "worst tied", "best ns", "measured", "rounds", "seconds")
	for _, v := range p.Verdicts {
		t.Add(v.Name, v.About, v.N, v.Rate, v.MeanStay, v.Memory, v.Picked, v.Bytes, v.Best, versusBest(v),
			v.Tied, v.WorstTied, v.BestNs, v.Measured, v.Rounds, v.Seconds)
	}
	return t
}

// versusBest is the cell of a pick's ratio to the best candidate, with its interval if there is one.
func versusBest(v pick.Verdict) report.Cell {
	e := results.Estimate{Median: v.Ratio, Lo: v.Low, Hi: v.High, N: v.Rounds}
	if v.High == 0 {
		e.Lo, e.Hi = math.Inf(-1), math.Inf(1)
	}
	return report.Interval(e, units.FormatRatio)
}

// WorstTable returns the picks that are furthest from the best.
func (p Sweep) WorstTable() *report.Table {
	t := report.NewTable("workload", "n", "T, ticks", "picked", "vs best", "the best")
	worst := slices.SortedStableFunc(slices.Values(p.Verdicts), func(a, b pick.Verdict) int {
		return cmp.Compare(b.Ratio, a.Ratio)
	})
	for _, v := range worst[:min(worstRows, len(worst))] {
		best := v.Best
		if best == v.Picked {
			best = "the pick"
		}
		t.Add(v.Name, workload.Count(v.N).String(), number(v.MeanStay), v.Picked, versusBest(v), best)
	}
	return t
}

// Groups returns how many picks of each group of schemes there are, with their ratios.
func (p Sweep) Groups() *report.Table {
	t := report.NewTable("scheme picked", "workloads", "median vs best", "worst")
	ratios := map[string][]float64{}
	for _, v := range p.Verdicts {
		name, _, _ := strings.Cut(v.Picked, " ")
		ratios[name] = append(ratios[name], v.Ratio)
	}
	names := slices.SortedFunc(maps.Keys(ratios), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(ratios[b]), len(ratios[a])), cmp.Compare(a, b))
	})
	for _, name := range names {
		t.Add(name, len(ratios[name]), units.FormatRatio(results.Median(ratios[name])),
			units.FormatRatio(slices.Max(ratios[name])))
	}
	return t
}
