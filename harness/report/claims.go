package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

// ClaimsPage is the page of every claim, judged. made is the command that repeats it.
func (s *Study) ClaimsPage(made string) *Page {
	var left strings.Builder
	for _, l := range claims.NotJudged {
		fmt.Fprintf(&left, "- %s: %s\n", l.ID, l.Why)
	}
	page := &Page{
		Title: "Every claim, judged",
		Findings: ClaimsSummary(s.Claims) + " Judged exactly means on counts, which are the same on every machine. " +
			"Every comparison is below, with its tolerance and the interval that it allows for.",
		Made:    made,
		Sources: s.Table.Sources,
	}
	for _, whose := range claims.Groups {
		if group := claimsOf(s.Claims, whose); len(group) > 0 {
			page.Add(Section{Title: "Claims " + groupName[whose], Text: countVerdicts(group, whose),
				Tables: []*Table{Verdicts(group, Markdown)}})
		}
	}
	page.Sections = append(page.Sections, Section{Title: "Figures", Figures: s.claimFigures(made)},
		Section{Title: "Every comparison", Text: comparisons(s.Claims)},
		Section{Title: "Not judged", Text: left.String()})
	return page
}

// groupName says whose claims are.
var groupName = map[claims.Whose]string{
	claims.Papers: "of the paper", claims.Articles: "of later books and articles", claims.Ours: "of ours",
}

func claimsOf(judged []claims.Result, whose claims.Whose) (group []claims.Result) {
	for _, r := range judged {
		if r.Whose == whose {
			group = append(group, r)
		}
	}
	return group
}

// ClaimsSummary counts the verdicts in a sentence for each source.
func ClaimsSummary(judged []claims.Result) string {
	var all []string
	for _, whose := range claims.Groups {
		if group := claimsOf(judged, whose); len(group) > 0 {
			all = append(all, countVerdicts(group, whose))
		}
	}
	return strings.Join(all, " ")
}

// countVerdicts counts the verdicts of some claims, and how they were judged.
func countVerdicts(judged []claims.Result, whose claims.Whose) string {
	verdicts, kinds := map[claims.Verdict]int{}, map[string]int{}
	for _, r := range judged {
		verdicts[r.Verdict]++
		kinds[r.Judged()]++
	}
	text := fmt.Sprintf("Of %d claims %s, %d hold; refuted here: %d; undecided: %d", len(judged),
		groupName[whose], verdicts[claims.Holds], verdicts[claims.Fails], verdicts[claims.Undecided])
	if n := verdicts[claims.Reported]; n > 0 {
		text += fmt.Sprintf("; reported without a verdict: %d", n)
	}
	var how []string
	for _, kind := range []string{claims.Exactly, claims.ByTime, claims.ByBoth, claims.ByArgument} {
		if kinds[kind] > 0 {
			how = append(how, fmt.Sprintf("%d %s", kinds[kind], kind))
		}
	}
	return text + ". Judged: " + strings.Join(how, ", ") + "."
}

// Verdicts is a row for each claim with the comparison that decides it. Its notes are
// in the claim's cell or, as text, in rows below.
func Verdicts(judged []claims.Result, f Format) *Table {
	t := NewTable("id", "whose", "verdict", "judged", "scheme", "predicted", "measured", "claim")
	for _, r := range judged {
		point, _ := r.Deciding()
		text, notes := r.Sentence, r.Notes()
		for _, note := range notes {
			if f == Markdown {
				text += "<br>*" + note + "*"
			}
		}
		t.Add(r.ID, string(r.Whose), verdict(r.Verdict), r.Judged(), r.Scheme, point.Prediction(),
			point.Measured.String(), text)
		for _, note := range notes {
			if f == Text {
				t.Add("", "", "", "", "", "", "", "→ "+note)
			}
		}
	}
	return t
}

// verdict sets off what is refuted.
func verdict(v claims.Verdict) Cell { return Cell{Text: string(v), Best: v == claims.Fails} }

// comparisons lists what each verdict rests on.
func comparisons(judged []claims.Result) string {
	var b strings.Builder
	for _, r := range judged {
		fmt.Fprintf(&b, "### %s: %s\n\n%s Scheme: %s; source: %s; judged %s.\n\n", r.ID, r.Verdict, r.Sentence,
			r.Scheme, r.Source, r.Judged())
		for _, part := range r.Parts() {
			fmt.Fprintf(&b, "%s: %s.\n\n", part[0], strings.TrimSuffix(part[1], "."))
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
		decided := verdict(p.Verdict())
		if p.Open != "" {
			decided.Text += ": " + p.Open
		}
		t.Add(p.What, p.Prediction(), p.Measured.String(), decided, 1+slices.Index(reasons, p.Why))
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
	s := newSweep(t, measures[0], "Log-uniform intervals, T = 4000, no stops. Scheme 7 has four wheels of 256 slots, "+
		"schemes 5 and 6 have 16384 slots. Intervals have 4,096 values: with many more timers equal ones deepen a tree "+
		"without balance (tree-bst)", claims.IsTrees)
	f, ok := s.figure("trees", s.treesTitle(), t.Sources[len(t.Sources)-1].Command)
	return f, ok && f.Frame.Title != ""
}

// treesTitle compares heap and wheels at the largest n of both.
func (s *sweep) treesTitle() string {
	for _, column := range slices.Backward(s.pivot.Columns) {
		heap := s.pivot.get("tree", column)
		wheels := s.pivot.get("hierarchical, m = 256x256x256x256", column)
		if heap.estimate().N > 0 && wheels.estimate().N > 0 {
			return fmt.Sprintf("At %s a timer costs %s in a binary heap, %s in four wheels of 256", column,
				results.FormatNanos(heap.estimate().Median), results.FormatNanos(wheels.estimate().Median))
		}
	}
	return ""
}
