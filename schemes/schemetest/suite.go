package schemetest

import (
	"errors"
	"fmt"
	"slices"
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
	Aside    bool     // another rule than the one checked is broken, and the check went on to its end
}

const (
	maxTrail = 12  // operations listed, after New
	maxLine  = 400 // bytes of each
)

// Error is several lines: the rule, what happened, then the operations.
func (v *Violation) Error() string {
	first := fmt.Sprintf("%s breaks the rule %s: %s", v.Scheme, v.Rule, v.Sentence)
	return strings.Join(append([]string{first, v.Got}, v.Trail...), "\n\t")
}

// ErrAllocates is what a Violation wraps whose rule is about allocation alone. Such a scheme is right,
// but its times include what the allocator and the collector cost.
var ErrAllocates = errors.New("the scheme allocates")

// Is reports whether the violation wraps target.
func (v *Violation) Is(target error) bool {
	return target == ErrAllocates && slices.Contains(aboutAllocation, v.Rule)
}

// Run checks info's scheme against every rule, one subtest each. With -short it
// tries fewer settings, and long runs are shorter.
func Run(t *testing.T, info *schemes.Info) { run(t, info, nil) }

// RunAllocating is Run for a scheme that allocates in its operations, such as a map or a heap of pointers: it skips
// the rules about allocation. Memory must not grow all the same.
func RunAllocating(t *testing.T, info *schemes.Info) { run(t, info, aboutAllocation) }

func run(t *testing.T, info *schemes.Info, skipped []string) {
	s := newSuite(info, testing.Short())
	for _, r := range rules {
		hung := false
		t.Run(r.Name, func(t *testing.T) {
			if slices.Contains(skipped, r.Name) {
				t.Skip(ErrAllocates)
			}
			if v := s.apply(&r); v != nil {
				t.Error(v)
				hung = v.Hung
			}
		})
		if hung { // what hangs cannot be stopped and would disturb the rest
			return
		}
	}
	if t.Failed() {
		t.Log("begin with the first rule that is broken: the others may follow from it")
	}
}

// Verify checks info's scheme against every rule without a test, and returns nil
// or the first *Violation. The rules about allocation come last: an error that wraps ErrAllocates
// means that the scheme keeps all the others.
func Verify(info *schemes.Info) error { return newSuite(info, false).verify(rules) }

// VerifyShort is Verify with fewer settings and shorter runs, as Run with -short.
func VerifyShort(info *schemes.Info) error { return newSuite(info, true).verify(rules) }

// Verify checks info's scheme against this rule alone, and returns nil or a *Violation, which may be of a rule
// that holds always. loose asks only that timers are due as they are alone, which may be on a wrong tick: see
// setting.loose. An operation that does not return within patience breaks the rule hang, and goes on. Long
// runs on a slow scheme end after a fifteenth of it, but not before two seconds.
func (r *Rule) Verify(info *schemes.Info, short, loose bool, patience time.Duration) error {
	s := newSuite(info, short)
	s.loose = loose
	s.patience, s.longRun = patience, max(s.longRun, patience/15)
	return s.verify([]Rule{*r})
}

// Rules returns the contract, rule by rule, in the order of checking.
func Rules() []Rule { return slices.Clone(rules) }

// RuleNamed returns the rule of a name, which must be one.
func RuleNamed(name string) Rule {
	return rules[slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })]
}

type suite struct {
	info     *schemes.Info
	short    bool          // less of everything
	loose    bool          // see Verify
	rules    []Rule        // all: the variable would be a cycle
	patience time.Duration // how long one operation may take before the scheme counts as hanging
	longRun  time.Duration // how long a rule repeats operations on a slow scheme

	rule    *Rule // being checked
	mute    bool  // see machine
	strict  bool  // every difference that ends a program breaks rule
	aside   *Violation
	reports bool     // programs say what they do: machine.lines
	made    []string // the last call of New, if any, and what came after it
	began   time.Time
	outside *outside                // nil: the scheme is in this program
	steps   atomic.Uint64           // operations that returned; read by the watchdog
	running atomic.Pointer[machine] // read by the watchdog
}

func newSuite(info *schemes.Info, short bool) *suite {
	return &suite{info: info, short: short, rules: rules, patience: 30 * time.Second, longRun: 2 * time.Second}
}

