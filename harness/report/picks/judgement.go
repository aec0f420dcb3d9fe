package picks

import (
	"cmp"
	_ "embed"
	"io"
	"maps"
	"math"
	"slices"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// JudgementPage is the page of a judgement of picks. Its version hides the file's.
type JudgementPage struct {
	Version int `json:"version"`
	pick.Judgement
	pick.Summary
}

// NewJudgement returns the page of a judgement of the cases with these names.
func NewJudgement(j pick.Judgement, names []string) JudgementPage {
	j.Verdicts = slices.SortedStableFunc(slices.Values(j.Verdicts), func(a, b pick.Verdict) int { // parts and continued files have another order
		return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name))
	})
	return JudgementPage{Version: report.JSONVersion, Judgement: j, Summary: j.Summary(names)}
}

const worstRows = 10 // of the page's table

//go:embed judgement.tmpl
var judgementText string

var judgementTemplate = report.NewTemplate("judgement", judgementText)

// Write writes the page in a format: text is Markdown, with the workloads whose picks are the worst; CSV has them all.
func (p JudgementPage) Write(w io.Writer, f report.Format) error {
	switch f {
	case report.JSON:
		return report.WriteJSON(w, p)
	case report.CSV:
		return p.list().Write(w, f)
	}
	return judgementTemplate.Execute(w, p)
}

// list has a row for each verdict.
func (p JudgementPage) list() *report.Table {
	t := report.NewTable("workload", "about", "n", "starts a tick", "T", "memory limit", "picked", "bytes", "best", "vs best",
		"tied", "worst tied", "best ns", "measured", "rounds", "seconds")
	for _, v := range p.Verdicts {
		t.Add(v.Name, v.About, v.N, v.Rate, v.MeanStay, v.Memory, v.Picked, v.Bytes, v.Best, p.Versus(v),
			v.Tied, v.WorstTied, v.BestNs, v.Measured, v.Rounds, v.Seconds)
	}
	return t
}

// Versus is the cell of a pick's ratio to the best candidate, with its interval if there is one.
func (p JudgementPage) Versus(v pick.Verdict) report.Cell {
	e := results.Estimate{Median: v.Ratio, Lo: v.Low, Hi: v.High, N: v.Rounds}
	if v.High == 0 {
		e.Lo, e.Hi = math.Inf(-1), math.Inf(1)
	}
	return report.Interval(e, units.FormatRatio)
}

// Furthest returns the picks that are furthest from the best.
func (p JudgementPage) Furthest() []pick.Verdict {
	worst := slices.SortedStableFunc(slices.Values(p.Verdicts), func(a, b pick.Verdict) int { return cmp.Compare(b.Ratio, a.Ratio) })
	return worst[:min(worstRows, len(worst))]
}

// Groups returns how many picks of each scheme there are, with their ratios. Older files do not have the schemes.
func (p JudgementPage) Groups() *report.Table {
	t := report.NewTable("scheme picked", "workloads", "median vs best", "worst")
	ratios := map[string][]float64{}
	for _, v := range p.Verdicts {
		if v.Scheme != "" {
			ratios[v.Scheme] = append(ratios[v.Scheme], v.Ratio)
		}
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
