package report

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

//go:embed claims.tmpl
var claimsText string

var claimsBody = NewTemplate("claims", claimsText)

type claimGroup struct {
	Title, Text string
	Verdicts    *Table
}

// ClaimsPage is the page of every claim, judged: a row a claim. What the verdicts rest on is in claims.csv beside it.
// made is the command that repeats it.
func (s *Study) ClaimsPage(made string) *Page {
	data := struct {
		Groups  []claimGroup
		Figures []Named
		Left    string
	}{Figures: s.claimFigures(made), Left: LeftOut()}
	for _, whose := range claims.Groups {
		if group := claimsOf(s.Claims, whose); len(group) > 0 {
			data.Groups = append(data.Groups, claimGroup{groupName[whose], countVerdicts(group, whose),
				Verdicts(group, Markdown)})
		}
	}
	return &Page{Title: "Every claim, judged", Findings: ClaimsSummary(s.Claims), Made: made, Sources: s.Table.Sources,
		Body: claimsBody, Data: data, Lists: []List{comparisons(s.Claims)}}
}

// LeftOut lists what is not judged, a line for each reason, after the number of statements that tests hold to.
func LeftOut() string {
	var b strings.Builder
	for _, l := range claims.NotJudged {
		if l.Why == claims.ByConstruction {
			fmt.Fprintf(&b, "- %d statements %s: %s\n", len(l.IDs()), l.Why, l.ID)
			continue
		}
		fmt.Fprintf(&b, "- %s: %s\n", l.ID, l.Why)
	}
	return b.String()
}

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
		kinds[r.Judged]++
	}
	text := fmt.Sprintf("Of %s %s, %d hold; refuted here: %d; undecided: %d", plural(len(judged), "claim"),
		groupName[whose], verdicts[claims.Holds], verdicts[claims.Fails], verdicts[claims.Undecided])
	if n := verdicts[claims.Reported]; n > 0 {
		text += fmt.Sprintf("; reported without a verdict: %d", n)
	}
	if n := verdicts[claims.NotMeasured]; n > 0 {
		text += fmt.Sprintf("; not measured: %d", n)
	}
	var how []string
	for _, kind := range []string{claims.Exactly, claims.ByTime, claims.ByBoth} {
		if kinds[kind] > 0 {
			how = append(how, fmt.Sprintf("%d %s", kinds[kind], kind))
		}
	}
	return text + ". Judged: " + strings.Join(how, ", ") + "."
}

// Verdicts is a row for each claim with the comparison that decides it. Below it, as text, are rows of what that
// compares and of the texts that are about the verdict; as Markdown the claim's cell says what holds instead, or what
// was not measured.
func Verdicts(judged []claims.Result, f Format) *Table {
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
			for _, part := range r.Parts() {
				if part[0] == "instead" || part[0] == "missing" {
					text += "<br>*" + part[0] + ": " + part[1] + "*"
				}
			}
			t.Add(r.ID, verdict(r.Verdict), text, compared, predicted, measured)
			continue
		}
		t.Add(r.ID, string(r.Whose), verdict(r.Verdict), r.Judged, r.Scheme, predicted, measured, r.Sentence)
		if f != Text {
			continue
		}
		note := func(name, text string) { t.Add("", "", "", "", "", "", "", "→ "+name+": "+text) }
		if decided {
			if point.Open != "" {
				compared += ", which decides nothing: " + point.Open
			}
			note("measured", compared)
		}
		for _, part := range r.Parts() {
			if part[0] != "assumes" && part[0] != "measure" {
				note(part[0], part[1])
			}
		}
	}
	return t
}

func verdict(v claims.Verdict) Cell { return Cell{Text: string(v), Best: v == claims.Fails} }

func comparisons(judged []claims.Result) List {
	t := NewTable("claim", "verdict", "comparison", "relation", "predicted", "slack", "measured", "low", "high",
		"decides", "tolerance")
	for _, r := range judged {
		for _, p := range r.Points {
			decides := string(p.Verdict())
			if p.Open != "" {
				decides += ": " + p.Open
			}
			t.Add(r.ID, string(r.Verdict), p.What, string(p.Relation), p.Predicted, p.Slack, p.Measured.Mean,
				p.Measured.Lo, p.Measured.Hi, decides, p.Why)
		}
	}
	return List{Name: "claims", About: "Every comparison of every claim: measured, with its interval from low to high, " +
		"must stand in relation to predicted, give or take slack. decides is the verdict of the comparison; tolerance " +
		"says where interval and slack come from", Table: t}
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

// claimFigures returns the figures of the claims: those counted and, if they were timed at two n or more, lifetimes of
// trees and wheels against n.
func (s *Study) claimFigures(made string) []Named {
	var all []Named
	for _, d := range s.Drawings {
		d.Command = made
		all = append(all, Named{d.Name, d.XY, d.Frame})
	}
	trees := newSweep(s.Table, measures[0], "Log-uniform intervals, T = 4000, no stops. Scheme 7 has four wheels of 256 "+
		"slots, schemes 5 and 6 have 16384 slots. Intervals have 4,096 values: with many more timers equal ones deepen a "+
		"tree without balance (tree-bst)", claims.IsTrees)
	sources := s.Table.Sources
	title := trees.heapAndWheels()
	if f, ok := trees.figure("trees", title, sources[len(sources)-1].Command); ok && title != "" {
		all = append(all, f)
	}
	return all
}

// heapAndWheels compares them at the largest n of both.
func (s *sweep) heapAndWheels() string {
	for _, column := range slices.Backward(s.pivot.Columns) {
		heap := s.pivot.get("tree", column).estimate()
		wheels := s.pivot.get("hierarchical, m = 256x256x256x256", column).estimate()
		if heap.N > 0 && wheels.N > 0 {
			return fmt.Sprintf("At %s a timer costs %s in a binary heap, %s in four wheels of 256", column,
				results.FormatNanos(heap.Median), results.FormatNanos(wheels.Median))
		}
	}
	return ""
}
