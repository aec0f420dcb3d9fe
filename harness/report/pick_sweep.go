package report

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"timerlab/harness/pick"
	"timerlab/harness/results"
)

// PickSweep is the page of a sweep.
type PickSweep struct {
	Version    int `json:"version"`
	pick.Sweep     // its own version is hidden by the page's
}

// NewPickSweep returns the page of a sweep.
func NewPickSweep(s pick.Sweep) PickSweep { return PickSweep{JSONVersion, s} }

// The targets of picks.
const (
	goodPick  = 1.10 // times the best: a good pick
	goodShare = 0.95 // of all picks that must be good
	worstPick = 1.50 // times the best that no pick may exceed
)

//go:embed pick_sweep.tmpl
var pickSweepText string

var pickSweepTemplate = template.Must(template.New("sweep").Funcs(template.FuncMap{
	"percent": results.FormatPercent, "ratio": results.FormatRatio,
	"bytes":  func(n int64) string { return results.FormatBytes(float64(n)) },
	"random": func(name string) bool { return strings.HasPrefix(name, "random") },
}).Parse(pickSweepText))

// Write writes the page in a format: text is Markdown, CSV the table alone.
func (p PickSweep) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, p)
	case CSV:
		return p.table().Write(w, f)
	}
	return pickSweepTemplate.Execute(w, p)
}

// Table returns the verdicts as Markdown.
func (p PickSweep) Table() string { return p.table().Markdown() }

func (p PickSweep) table() *Table {
	t := NewTable("workload", "n", "λ/tick", "mean, ticks", "picked", "vs best", "ties: worst", "the best", "ns/timer",
		"measured", "rounds", "noise", "predicted vs least", "model error", "seconds")
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
		t.Add(v.Name, results.FormatCount(uint64(v.N)), number(v.Rate), number(v.Residence), v.Picked, over, ties, best, number(v.BestNs),
			v.Measured, v.Rounds, share(v.Noise), number(v.Predicted), share(v.Model), number(v.Seconds))
	}
	return t
}

func share(v float64) Cell { return Cell{Text: results.FormatPercent(v), Value: v} }

func (p PickSweep) countOf(is func(pick.Verdict) bool) (n int) {
	for _, v := range p.Verdicts {
		if is(v) {
			n++
		}
	}
	return n
}

func (p PickSweep) grade(grade string) int {
	return p.countOf(func(v pick.Verdict) bool { return v.Grade(goodPick) == grade })
}

func met(yes bool) string { return map[bool]string{true: "met", false: "missed"}[yes] }

// What the page's text asks for. There is a verdict.
func (p PickSweep) Good() int {
	return p.countOf(func(v pick.Verdict) bool { return v.Ratio <= goodPick })
}
func (p PickSweep) OverMemory() int {
	return p.countOf(func(v pick.Verdict) bool { return v.Memory > 0 && v.Bytes > v.Memory })
}
func (p PickSweep) Worst() pick.Verdict {
	return slices.MaxFunc(p.Verdicts, func(a, b pick.Verdict) int { return int(1e6 * (a.Ratio - b.Ratio)) })
}
func (p PickSweep) Facts() results.Machine {
	return slices.DeleteFunc(slices.Clone(p.Machine), func(fact [2]string) bool {
		return !slices.Contains([]string{"cpu", "caches", "go", "commit"}, fact[0])
	})
}
func (p PickSweep) GoodShare() float64 { return float64(p.Good()) / float64(len(p.Verdicts)) }
func (p PickSweep) Met() string        { return met(p.GoodShare() >= goodShare) }
func (p PickSweep) WorstMet() string   { return met(p.Worst().Ratio <= worstPick) }
func (p PickSweep) Within() int        { return p.grade("within") }
func (p PickSweep) Beyond() int        { return p.grade("beyond") }
func (p PickSweep) Undecided() int     { return p.grade("undecided") }
func (p PickSweep) Over() float64      { return goodPick - 1 }
func (p PickSweep) Target() float64    { return goodShare }
func (p PickSweep) MostRatio() float64 { return worstPick }
