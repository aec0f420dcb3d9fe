package schemetest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"timerlab/schemes"
)

// Rule is one sentence of the contract.
type Rule struct {
	Name     string // short, for -run: "stop-sibling"
	Sentence string
	check    func(*suite) // panics with a *Violation, see fail
}

// Violation is the error of a scheme that breaks a rule.
type Violation struct {
	Scheme   string   // Info.Name
	Rule     string   // Rule.Name
	Sentence string   // Rule.Sentence
	Got      string   // what happened instead
	Trail    []string // the operations that led there: New, then at most maxTrail lines
	Hung     bool     // an operation did not return, and still runs
}

// maxTrail bounds the operations listed, after New.
const maxTrail = 12

// Error is several lines: the rule, what happened, then the operations.
func (v *Violation) Error() string {
	first := fmt.Sprintf("%s breaks the rule %s: %s", v.Scheme, v.Rule, v.Sentence)
	return strings.Join(append([]string{first, v.Got}, v.Trail...), "\n\t")
}

// patience is how long a single operation may take before the scheme counts as
// hanging. A slow scheme may take any time for a rule, as long as its operations
// return.
const patience = 30 * time.Second

// suite checks one scheme.
type suite struct {
	info     *schemes.Info
	short    bool // less of everything
	rules    []Rule
	patience time.Duration
	oracles  *oracles

	rule    *Rule    // being checked
	mute    bool     // see machine
	strict  bool     // every difference breaks rule, whatever it is
	twin    *program // runs in turns with every other
	made    []string // the last call of New, if any
	began   time.Time
	steps   atomic.Uint64           // operations that returned; read by the watchdog
	running atomic.Pointer[machine] // read by the watchdog
}

// Run checks info's scheme against every rule, one subtest each. With -short it
// tries fewer settings, and long runs are shorter.
func Run(t *testing.T, info *schemes.Info) {
	s := newSuite(info)
	s.short = testing.Short()
	var broken []*Violation
	for i := range s.rules {
		var v *Violation
		t.Run(s.rules[i].Name, func(t *testing.T) {
			err := s.apply(&s.rules[i])
			if err == nil {
				return
			}
			v = err.(*Violation)
			v.refer(broken)
			broken = append(broken, v)
			t.Error(v)
		})
		if v != nil && v.Hung { // what hangs cannot be stopped and would disturb the rest
			return
		}
	}
	if len(broken) > 1 {
		t.Errorf("%s breaks %d rules; begin with the first, %s: the others may follow from it",
			info.Name, len(broken), broken[0].Rule)
	}
}

// kind is what happened, without its numbers. Shrinking keeps it, lest a program be
// shrunk to another violation than the one it was written for.
func (v *Violation) kind() string { return v.Rule + withoutDigits(v.Got) }

func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

// refer replaces the operations by a reference if the same happened under another
// rule before.
func (v *Violation) refer(before []*Violation) {
	for _, b := range before {
		if withoutDigits(b.Got) == withoutDigits(v.Got) {
			v.Trail = []string{"as under the rule " + b.Rule}
			return
		}
	}
}

// Verify checks info's scheme against every rule without a test, and returns nil
// or the first *Violation.
func Verify(info *schemes.Info) error { return newSuite(info).verify() }

// VerifyShort is Verify with fewer settings and shorter runs, as Run with -short.
func VerifyShort(info *schemes.Info) error {
	s := newSuite(info)
	s.short = true
	return s.verify()
}

// Verify checks info's scheme against this rule alone, and returns nil or a *Violation, which
// may be of a rule that holds always. An operation that does not return within patience breaks
// the rule hang, and goes on.
func (r *Rule) Verify(info *schemes.Info, short bool, patience time.Duration) error {
	s := newSuite(info)
	s.short, s.patience = short, patience
	return s.apply(r)
}

func (s *suite) verify() error {
	for i := range s.rules {
		if err := s.apply(&s.rules[i]); err != nil {
			return err
		}
	}
	return nil
}

// Rules returns the contract, rule by rule, in the order of checking.
func Rules() []Rule { return slices.Clone(rules) }

func newSuite(info *schemes.Info) *suite {
	return &suite{info: info, rules: rules, patience: patience, oracles: newOracles(info)}
}

// apply checks one rule and returns nil or a *Violation. It does so in a goroutine
// of its own, so that a scheme that never returns can be left behind.
func (s *suite) apply(r *Rule) error {
	s.rule, s.mute, s.strict, s.twin, s.made, s.began = r, false, false, nil, nil, time.Now()
	s.running.Store(nil)
	done := make(chan error, 1)
	go func() { done <- s.check() }()
	watch := time.NewTicker(s.patience / 8)
	defer watch.Stop()
	steps, changed := s.steps.Load(), time.Now()
	for {
		select {
		case err := <-done:
			return err
		case <-watch.C:
			if now := s.steps.Load(); now != steps {
				steps, changed = now, time.Now()
			} else if time.Since(changed) > s.patience {
				v := s.hang()
				v.Hung = true
				return v
			}
		}
	}
}

// check returns the violation with which the rule's check panicked, or nil.
func (s *suite) check() (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Violation:
			err = p
		default:
			name := "panic"
			if s.strict {
				name = s.rule.Name
			}
			err = s.violation(name, panicText(p), s.made)
		}
	}()
	s.rule.check(s)
	return nil
}

// hang is the violation of a scheme of which no operation returns. If a program
// was running, its operations are listed, without results.
func (s *suite) hang() *Violation {
	got := fmt.Sprintf("the rule %s hangs: no operation returned for %v, after %d that did",
		s.rule.Name, s.patience, s.steps.Load())
	m := s.running.Load()
	if m == nil {
		return s.violation("hang", got, s.made)
	}
	at := min(int(m.at.Load()), len(m.program.ops)-1)
	return s.violation("hang", got+"; the last one is", m.program.lines()[:at+2])
}

// violation is the breach of the rule called name.
func (s *suite) violation(name, got string, lines []string) *Violation {
	rule := s.rules[slices.IndexFunc(s.rules, func(r Rule) bool { return r.Name == name })]
	return &Violation{s.info.Name, name, rule.Sentence, got, clip(lines), false}
}

// clip keeps New, the first operations and the last ones.
func clip(lines []string) []string {
	if len(lines) <= 1+maxTrail {
		return lines
	}
	const head = 3
	tail := lines[len(lines)-(maxTrail-head-1):]
	left := fmt.Sprintf("… %d more operations …", len(lines)-1-head-len(tail))
	return slices.Concat(lines[:1+head], []string{left}, tail)
}

// fail ends the check: the scheme breaks its rule in the last setting that scheme
// made.
func (s *suite) fail(format string, args ...any) { s.failAfter(s.made, format, args...) }

// failAfter is fail after the operations listed.
func (s *suite) failAfter(lines []string, format string, args ...any) {
	panic(s.violation(s.rule.Name, fmt.Sprintf(format, args...), lines))
}

// scheme makes the scheme of a setting, to be used without a machine.
func (s *suite) scheme(c setting) schemes.Scheme {
	s.made = []string{c.String()}
	s.running.Store(nil)
	made, err := c.info.New(c.cfg)
	if err != nil || made == nil {
		s.fail("New failed: %v", err)
	}
	return made
}