func (s *suite) verify(rules []Rule) error {
	for i := range rules {
		if v := s.apply(&rules[i]); v != nil {
			return v
		}
	}
	return nil
}

// apply checks one rule, in a goroutine of its own, so that a scheme that never returns can be left
// behind. A slow scheme may take any time for a rule, as long as its operations return.
func (s *suite) apply(r *Rule) *Violation {
	s.rule, s.mute, s.strict, s.reports, s.made, s.began, s.aside = r, false, false, false, nil, time.Now(), nil
	s.running.Store(nil)
	done := make(chan *Violation, 1)
	go func() { done <- s.check() }()
	for before := s.steps.Load(); ; {
		select {
		case v := <-done:
			return v
		case <-time.After(s.patience):
			now := s.steps.Load()
			if now != before {
				before = now
				continue
			}
			got := fmt.Sprintf("the rule %s hangs: no operation returned for %v, after %d that did", r.Name, s.patience, now)
			lines := s.made
			if m := s.running.Load(); m != nil { // its operations, without results
				at := min(int(m.at.Load()), len(m.program.ops)-1)
				got, lines = got+"; the last one is", m.program.lines()[:at+2]
			}
			v := s.violation("hang", got, lines)
			v.Hung = true
			return v
		}
	}
}

// check returns the violation with which the rule's check panicked, or nil.
func (s *suite) check() (v *Violation) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Violation:
			v = p
		default:
			name, text := panicked(p)
			if s.strict {
				name = s.rule.Name
			}
			v = s.violation(name, text, s.made)
		}
	}()
	s.rule.check(s)
	return s.aside
}

func (s *suite) violation(name, got string, lines []string) *Violation {
	rule := s.rules[slices.IndexFunc(s.rules, func(r Rule) bool { return r.Name == name })]
	return &Violation{Scheme: s.info.Name, Rule: name, Sentence: rule.Sentence, Got: got, Trail: clip(lines)}
}

// clip keeps New, the first operations and the last ones, and of each a part that can be read.
func clip(lines []string) []string {
	const head = 3
	if left := len(lines) - maxTrail; left > 1 {
		lines = slices.Concat(lines[:1+head], []string{fmt.Sprintf("… %d more operations …", left)}, lines[1+head+left:])
	}
	for i, line := range lines {
		if len(line) > maxLine {
			lines[i] = line[:maxLine] + " …"
		}
	}
	return lines
}

// require counts a step and, unless ok, ends the check: the scheme breaks its rule after what is in made.
func (s *suite) require(ok bool, format string, args ...any) {
	if s.steps.Add(1); !ok {
		panic(s.violation(s.rule.Name, fmt.Sprintf(format, args...), s.made))
	}
}

// scheme makes the scheme of a setting, to be used without a machine.
func (s *suite) scheme(c setting) schemes.Scheme {
	s.made = []string{c.String()}
	s.running.Store(nil)
	made, err := c.info.New(c.cfg)
	s.require(err == nil && made != nil, "New failed: %v", err)
	return made
}

func has[I any](s *suite) bool {
	_, ok := s.scheme(setting{info: s.info}).(I)
	return ok
}

// run executes a program, whatever comes of it; mute: see machine.
func (s *suite) run(p program, mute bool) *machine {
	if s.outside != nil {
		p = s.outside.adapt(p)
		s.outside.runs++
	}
	m := &machine{suite: s, program: p, mute: mute, lines: []string{p.String()}}
	s.running.Store(m)
	m.execute()
	if m.outside != nil {
		m.lines = m.outside.Transcript()
	}
	return m
}

// try runs a program. If it fails, the check ends with what is left of the program when it is shrunk, or goes on
// if the program did and another rule is broken. A scheme that does not fail the same way twice is reported as it
// failed first.
func (s *suite) try(p program) {
	if s.outside != nil {
		if p = s.outside.adapt(p); !s.outside.tries(p) {
			return
		}
	}
	m := s.run(p, s.mute)
	v := m.failure
	if v == nil || v.Aside && s.aside != nil || s.outside.late() && v.Rule != "hang" && v.Rule != "panic" {
		return
	}
	// Texts are compared but for their numbers, lest a program be shrunk to another violation.
	words := func(v *Violation) []string {
		return strings.FieldsFunc(v.Got, func(r rune) bool { return r >= '0' && r <= '9' })
	}
	same := func(w *Violation) bool {
		return w != nil && w.Rule == v.Rule && w.Aside == v.Aside && slices.Equal(words(w), words(v))
	}
	p.ops = p.ops[:min(int(m.at.Load())+1, len(p.ops))]
	p = s.outside.shrink(p, func(q program) bool { return same(s.run(q, s.mute).failure) })
	s.reports = true
	last := s.run(p, s.mute)
	s.reports = false
	again := same(last.failure)
	if again {
		v = last.failure
	}
	if v.Trail = clip(m.lines); again || m.outside == nil {
		v.Trail = clip(last.lines)
	}
	if v.Aside {
		s.aside = v
		return
	}
	panic(v)
}

