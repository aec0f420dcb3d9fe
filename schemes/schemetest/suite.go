package schemetest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"timerlab/schemes"
)

// Rule is one sentence of the contract.
type Rule struct {
	Name     string // short, for -run: "stop-sibling"
	Sentence string
	check    func(*suite) error
}

// Violation is the error of a scheme that breaks a rule.
type Violation struct {
	Scheme   string   // Info.Name
	Rule     string   // Rule.Name
	Sentence string   // Rule.Sentence
	Got      string   // what happened instead
	Trail    []string // the operations that led there: New, then at most maxTrail lines
}

// maxTrail bounds the operations told, after New.
const maxTrail = 12

// Error is several lines: what, then the operations.
func (v *Violation) Error() string {
	return fmt.Sprintf("%s breaks the rule %s: %s\n\t%s\n\t%s",
		v.Scheme, v.Rule, v.Sentence, v.Got, strings.Join(v.Trail, "\n\t"))
}

// patience is how long one rule may take before the scheme counts as hanging;
// the slowest takes a fifth of a second.
const patience = 30 * time.Second

// suite checks one scheme.
type suite struct {
	info     *schemes.Info
	rules    []Rule
	rule     *Rule // being checked
	patience time.Duration
	own      bool // see machine
	oracles  *oracles
	running  atomic.Pointer[machine] // read by the watchdog
}

// Run checks info's scheme against every rule, one subtest each.
func Run(t *testing.T, info *schemes.Info) {
	for i := range rules {
		hung := false
		t.Run(rules[i].Name, func(t *testing.T) {
			err := newSuite(info).apply(&rules[i])
			if err != nil {
				t.Error(err)
			}
			hung = hangs(err)
		})
		if hung { // what hangs cannot be stopped and would disturb the rest
			return
		}
	}
}

// Verify checks info's scheme against every rule without a test, and returns
// nil or the first *Violation.
func Verify(info *schemes.Info) error {
	s := newSuite(info)
	for i := range rules {
		if err := s.apply(&rules[i]); err != nil {
			return err
		}
	}
	return nil
}

// Rules returns the contract, rule by rule, in the order of checking.
func Rules() []Rule { return append([]Rule(nil), rules...) }

func newSuite(info *schemes.Info) *suite {
	return &suite{info: info, rules: rules, patience: patience, oracles: newOracles(info)}
}

// apply checks one rule. It does so in a goroutine of its own, so that a scheme
// that never returns can be left behind.
func (s *suite) apply(r *Rule) error {
	s.rule = r
	s.running.Store(nil)
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = s.violation(rulePanic, panicText(p), nil)
			}
			done <- err
		}()
		err = r.check(s)
	}()
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return s.hang()
	}
}

// hang tells the program that does not return, without results.
func (s *suite) hang() error {
	got := fmt.Sprintf("the rule %s did not end within %v", s.rule.Name, s.patience)
	m := s.running.Load()
	if m == nil {
		return s.violation(ruleHang, got, nil)
	}
	at := min(int(m.at.Load()), len(m.program.ops)-1)
	lines := []string{describe(m.program.cfg)}
	for i := range m.program.ops[:at+1] {
		lines = append(lines, m.program.ops[i].String())
	}
	return s.violation(ruleHang, got+", the last operation did not return", lines)
}

func hangs(err error) bool {
	v, ok := err.(*Violation)
	return ok && v.Rule == ruleHang
}

// violation is the breach of the rule called name.
func (s *suite) violation(name, got string, lines []string) error {
	v := &Violation{Scheme: s.info.Name, Rule: name, Got: got, Trail: clip(lines)}
	for i := range s.rules {
		if s.rules[i].Name == name {
			v.Sentence = s.rules[i].Sentence
		}
	}
	return v
}

// clip keeps New, the first operations and the last ones.
func clip(lines []string) []string {
	if len(lines) <= 1+maxTrail {
		return lines
	}
	const head = 3
	tail := lines[len(lines)-(maxTrail-head-1):]
	out := append([]string(nil), lines[:1+head]...)
	return append(append(out, fmt.Sprintf("… %d more operations …", len(lines)-1-head-len(tail))), tail...)
}

// machine makes a machine for p under the rule being checked.
func (s *suite) machine(p program) *machine {
	m := &machine{program: p, rule: s.rule.Name, own: s.own, oracles: s.oracles}
	s.running.Store(m)
	return m
}

// try does programs until one fails, and shrinks that.
func (s *suite) try(programs ...program) error {
	for _, p := range programs {
		if f := s.machine(p).execute(s.info); f != nil {
			return s.explain(p, f)
		}
	}
	return nil
}

// tryAll is try of the program that f writes for every configuration.
func (s *suite) tryAll(cfgs []schemes.Config, f func(schemes.Config) program) error {
	for _, cfg := range cfgs {
		if err := s.try(f(cfg)); err != nil {
			return err
		}
	}
	return nil
}

// explain shrinks a failing program and tells what is left of it. A scheme that
// does not fail the same way twice is told as it failed first.
func (s *suite) explain(p program, f *failure) error {
	kind := f.kind()
	if f.during < len(p.ops) {
		p.ops = p.ops[:f.during+1]
	}
	p = shrink(p, func(q program) bool {
		g := s.machine(q).execute(s.info)
		return g != nil && g.kind() == kind
	})
	m := s.machine(p)
	m.trail = &trail{lines: []string{describe(p.cfg)}}
	if g := m.execute(s.info); g != nil && g.kind() == kind {
		f = g
	}
	m.trail.flush()
	return s.violation(f.rule, f.got, m.trail.lines)
}
