// Package grade checks a timer scheme against the rules of the contract in stages, and gives points. It imports
// only the contract and its conformance suite, so that it can be laid with them next to a student's module.
package grade

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Stage is a part of the work, with its points and the rules that it is checked against.
type Stage struct {
	Name   string // a letter
	Title  string
	Advice string // what it asks for
	Points int
	Hours  float64 // that students take for it, about
	Key    string  // the rule without which the stage earns nothing
	Rules  []string

	Methods string // that it looks at: four, looking, counting, or all if it is empty
}

//go:embed stages.json
var stages []byte

// Stages are all stages in their order. Each rule of the contract is in one of them, and so are the lab's own, growth and stop-frees. A
// stage looks only at the methods that it is about, so that a wrong Counts costs nothing
// in the others. The last one looks at all of them.
var Stages = readStages()

func readStages() (all []Stage) {
	if err := json.Unmarshal(stages, &all); err != nil {
		panic(err) // it is embedded
	}
	return all
}

const (
	MaxPoints  = 100 // of all stages
	RulePoints = 5   // that a broken rule costs; a stage costs at most its own points
)

// Schemes with one method beside the four operations.
type (
	withLen struct {
		schemes.Scheme
		schemes.Sized
	}
	withCheck struct {
		schemes.Scheme
		schemes.Checker
	}
	withString struct {
		schemes.Scheme
		fmt.Stringer
	}
	withCounts struct {
		schemes.Scheme
		schemes.Counter
	}
)

// part leaves the methods of a scheme that a stage looks at, or says which one the scheme lacks. Of looking, it leaves
// the one that the rule is about.
func (s *Stage) part(rule string, of schemes.Scheme) (part schemes.Scheme, missing string) {
	switch about := s.Methods + " " + rule; {
	case s.Methods == "four":
		return struct{ schemes.Scheme }{of}, ""
	case s.Methods == "counting":
		return with(of, "Counts() schemes.Counts", func(m schemes.Counter) schemes.Scheme { return withCounts{of, m} })
	case about == "looking len":
		return with(of, "Len() int", func(m schemes.Sized) schemes.Scheme { return withLen{of, m} })
	case about == "looking check":
		return with(of, "Check() error", func(m schemes.Checker) schemes.Scheme { return withCheck{of, m} })
	case about == "looking string":
		return with(of, "String() string", func(m fmt.Stringer) schemes.Scheme { return withString{of, m} })
	}
	return of, "" // the rule interfaces asks for all
}

func with[Method any](of schemes.Scheme, name string, part func(Method) schemes.Scheme) (schemes.Scheme, string) {
	if m, ok := of.(Method); ok {
		return part(m), ""
	}
	return of, name
}

// Rule returns a rule of the contract, or of the lab, by its name.
func Rule(name string) *schemetest.Rule {
	if r, _ := own(name); r != nil {
		return r
	}
	rules := schemetest.Rules()
	return &rules[slices.IndexFunc(rules, func(r schemetest.Rule) bool { return r.Name == name })]
}

// Result is what the check of one rule found.
type Result struct {
	Rule      string
	Violation *schemetest.Violation // nil if the rule is kept
}

// Hung reports whether an operation did not return, after which nothing more is checked.
func (r *Result) Hung() bool { return r.Violation != nil && r.Violation.Hung }

// Scores returns the points of each stage for its results. A violation costs points where the rule belongs that
// was broken first, not where that came out, so that one fault is not charged in every stage.
func Scores(results [][]Result) []int {
	broken := map[string]bool{}
	for _, r := range slices.Concat(results...) {
		if r.Violation != nil {
			broken[r.Violation.Rule] = true
		}
	}
	points := make([]int, len(Stages))
	for i := range Stages {
		s, key := &Stages[i], false
		cost := RulePoints * (len(s.Rules) - len(results[i])) // not checked
		for _, r := range results[i] {
			// It is kept as far as its own check goes, which may have met another broken rule.
			key = key || r.Rule == s.Key && (r.Violation == nil || r.Violation.Aside)
			if broken[r.Rule] {
				cost += RulePoints
			}
		}
		if key {
			points[i] = max(0, s.Points-cost)
		}
	}
	return points
}

// WrongClock reports whether timers are due on a wrong tick. The stages after the first are then checked loosely.
func WrongClock(first []Result) bool {
	return slices.ContainsFunc(first, func(r Result) bool {
		return (r.Rule == "exact" || r.Rule == "exact-clock") && r.Violation != nil && r.Violation.Rule == r.Rule
	})
}
