package lab

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"timerlab/teach/lab/grade"
)

// Verdicts on a rule.
const (
	Kept      = "kept"
	Broken    = "broken"
	Unchecked = "unchecked" // the stage ended before
)

// Report is the grade of a module.
type Report struct {
	Version int           `json:"version"`
	Module  string        `json:"module"`
	Number  int           `json:"number,omitempty"` // of the scheme, as it says itself
	Score   int           `json:"score"`
	Max     int           `json:"max"`
	Seconds float64       `json:"seconds"`
	Unbuilt string        `json:"unbuilt,omitempty"` // what the compiler said of a module that does not compile
	Stages  []StageReport `json:"stages"`
}

// reportVersion grows when a field of Report is removed or changes its meaning.
const reportVersion = 1

// StageReport is the grade of a stage.
type StageReport struct {
	Stage  string       `json:"stage"`
	Title  string       `json:"title"`
	Score  int          `json:"score"`
	Max    int          `json:"max"`
	Key    string       `json:"key"`              // the rule without which the score is 0
	Ended  string       `json:"ended,omitempty"`  // why the stage ended before its last rule
	Output string       `json:"output,omitempty"` // what the scheme printed
	Rules  []RuleReport `json:"rules"`
}

// RuleReport is the verdict on a rule.
type RuleReport struct {
	Rule     string   `json:"rule"`
	Sentence string   `json:"sentence"`
	Verdict  string   `json:"verdict"`
	Broken   string   `json:"broken,omitempty"`   // the rule that was found broken, if it is another one
	BrokenIn string   `json:"brokenIn,omitempty"` // the stage in which this rule broke, if it is another one
	Got      string   `json:"got,omitempty"`      // what happened instead
	Trail    []string `json:"trail,omitempty"`    // the operations that led there
}

// report returns the grade of a module of which nothing has been checked.
func (m *Module) report() *Report {
	r := &Report{Version: reportVersion, Module: m.Package, Max: grade.MaxPoints}
	for i := range grade.Stages {
		s := &grade.Stages[i]
		stage := StageReport{Stage: s.Name, Title: s.Title, Max: s.Points, Key: s.Key}
		for _, name := range s.Rules {
			sentence := grade.Rule(name).Sentence
			stage.Rules = append(stage.Rules, RuleReport{Rule: name, Sentence: sentence, Verdict: Unchecked})
		}
		r.Stages = append(r.Stages, stage)
	}
	return r
}

// Refused is the report of a folder in which there is nothing to grade.
func Refused(reason error) *Report {
	r := (&Module{}).report()
	r.Unbuilt = reason.Error()
	return r
}

// score enters the points, and the stages in which rules of others broke.
func (r *Report) score(results [][]grade.Result) {
	in := map[string]string{}
	for i, found := range results {
		for _, one := range found {
			if v := one.Violation; v != nil {
				in[v.Rule] = cmp.Or(in[v.Rule], grade.Stages[i].Name)
			}
		}
	}
	for i, points := range grade.Scores(results) {
		for k := range r.Stages[i].Rules {
			if rule := &r.Stages[i].Rules[k]; rule.Verdict == Kept || rule.Broken != "" {
				rule.BrokenIn = in[rule.Rule]
			}
		}
		r.Stages[i].Score = points
		r.Score += points
	}
}

// fill enters what a child found.
func (s *StageReport) fill(run *stageRun) {
	s.Ended, s.Output = run.ended, run.output
	for i, result := range run.results {
		rule := &s.Rules[i]
		v := result.Violation
		if v == nil {
			rule.Verdict = Kept
			continue
		}
		rule.Verdict, rule.Got, rule.Trail = Broken, v.Got, v.Trail
		if v.Rule != rule.Rule {
			rule.Broken = v.Rule
		}
	}
	if n := len(run.results); run.within && n < len(s.Rules) {
		s.Rules[n].Verdict, s.Rules[n].Got = Broken, run.ended
	}
}

// Passed reports whether all rules are kept.
func (r *Report) Passed() bool { return r.Score == r.Max }

// Formats in which a grade is written.
const (
	Text       = "text"
	JSON       = "json"
	Gradescope = "gradescope" // results.json of its autograders
)

// Formats lists them all.
var Formats = []string{Text, JSON, Gradescope}

