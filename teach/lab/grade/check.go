package grade

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// Check checks a scheme against the rules of the stage. begin is called before each rule,
// and done with what was found. If an operation hangs, the rules after it are left out,
// since it goes on and would disturb them.
func (s *Stage) Check(info *schemes.Info, o Options, begin func(rule string), done func(Result)) {
	for _, rule := range s.Rules {
		begin(rule)
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
	Memory   uint64        // bytes that the process may use
	Number   int           // of the scheme that was to be written; 0 if any of the paper's will do
}

// other returns what is wrong with an info that is not a scheme to be graded, or "". Of a
// variant, or a scheme that is not in the paper, the suite asks less.
func (o *Options) other(info *schemes.Info) string {
	switch {
	case o.Number != 0 && info.Number != o.Number:
		return fmt.Sprintf("Info.Number is %d; you were to write scheme %d", info.Number, o.Number)
	case info.Number < 1 || info.Number > 7:
		return fmt.Sprintf("Info.Number is %d; the paper has schemes 1 to 7", info.Number)
	case !info.IsBase():
		return fmt.Sprintf("Info.Name is %q; a dash is for variants of a scheme", info.Name)
	}
	return ""
}

func (s *Stage) check(rule string, info *schemes.Info, o Options) (v *schemetest.Violation) {
	violated := func(rule, got string) *schemetest.Violation {
		return &schemetest.Violation{Scheme: info.Name, Rule: rule, Sentence: Rule(rule).Sentence, Got: got}
	}
	if wrong := o.other(info); wrong != "" {
		return violated("info", wrong)
	}
	of, missing := s.about(rule, info)
	if missing != "" {
		return violated("interfaces", "your scheme has no method "+missing)
	}
	if err := Rule(rule).Verify(of, o.Short, o.Patience); err != nil {
		errors.As(err, &v)
	}
	return v
}

// Patience is how long one operation may take.
const Patience = 5 * time.Second

// Run checks a scheme in a test: a subtest for each stage, and in it one for each rule. With
// -short it tries fewer settings, and long runs are shorter.
func Run(t *testing.T, info *schemes.Info) {
	o := Options{Short: testing.Short(), Patience: Patience}
	for i := range Stages {
		s := &Stages[i]
		t.Run(s.Name, func(t *testing.T) {
			var results []Result
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
			if score := s.Score(results); score < s.Points {
				t.Logf("stage %s, %s: %d of %d points", s.Name, s.Title, score, s.Points)
			}
		})
	}
}
