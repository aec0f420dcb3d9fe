package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
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
	Worst      pick.Verdict   `json:"-"`
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
		if v.Ratio > p.Worst.Ratio {
			p.Worst = v
		}
	}
	return p
}

const (
	goodPick  = 1.10 // times the best: a good pick
	goodShare = 0.95 // of all picks that must be good: the target
	worstPick = 1.50 // times the best at most: the target for each
)

//go:embed pick_sweep.tmpl
var pickSweepText string

var pickSweepTemplate = template.Must(template.New("sweep").Funcs(template.FuncMap{
	"percent": results.FormatPercent, "ratio": results.FormatRatio,
	"join":   strings.Join,
	"bytes":  func(n int64) string { return results.FormatBytes(float64(n)) },
	"random": func(name string) bool { return strings.HasPrefix(name, "random") },
}).Parse(pickSweepText))

// Write writes the page in a format: text is Markdown, CSV the table alone.
func (p PickSweep) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, p)
	case CSV:
		return p.Table().Write(w, f)
	}
	return pickSweepTemplate.Execute(w, p)
}

// Table has a row for each verdict.
func (p PickSweep) Table() *Table {
	t := NewTable("workload", "n", "λ/tick", "mean, ticks", "picked", "vs best", "ties: worst", "the best", "ns/timer",
		"measured", "rounds", "seconds")
	for _, v := range p.Verdicts {
		over := Cell{Text: results.FormatRatio(v.Ratio), Value: v.Ratio, Best: v.Ratio > goodPick}
		if v.High > 0 && v.Picked != v.Best {
			over.Text += fmt.Sprintf(" (%.2f to %.2f)", v.Low, v.High)
		}
		ties, best := None(""), v.Best
		if v.Tied > 1 {
			ties = Cell{Text: fmt.Sprintf("%d: %.2f", v.Tied, v.WorstTied), Value: v.WorstTied}
		}
		if best == v.Picked {
			best = "the pick"
		}
		t.Add(v.Name, workload.Count(v.N).String(), number(v.Rate), number(v.Residence), v.Picked, over, ties, best,
			number(v.BestNs), v.Measured, v.Rounds, number(v.Seconds))
	}
	return t
}

// GoodShare returns the share of good picks among those that were judged.
func (p PickSweep) GoodShare() float64 { return float64(p.Good) / float64(len(p.Verdicts)) }

// GoodVerdict says whether enough picks are good, whatever the missing ones are.
func (p PickSweep) GoodVerdict() string {
	all := float64(len(p.Verdicts) + len(p.Missing))
	switch {
	case float64(p.Good) >= goodShare*all:
		return "met"
	case float64(p.Good+len(p.Missing)) < goodShare*all:
		return "missed"
	}
	return "open"
}

// WorstVerdict says whether no pick is bad.
func (p PickSweep) WorstVerdict() string {
	switch {
	case p.Worst.Ratio > worstPick:
		return "missed"
	case len(p.Missing) > 0:
		return "open"
	}
	return "met"
}