// Write writes the grade in one of the formats.
func (r *Report) Write(w io.Writer, format string) error {
	var v any = r
	switch format {
	case Text:
		plain := func(r rune) rune { // nothing that a terminal obeys
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return unicode.ReplacementChar
			}
			return r
		}
		_, err := io.WriteString(w, strings.Map(plain, r.text()))
		return err
	case Gradescope:
		v = r.gradescope()
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// text is the points of each stage, and the first broken rule of each in full.
func (r *Report) text() string {
	if r.Unbuilt != "" {
		return fmt.Sprintf("%s does not build, so it has no points:\n\n%s\n", r.Module, r.Unbuilt)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d points\n\n", r.title(), r.Score, r.Max)
	for _, s := range r.Stages {
		fmt.Fprintf(&b, "  %s  %-22s %2d of %2d points   %s\n", s.Stage, s.Title, s.Score, s.Max, s.remark())
	}
	if r.Passed() {
		b.WriteString("\nYour scheme keeps every rule.\n")
		return b.String()
	}
	b.WriteString("\nBegin with the first rule below: the others may follow from it.\n")
	var before shown
	for _, s := range r.Stages {
		if text := s.feedback(&before, 1); text != "" {
			fmt.Fprintf(&b, "\n%s, %s\n\n%s", s.Stage, s.Title, text)
		}
	}
	return b.String()
}

// title names the module, and the scheme that it says it is.
func (r *Report) title() string {
	if r.Number == 0 {
		return r.Module
	}
	return fmt.Sprintf("%s, graded as scheme %d", r.Module, r.Number)
}

// remark returns how many rules are kept, and why a stage has no points.
func (s *StageReport) remark() string {
	text := fmt.Sprintf("%d of %d rules", len(s.names(Kept)), len(s.Rules))
	others := slices.DeleteFunc(slices.Clone(s.Rules), func(r RuleReport) bool { return r.Broken == "" })
	if len(others) > 0 {
		text += fmt.Sprintf(", %d broke another rule first", len(others))
	}
	for _, rule := range s.Rules {
		if rule.BrokenIn != "" {
			text += fmt.Sprintf(", %s broke in stage %s", rule.Rule, rule.BrokenIn)
		}
	}
	if s.Score == 0 && !slices.Contains(s.names(Kept), s.Key) {
		text += "; no points until " + s.Key + " holds"
	}
	return text
}

// names returns the rules with a verdict.
func (s *StageReport) names(verdict string) (names []string) {
	for _, r := range s.Rules {
		if r.Verdict == verdict {
			names = append(names, r.Rule)
		}
	}
	return names
}

// feedback is the broken rules of a stage, those that cost points here first: the first most in full, the rest by
// name, and also by name those that broke in a way that has been shown.
func (s *StageReport) feedback(before *shown, most int) string {
	var full, names []string
	rules := slices.Clone(s.Rules)
	slices.SortStableFunc(rules, func(a, b RuleReport) int { return min(len(a.Broken), 1) - min(len(b.Broken), 1) })
	for _, r := range rules {
		switch {
		case r.Verdict != Broken:
		case len(full) < most && before.add(r.Rule, r.Got):
			lines := []string{r.Rule + ": " + r.Sentence}
			if r.Broken != "" {
				lines = append(lines, "What broke first is the rule "+r.Broken+": "+grade.Rule(r.Broken).Sentence)
			}
			lines = slices.Concat(lines, strings.Split(r.Got, "\n"), r.Trail)
			full = append(full, strings.Join(lines, "\n    ")+"\n")
		default:
			names = append(names, r.Rule)
		}
	}
	text := strings.Join(full, "\n")
	if len(names) > 0 && text == "" {
		text = "Broken in a way shown above: " + strings.Join(names, ", ") + ".\n"
	} else if len(names) > 0 {
		text += "\nAlso broken: " + strings.Join(names, ", ") + ".\n"
	}
	rest := s.names(Unchecked)
	switch {
	case len(rest) == len(s.Rules) && before.add("", s.Ended):
		return text + s.Ended + "\n"
	case len(rest) == len(s.Rules):
		return text + "Not checked, for the same reason.\n"
	case len(rest) > 0:
		text += "\nNot checked: " + strings.Join(rest, ", ") + ".\n"
		if !slices.ContainsFunc(s.Rules, func(r RuleReport) bool { return r.Got == s.Ended }) {
			text += s.Ended + "\n"
		}
	}
	return text
}

// shown is what a student has been shown, so that it is shown once.
type shown []string

// add returns false if the same has been added before, apart from numbers and the rule.
func (s *shown) add(rule, got string) bool {
	got = strings.Join(strings.FieldsFunc(strings.ReplaceAll(got, rule, ""), unicode.IsDigit), "")
	if slices.Contains(*s, got) {
		return false
	}
	*s = append(*s, got)
	return true
}

// gradescope returns results.json as the specification of Gradescope's autograders has it. It has a
// test for each stage, with every broken rule in full.
func (r *Report) gradescope() map[string]any {
	output := r.title() + ". Begin with the first stage that lost points: the others may follow from it."
	switch {
	case r.Unbuilt != "":
		output = "The module does not build, so it has no points:\n\n" + r.Unbuilt
	case r.Passed():
		output = r.title() + ". Your scheme keeps every rule."
	}
	var tests []map[string]any
	for _, s := range r.Stages {
		status := "passed"
		if s.Score < s.Max {
			status = "failed"
		}
		var before shown
		tests = append(tests, map[string]any{
			"score": s.Score, "max_score": s.Max, "status": status, "name": s.Title, "number": s.Stage, "output_format": "text",
			"output": strings.TrimSpace(s.remark() + "\n\n" + s.feedback(&before, len(s.Rules))),
		})
	}
	return map[string]any{
		"score": r.Score, "execution_time": r.Seconds, "visibility": "visible", "output": output, "output_format": "text",
		"tests": tests,
	}
}
