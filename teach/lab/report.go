package lab

import (
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
	Broken   string   `json:"broken,omitempty"` // the rule that was found broken, if it is another one
	Got      string   `json:"got,omitempty"`    // what happened instead
	Trail    []string `json:"trail,omitempty"`  // the operations that led there
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

// Unbuilt returns the grade of a module that does not compile.
func (m *Module) Unbuilt(e *UnbuiltError) *Report {
	r := m.report()
	r.Unbuilt = e.Output
	return r
}

// fill enters what a child found.
func (s *StageReport) fill(of *grade.Stage, run *stageRun) {
	s.Score, s.Ended, s.Output = of.Score(run.results), run.ended, run.output
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
	if n := len(run.results); run.ended != "" && n < len(s.Rules) && s.Rules[n].Rule == run.begun {
		s.Rules[n].Verdict, s.Rules[n].Got = Broken, run.ended
	}
}

// Passed reports whether all rules are kept.
func (r *Report) Passed() bool { return r.Score == r.Max }

// kept returns how many rules of the stage are kept.
func (s *StageReport) kept() (n int) {
	for i := range s.Rules {
		if s.Rules[i].Verdict == Kept {
			n++
		}
	}
	return n
}

// names returns the rules with a verdict.
func (s *StageReport) names(verdict string) (names []string) {
	for i := range s.Rules {
		if s.Rules[i].Verdict == verdict {
			names = append(names, s.Rules[i].Rule)
		}
	}
	return names
}

// text is a broken rule as students read it: its sentence, what happened, the operations.
func (r *RuleReport) text() string {
	lines := []string{r.Rule + ": " + r.Sentence}
	if r.Broken != "" {
		lines = append(lines, "What broke first is the rule "+r.Broken+": "+grade.Rule(r.Broken).Sentence)
	}
	lines = append(lines, strings.Split(r.Got, "\n")...)
	return strings.Join(append(lines, r.Trail...), "\n    ")
}

// seen remembers what has happened, so that it is shown once.
type seen []string

// add returns false if the same has been added before, apart from numbers and the rule.
func (s *seen) add(rule, got string) bool {
	what := strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return -1
		}
		return c
	}, strings.ReplaceAll(got, rule, ""))
	if slices.Contains(*s, what) {
		return false
	}
	*s = append(*s, what)
	return true
}
