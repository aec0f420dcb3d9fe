package grade

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Check checks a scheme against the rules of the stage, one after the other, and calls done with what was found. If
// an operation hangs, the rules after it are left out, since it goes on and would disturb them.
func (s *Stage) Check(info *schemes.Info, o Options, done func(Result)) {
	for _, rule := range s.Rules {
		r := Result{rule, s.check(rule, info, o)}
		done(r)
		if r.Hung() {
			return
		}
	}
}

// Options are how a scheme is checked.
type Options struct {
	Short    bool          // fewer settings and shorter runs of each rule
	Patience time.Duration // how long one operation may take
	Number   int           // of the scheme that was to be written; 0 if any of the paper's will do
	Loose    bool          // the clock is known to be wrong, and costs nothing more
}

// check checks one rule, on schemes that have only the methods that the stage is about. Of a
// variant, or of a scheme that is not in the paper, the suite asks less: it breaks every rule.
func (s *Stage) check(rule string, info *schemes.Info, o Options) *schemetest.Violation {
	switch {
	case o.Number != 0 && info.Number != o.Number:
		return violated(info, "info", "Info.Number is %d; you were to write scheme %d", info.Number, o.Number)
	case info.Number < 1 || info.Number > 7:
		return violated(info, "info", "Info.Number is %d; the paper has schemes 1 to 7", info.Number)
	case !info.IsBase():
		return violated(info, "info", "Info.Name is %q; a dash is for variants of a scheme", info.Name)
	}
	if _, check := own(rule); check != nil {
		return within(o.Patience, rule, check, info)
	}
	part, missing := *info, ""
	if info.New != nil {
		part.New = func(cfg schemes.Config) (made schemes.Scheme, err error) {
			if made, err = info.New(cfg); err == nil && made != nil {
				made, missing = s.part(rule, made)
			}
			return made, err
		}
	}
	v, broken := errors.AsType[*schemetest.Violation](Rule(rule).Verify(&part, o.Short, o.Loose, o.Patience))
	if broken && v.Hung {
		return v // it may still be writing missing
	}
	if missing != "" {
		return violated(info, "interfaces", "your scheme has no method %s", missing)
	}
	return v
}

// within is the check of one of the lab's own rules, with an end if an operation hangs. A panic ends the process, which is
// reported with the student's line.
func within(patience time.Duration, rule string, check func(*schemes.Info) *schemetest.Violation,
	info *schemes.Info) *schemetest.Violation {
	if info.New == nil || info.Range == nil {
		return violated(info, "info", "Info has no New or no Range")
	}
	done := make(chan *schemetest.Violation, 1)
	go func() { done <- check(info) }()
	select {
	case v := <-done:
		return v
	case <-time.After(patience):
		v := violated(info, "hang", "the rule %s is not checked after %v", rule, patience)
		v.Hung = true
		return v
	}
}

func violated(info *schemes.Info, rule, got string, values ...any) *schemetest.Violation {
	sentence := Rule(rule).Sentence
	return &schemetest.Violation{Scheme: info.Name, Rule: rule, Sentence: sentence, Got: fmt.Sprintf(got, values...)}
}

// Patience is how long one operation may take.
const Patience = 5 * time.Second

// Run checks a scheme in a test: a subtest for each stage, and in it one for each rule. With
// -short it tries fewer settings, and long runs are shorter.
func Run(t *testing.T, info *schemes.Info) {
	o := Options{Short: testing.Short(), Patience: Patience}
	for i, s := range Stages {
		var results []Result
		t.Run(s.Name, func(t *testing.T) {
			for _, rule := range s.Rules {
				r := Result{Rule: rule}
				t.Run(rule, func(t *testing.T) {
					if r.Violation = s.check(rule, info, o); r.Violation != nil {
						t.Error(r.Violation)
					}
				})
				if results = append(results, r); r.Hung() {
					t.Fatal("an operation did not return, so the rest of this stage is not checked")
				}
			}
		})
		if i == 0 {
			o.Loose = WrongClock(results)
		}
	}
}