// settings are the sizes that the scheme is tried with, or with -short every third.
func (s *suite) settings() []setting {
	if s.short {
		return third(settings(s.info), 0)
	}
	return settings(s.info)
}

// few are the settings with few slots.
func (s *suite) few() []setting { return narrow(s.settings(), fewSlots) }

// upTo300 are the settings with a few more.
func (s *suite) upTo300() []setting { return narrow(s.settings(), 300) }

// withDefault are the settings and the zero Config.
func (s *suite) withDefault() []setting { return append(s.settings(), setting{info: s.info}) }

func third[T any](all []T, from int) (some []T) {
	for i := from % 3; i < len(all); i += 3 {
		some = append(some, all[i])
	}
	return some
}

// atClocks returns each setting at each of these clocks, with -short at one of them;
// without any, at every third of its own, at other ones for the next setting.
func (s *suite) atClocks(cs []setting, clocks ...schemes.Tick) (all []setting) {
	for i, c := range cs {
		here := clocks
		if len(clocks) == 0 {
			here = third(c.clocks(), i)
		} else if s.short {
			here = clocks[i%len(clocks):][:1]
		}
		for _, now := range here {
			all = append(all, c.at(now))
		}
	}
	return all
}

func (s *suite) scaled(n int) int {
	if s.short {
		return n / 10
	}
	return n
}

// goesOn counts a step of a long run and reports whether to go on: until n were
// done or, if the scheme is slow, longRun has passed. On a quick one they take a fraction of a second.
func (s *suite) goesOn(done, n int) bool {
	const look = 64
	return done < s.scaled(n) && (s.steps.Add(1)%look != 0 || time.Since(s.began) < s.longRun)
}

func (s *suite) each(in []setting, texts ...func(*program)) {
	for _, c := range in {
		for _, text := range texts {
			s.try(write(c, text))
		}
	}
}

func each(in func(*suite) []setting, texts ...func(*program)) func(*suite) {
	return func(s *suite) { s.each(in(s), texts...) }
}

func at(in func(*suite) []setting, clocks ...schemes.Tick) func(*suite) []setting {
	return func(s *suite) []setting { return s.atClocks(in(s), clocks...) }
}

// with makes the check of a rule about optional methods: schemes without them pass.
func with[I any](check func(*suite)) func(*suite) {
	return func(s *suite) {
		if has[I](s) {
			check(s)
		}
	}
}

// Corruption breaks one invariant of a scheme that was made for the purpose, with
// 50 timers of intervals 1 to 50, two ticks after their start.
type Corruption[S schemes.Scheme] struct {
	Name    string
	Corrupt func(S)
	Want    string // what Check must say
}

// CheckNames corrupts a scheme in each way, a fresh one each time, and verifies
// that Check names what is broken, and the scheme.
func CheckNames[S schemes.Scheme](t *testing.T, info *schemes.Info, cfg schemes.Config, ways []Corruption[S]) {
	for _, way := range ways {
		t.Run(way.Name, func(t *testing.T) {
			made, err := info.New(cfg)
			for interval := schemes.Tick(1); interval <= 50 && err == nil; interval++ {
				_, err = made.Start(interval, schemes.ID(interval))
			}
			if err != nil {
				t.Fatal(err)
			}
			made.PerTick()
			made.PerTick()
			checker := made.(schemes.Checker)
			if err := checker.Check(); err != nil {
				t.Fatalf("before it is corrupted: %v", err)
			}
			way.Corrupt(made.(S))
			text := fmt.Sprint(checker.Check())
			if !strings.Contains(text, way.Want) || !strings.HasPrefix(text, info.Name+": ") {
				t.Errorf("Check says %q, want the scheme and %q", text, way.Want)
			}
		})
	}
}
