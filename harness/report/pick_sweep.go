package report

import (
	"cmp"
	_ "embed"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/template"

	"timerlab/harness/pick"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// PickSweep is the page of a sweep. Its version hides the file's.
type PickSweep struct {
	Version int `json:"version"`
	pick.Sweep
	Good       int            `json:"good"`   // picks within goodPick
	Grades     map[string]int `json:"grades"` // by the intervals of the ratios
	OverMemory int            `json:"over_memory_limit"`
	Short      int            `json:"short"`      // picks whose time was too short
	Missing    []string       `json:"not_judged"` // workloads
	Worst      float64        `json:"-"`
}

// NewPickSweep returns the page of a sweep of some workloads.
func NewPickSweep(s pick.Sweep, names []string) PickSweep {
	p := PickSweep{Version: JSONVersion, Sweep: s, Grades: map[string]int{"within": 0, "beyond": 0, "undecided": 0}}
	p.Verdicts = slices.Clone(s.Verdicts)
	p.Missing = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(s.Verdicts, func(v pick.Verdict) bool { return v.Name == name })
	})
	slices.SortStableFunc(p.Verdicts, func(a, b pick.Verdict) int { // parts and continued sweeps have another order
		return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name))
	})
	for _, v := range s.Verdicts {
		p.Grades[v.Grade(goodPick)]++
		switch {
		case v.Short:
			p.Short++ // which is a miss
		case v.Ratio <= goodPick:
			p.Good++
		}
		if v.Memory > 0 && v.Bytes > v.Memory {
			p.OverMemory++
		}
		p.Worst = max(p.Worst, v.Ratio)
	}
	return p
}

const (
	goodPick  = 1.10 // times the best: a good pick
	goodShare = 0.95 // of all picks that must be good: the target
	worstPick = 1.50 // times the best at most: the target for each
	worstRows = 10   // of the page's table
)

//go:embed pick_sweep.tmpl
var pickSweepText string

var pickSweepTemplate = template.Must(template.New("sweep").Funcs(template.FuncMap{
	"percent": results.FormatPercent, "ratio": results.FormatRatio, "join": strings.Join,
}).Parse(pickSweepText))

// Write writes the page in a format: text is Markdown, with the workloads whose picks are the worst; CSV has them all.
func (p PickSweep) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, p)
	case CSV:
		return p.list().WriteCSV(w)
	}
	return pickSweepTemplate.Execute(w, p)
}

// list has a row for each verdict.
func (p PickSweep) list() List {
	t := NewTable("workload", "about", "n", "starts a tick", "T", "memory limit", "picked", "bytes", "best", "vs best",
		"tied", "worst tied", "best ns", "measured", "rounds", "seconds")
	for _, v := range p.Verdicts {
		t.Add(v.Name, v.About, v.N, v.Rate, v.Residence, v.Memory, v.Picked, v.Bytes, v.Best, versusBest(v),
			v.Tied, v.WorstTied, v.BestNs, v.Measured, v.Rounds, v.Seconds)
	}
	return List{Name: "pick", Table: t, About: "Picks, judged by a measurement of all candidates. T: mean stay in " +
		"ticks; memory limit: bytes, 0 is none; picked: the first of those that tie; bytes: the most that it held; " +
		"vs best: its time over that of the best, median and 95 % interval of the ratios by round; tied: candidates " +
		"that the pick named; worst tied: the same ratio for the slowest of them; best ns: a timer, median; measured: " +
		"candidates; seconds: that the pick took."}
}

// versusBest is the cell of a pick's ratio to the best candidate, with its interval if there is one.
func versusBest(v pick.Verdict) Cell {
	e := results.Estimate{Median: v.Ratio, Lo: v.Low, Hi: v.High, N: v.Rounds}
	if v.High == 0 {
		e.Lo, e.Hi = math.Inf(-1), math.Inf(1)
	}
	return Interval(e, results.FormatRatio)
}

// WorstTable returns the picks that are furthest from the best.
func (p PickSweep) WorstTable() *Table {
	t := NewTable("workload", "n", "T, ticks", "picked", "vs best", "the best")
	worst := slices.SortedStableFunc(slices.Values(p.Verdicts), func(a, b pick.Verdict) int {
		return cmp.Compare(b.Ratio, a.Ratio)
	})
	for _, v := range worst[:min(worstRows, len(worst))] {
		best := v.Best
		if best == v.Picked {
			best = "the pick"
		}
		t.Add(v.Name, workload.Count(v.N).String(), number(v.Residence), v.Picked, versusBest(v), best)
	}
	return t
}

// Groups returns how many picks of each group of schemes there are, with their ratios.
func (p PickSweep) Groups() *Table {
	t := NewTable("scheme picked", "workloads", "median vs best", "worst")
	ratios := map[string][]float64{}
	for _, v := range p.Verdicts {
		name, _, _ := strings.Cut(v.Picked, " ")
		ratios[name] = append(ratios[name], v.Ratio)
	}
	names := slices.SortedFunc(maps.Keys(ratios), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(ratios[b]), len(ratios[a])), cmp.Compare(a, b))
	})
	for _, name := range names {
		t.Add(name, len(ratios[name]), results.FormatRatio(results.Median(ratios[name])),
			results.FormatRatio(slices.Max(ratios[name])))
	}
	return t
}

// All returns the number of workloads, judged or not.
func (p PickSweep) All() int { return len(p.Verdicts) + len(p.Missing) }

// GoodShare returns the share of good picks among all workloads.
func (p PickSweep) GoodShare() float64 { return float64(p.Good) / float64(p.All()) }

// Beyond returns how many picks are not good.
func (p PickSweep) Beyond() int { return len(p.Verdicts) - p.Good }

// GoodVerdict says whether enough picks are good, whatever the missing ones are.
func (p PickSweep) GoodVerdict() string {
	switch {
	case p.GoodShare() >= goodShare:
		return "met"
	case float64(p.Good+len(p.Missing)) < goodShare*float64(p.All()):
		return "missed"
	}
	return "open"
}

// WorstVerdict says whether no pick is bad.
func (p PickSweep) WorstVerdict() string {
	switch {
	case p.Worst > worstPick:
		return "missed"
	case len(p.Missing) > 0:
		return "open"
	}
	return "met"
}
