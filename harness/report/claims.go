package report

import (
	"fmt"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness/claims"
)

// ClaimsPage is every claim judged, on the times of a table.
type ClaimsPage struct {
	Results  []claims.Result
	Drawings []claims.Drawing
	Table    *results.Table
}

// Figures returns the figures of the claims: those counted, and trees against wheels
// if they were timed.
func (p ClaimsPage) Figures() []Named {
	var all []Named
	for _, d := range p.Drawings {
		d.Command = p.command()
		all = append(all, Named{d.Name, d.XY, d.Frame})
	}
	if trees, ok := treesFigure(p.Table); ok {
		all = append(all, trees)
	}
	return all
}

// command repeats the judging.
func (p ClaimsPage) command() string {
	words := []string{"go run ./cmd/bench claims"}
	for _, s := range p.Table.Sources {
		words = append(words, s.Path)
	}
	return strings.Join(words, " ")
}

// Markdown is the page: the verdicts, the figures in the folder beside it, and every
// comparison.
func (p ClaimsPage) Markdown(folder string, shown []Named) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Every claim, judged\n\nMade by `bench report`; do not edit. Repeat it with\n\n    %s\n\n", p.command())
	b.WriteString("Claims about counts are exact and the same on every machine. An interval that a comparison does not state is in its tolerance, below.\n\n")
	b.WriteString(p.Verdicts() + "\n")
	for _, f := range shown {
		fmt.Fprintf(&b, "![%s](%s/%s.svg)\n\n", f.Name, folder, f.Name)
	}
	b.WriteString("## Every comparison\n\n")
	for _, r := range p.Results {
		b.WriteString(comparisons(r))
	}
	b.WriteString("## Not judged\n\n")
	for _, left := range claims.NotJudged {
		fmt.Fprintf(&b, "- %s: %s\n", left.ID, left.Why)
	}
	return b.String()
}

// Verdicts is the table of claims, a row each, and their numbers.
func (p ClaimsPage) Verdicts() string {
	var rows [][]string
	for _, r := range p.Results {
		point, _ := r.Deciding()
		text := r.Sentence
		for _, note := range r.Notes() {
			text += "<br>*" + note + "*"
		}
		rows = append(rows, []string{r.ID, verdict(r.Verdict), r.Scheme, text, point.Prediction(), point.Measured.String()})
	}
	return claims.Summary(p.Results) + ".\n\n" + plainTable([]string{"", "", "scheme", "claim", "predicted", "measured"}, rows)
}

// verdict sets off what fails.
func verdict(v claims.Verdict) string {
	if v == claims.Fails {
		return "**" + string(v) + "**"
	}
	return string(v)
}

// comparisons lists what one verdict rests on.
func comparisons(r claims.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s: %s\n\n%s Scheme: %s; source: %s.\n\n", r.ID, r.Verdict, r.Sentence, r.Scheme, r.Source)
	if r.Missing != "" {
		fmt.Fprintf(&b, "Missing: %s.\n\n", r.Missing)
	}
	var rows [][]string
	var reasons []string
	for _, p := range r.Points {
		mark := 0
		for mark < len(reasons) && reasons[mark] != p.Why {
			mark++
		}
		if mark == len(reasons) {
			reasons = append(reasons, p.Why)
		}
		rows = append(rows, []string{p.What, p.Prediction(), p.Measured.String(), verdict(p.Verdict()), fmt.Sprint(mark + 1)})
	}
	if len(rows) > 0 {
		b.WriteString(plainTable([]string{"", "predicted", "measured", "", "tolerance"}, rows) + "\n")
	}
	for i, reason := range reasons {
		fmt.Fprintf(&b, "%d. %s\n", i+1, reason)
	}
	b.WriteByte('\n')
	return b.String()
}

// plainTable is a Markdown table without padding, for long cells.
func plainTable(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(row []string) {
		for _, cell := range row {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", "\\|") + " ")
		}
		b.WriteString("|\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// Splice replaces what stands between the marks in a file by the verdicts, under the
// command that judged them.
func (p ClaimsPage) Splice(path string) error {
	return marksOf("claims").splice(path, p.command(), p.Verdicts())
}

// CanSplice returns what keeps Splice from a file, before time is spent on judging.
func CanSplice(path string) error {
	_, _, err := marksOf("claims").around(path)
	return err
}
