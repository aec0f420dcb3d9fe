package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
)

// ClaimsPage is the page of every claim, judged. made is the command that repeats it.
func (s *Study) ClaimsPage(made string) *Page {
	var left strings.Builder
	for _, l := range claims.NotJudged {
		fmt.Fprintf(&left, "- %s: %s\n", l.ID, l.Why)
	}
	return &Page{
		Title: "Every claim, judged",
		Findings: ClaimsSummary(s.Claims) + " Claims about counts are exact and the same on every machine. " +
			"Every comparison is below, with its tolerance and the interval that it allows for.",
		Made:    made,
		Sources: s.Table.Sources,
		Sections: []Section{
			{Title: "Verdicts", Tables: []*Table{verdicts(s.Claims)}},
			{Title: "Figures", Figures: s.claimFigures(made)},
			{Title: "Every comparison", Text: comparisons(s.Claims)},
			{Title: "Not judged", Text: left.String()},
		},
	}
}

// ClaimsSummary counts the verdicts in a sentence.
func ClaimsSummary(judged []claims.Result) string {
	count := map[claims.Verdict]int{}
	for _, r := range judged {
		count[r.Verdict]++
	}
	return fmt.Sprintf("Of %d claims, %d hold, %d are refuted here and %d are undecided.",
		len(judged), count[claims.Holds], count[claims.Fails], count[claims.Undecided])
}

// verdicts is a row for each claim with the comparison that decides it.
func verdicts(judged []claims.Result) *Table {
	t := NewTable("id", "verdict", "scheme", "claim", "predicted", "measured")
	for _, r := range judged {
		point, _ := r.Deciding()
		text := r.Sentence
		for _, note := range r.Notes() {
			text += "<br>*" + note + "*"
		}
		t.Add(r.ID, verdict(r.Verdict), r.Scheme, text, point.Prediction(), point.Measured.String())
	}
	return t
}

// verdict sets off what is refuted.
func verdict(v claims.Verdict) Cell { return Cell{Text: string(v), Best: v == claims.Fails} }

// comparisons lists what each verdict rests on.
func comparisons(judged []claims.Result) string {
	var b strings.Builder
	for _, r := range judged {
		fmt.Fprintf(&b, "### %s: %s\n\n%s Scheme: %s; source: %s.\n\n", r.ID, r.Verdict, r.Sentence, r.Scheme, r.Source)
		if r.Missing != "" {
			fmt.Fprintf(&b, "Missing: %s.\n\n", r.Missing)
		}
		if t := Comparisons(r); len(t.Rows) > 0 {
			b.WriteString(t.Markdown() + "\n")
		}
	}
	return b.String()
}

// Comparisons is the table of what a verdict rests on. Its notes are the tolerances.
func Comparisons(r claims.Result) *Table {
	t := NewTable("comparison", "predicted", "measured", "verdict", "tolerance")
	var reasons []string
	for _, p := range r.Points {
		reasons = appendNew(reasons, p.Why)
		t.Add(p.What, p.Prediction(), p.Measured.String(), verdict(p.Verdict()), 1+slices.Index(reasons, p.Why))
	}
	for i, reason := range reasons {
		t.Notes = append(t.Notes, fmt.Sprintf("%d. %s", i+1, reason))
	}
	return t
}

// claimFigures returns the figures of the claims: those counted, and trees against
// wheels if they were timed.
func (s *Study) claimFigures(made string) []Named {
	var all []Named
	for _, d := range s.Drawings {
		d.Command = made
		all = append(all, Named{d.Name, d.XY, d.Frame})
	}
	if trees, ok := treesFigure(s.Table); ok {
		all = append(all, trees)
	}
	return all
}

// treesFigure draws lifetimes of trees and wheels against n, if they were timed at
// two n or more.
func treesFigure(t *results.Table) (Named, bool) {
	byScheme := map[string][]figures.Point{}
	var schemes []string
	for _, k := range t.Keys {
		n, errN := results.ParseCount(k.N)
		e, err := t.Median(k, results.NsPerOp)
		if !claims.IsTrees(k) || strings.HasSuffix(k.Scheme, results.Again) || errN != nil || err != nil {
			continue
		}
		schemes = appendNew(schemes, k.Scheme)
		byScheme[k.Scheme] = append(byScheme[k.Scheme], point(float64(n), e))
	}
	f := figures.XY{
		Frame: figures.Frame{
			Title: treesTitle(byScheme),
			Caption: []string{"Log-uniform intervals, T = 4000, no stops. Scheme 7 has four wheels of 256 slots, schemes 5 and 6 have 16384 slots. " +
				"Bars: 95 % intervals of the median. Schemes too slow for an n are left out there."},
			Command: t.Sources[len(t.Sources)-1].Command,
		},
		XLabel: "timers outstanding, n", YLabel: "time per timer, start to expiry, median",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	sizes := 0
	slices.SortFunc(schemes, func(a, b string) int { return cmp.Compare(layer(a), layer(b)) })
	for _, scheme := range schemes {
		points := byScheme[scheme]
		slices.SortFunc(points, func(a, b figures.Point) int { return cmp.Compare(a.X, b.X) })
		f.Series = append(f.Series, figures.Series{Style: scheme, Kind: figures.Both, Points: points})
		sizes = max(sizes, len(points))
	}
	return Named{"trees", f, f.Frame}, sizes > 1 && f.Title != ""
}

// treesTitle compares heap and wheels at the largest n of both.
func treesTitle(byScheme map[string][]figures.Point) string {
	at, heap, wheels := 0.0, math.NaN(), math.NaN()
	for _, h := range byScheme["tree"] {
		for _, w := range byScheme["hierarchical"] {
			if h.X == w.X && h.X > at {
				at, heap, wheels = h.X, h.Y, w.Y
			}
		}
	}
	if at == 0 {
		return ""
	}
	return fmt.Sprintf("At n = %s a timer costs %s in a binary heap, %s in four wheels of 256",
		results.FormatCount(uint64(at)), results.FormatNanos(heap), results.FormatNanos(wheels))
}
