package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/figures"
)

var claimsBody = fileTemplate("claims.tmpl")

// claimsPage is what claims.tmpl shows, and the page of a machine in short.
type claimsPage struct {
	Groups  []claimGroup
	Figures []figures.XY
	Left    []claims.LeftOut
	Digest  string // of the list of claims when the times were measured; "": not known
	Present string // the digest of the present list

	Times        int     // comparisons of times that may decide
	Least, Level float64 // the least and the largest level of their intervals
}

// claimGroup is the claims of one source.
type claimGroup struct {
	Title  string
	Judged []claims.Result
	Counts map[string]int // by verdict, and by how they were judged
	How    []string       // they were judged, with how many there are
}

func (g claimGroup) Verdicts() *Table { return verdicts(g.Judged, Markdown) }

// ClaimsPage is the page of every claim, judged: a row a claim. What the verdicts rest on is in claims.csv beside it.
// made is the command that repeats it.
func (s *Study) ClaimsPage(made string) *Page {
	data := newClaimsPage(s.Claims)
	data.Digest, data.Present = s.Table.Machine["claims"], claims.Digest()
	for _, d := range s.Drawings {
		d.Command = made
		data.Figures = append(data.Figures, d)
	}
	p := NewPage("Every claim, judged", claimsBody, data, made, s.Table.Sources...)
	p.Lists = []List{comparisons(s.Claims)}
	return p
}

// WriteVerdicts writes a row for each claim or, as text and on demand, all that is known of it; before that as text,
// why the verdicts may not hold. Below the rows, text counts the verdicts and lists what is not judged.
func WriteVerdicts(w io.Writer, judged []claims.Result, warnings []string, inFull bool, f Format) error {
	if f == Text && len(warnings) > 0 {
		fmt.Fprintf(w, "%s\n\n", strings.Join(warnings, "\n\n"))
	}
	switch {
	case f == JSON:
		return WriteJSON(w, map[string]any{"version": JSONVersion, "claims": judged,
			"warnings": append([]string{}, warnings...)})
	case f == Text && inFull:
		return claimsBody.ExecuteTemplate(w, "full", judged)
	}
	slices.SortStableFunc(judged, func(a, b claims.Result) int { // the paper's, the articles', ours
		return slices.Index(claims.Groups, a.Whose) - slices.Index(claims.Groups, b.Whose)
	})
	if err := verdicts(judged, f).Write(w, f); err != nil || f != Text {
		return err
	}
	return claimsBody.ExecuteTemplate(w, "summary", newClaimsPage(judged))
}

// groupName says whose claims are.
var groupName = map[claims.Whose]string{
	claims.Papers: "of the paper", claims.Articles: "of later books and articles", claims.Ours: "of ours",
}

func newClaimsPage(judged []claims.Result) *claimsPage {
	p := &claimsPage{Left: claims.NotJudged}
	for _, r := range judged {
		for _, point := range r.Points {
			if point.Level > 0 {
				p.Times++
				p.Least, p.Level = min(cmp.Or(p.Least, point.Level), point.Level), max(p.Level, point.Level)
			}
		}
	}
	for _, whose := range claims.Groups {
		g := claimGroup{Title: groupName[whose], Counts: map[string]int{}}
		for _, r := range judged {
			if r.Whose == whose {
				g.Judged = append(g.Judged, r)
				g.Counts[string(r.Verdict)]++
				g.Counts[r.Judged]++
			}
		}
		for _, kind := range []string{claims.Exactly, claims.ByTime, claims.ByBoth} {
			if n := g.Counts[kind]; n > 0 {
				g.How = append(g.How, fmt.Sprintf("%d %s", n, kind))
			}
		}
		if len(g.Judged) > 0 {
			p.Groups = append(p.Groups, g)
		}
	}
	return p
}

// verdicts is a row for each claim with the comparison that decides it. Below it, as text, are rows of what that
// compares and of the texts that are about the verdict; as Markdown the claim's cell says what holds instead, or what
// was not measured.
func verdicts(judged []claims.Result, f Format) *Table {
	t := NewTable("id", "whose", "verdict", "judged", "scheme", "predicted", "measured", "claim")
	if f == Markdown {
		t = NewTable("id", "verdict", "claim", "compared", "predicted", "measured")
	}
	for _, r := range judged {
		point, decided := r.Deciding()
		predicted, measured, compared := point.Prediction(), point.Measured.String(), "-"
		if decided {
			compared = fmt.Sprintf("%s (1 of %d)", point.What, len(r.Points))
		}
		if f == Markdown {
			text := r.Sentence
			for _, part := range r.Parts("instead", "missing") {
				text += "<br>*" + part[0] + ": " + part[1] + "*"
			}
			if why := point.WhyUndecided(); decided && why != "" {
				text += "<br>*undecided: " + why + "*"
			}
			t.Add(r.ID, verdict(r.Verdict), text, compared, predicted, measured)
			continue
		}
		t.Add(r.ID, string(r.Whose), verdict(r.Verdict), r.Judged, r.Scheme, predicted, measured, r.Sentence)
		if f != Text {
			continue
		}
		note := func(name, text string) { t.Add("", "", "", "", "", "", "", "→ "+name+": "+text) }
		if why := point.WhyUndecided(); why != "" {
			compared += ", which decides nothing: " + why
		}
		if decided {
			note("measured", compared)
		}
		for _, part := range r.Parts("instead", "missing", "remark") {
			note(part[0], part[1])
		}
	}
	return t
}

// verdict sets off what is refuted.
func verdict(v claims.Verdict) Cell { return Cell{Text: string(v), Best: v == claims.Fails} }

// decides is the verdict of a comparison, and why it decides nothing.
func decides(p *claims.Point) Cell {
	c := verdict(p.Verdict())
	if why := p.WhyUndecided(); why != "" {
		c.Text += ": " + why
	}
	return c
}

// comparisons lists what every verdict rests on.
func comparisons(judged []claims.Result) List {
	t := NewTable("claim", "verdict", "comparison", "relation", "predicted", "slack", "measured", "low", "high",
		"decides", "tolerance")
	for _, r := range judged {
		for _, p := range r.Points {
			t.Add(r.ID, string(r.Verdict), p.What, string(p.Relation), p.Predicted, p.Slack, p.Measured.Mean,
				p.Measured.Lo, p.Measured.Hi, decides(p), p.Why)
		}
	}
	return List{"claims", phrase("about claims", nil), t}
}

// deciders is the table of what a verdict rests on. Its notes are the tolerances.
func deciders(r claims.Result) *Table {
	t := NewTable("comparison", "predicted", "measured", "verdict", "tolerance")
	var reasons []string
	for _, p := range r.Points {
		reasons = appendNew(reasons, p.Why)
		t.Add(p.What, p.Prediction(), p.Measured.String(), decides(p), 1+slices.Index(reasons, p.Why))
	}
	for i, reason := range reasons {
		t.Notes = append(t.Notes, fmt.Sprintf("%d. %s", i+1, reason))
	}
	return t
}
