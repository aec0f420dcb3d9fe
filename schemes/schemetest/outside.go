package schemetest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/schemes"
)

// Outside is a scheme in another program, of which less can be seen. A timer's handle is its ID, and an ID names one timer at
// a time. What a timer's action does is said ahead, and is done where the timer expires; Expire then repeats it.
//
// A method that cannot get an answer panics with an error that has a method Breaks, which names the rule and what happened.
type Outside interface {
	schemes.Scheme
	// Ahead passes ticks at once, the next that PerTick is called for. A timer may be due on the last of them.
	Ahead(ticks schemes.Tick)
	// Action says what the action of a timer does: operations as op.outside writes them.
	Action(id schemes.ID, operations []string)
	// RestartAs is Restart under another ID, for those that promise restart.
	RestartAs(h schemes.Handle, interval schemes.Tick, id schemes.ID) (schemes.Handle, error)
	// Transcript returns the operations since New, with the answers.
	Transcript() []string
}

// outsideRules are the rules that can be seen from outside, in the order of checking, and what must be promised for each,
// beside what programs use. The others are about Go, about what a scheme says of itself, or about memory.
//
// A scheme without pertick passes its ticks with all expiries. Programs that let due timers wait then do not: each
// PerTick is followed by an Expire.
var outsideRules = []struct{ rule, promises string }{
	{"exact", ""}, {"bound", "late"}, {"exact-clock", "now"}, {"exact-long", ""}, {"interval-zero", "zero"},
	{"interval-range", ""}, {"interval-clock", "now"}, {"clock-stops", "now"},
	{"stop", ""}, {"stop-due", "pertick"}, {"stop-stale", "stale"}, {"stop-foreign", "stale"},
	{"expire", ""}, {"stop-sibling", "action"}, {"expire-forgets", "action"}, {"expire-start", "action"},
	{"deterministic", "order"}, {"panic", ""}, {"hang", ""}, {"pertick-number", "pertick"},
	{"config-rejected", "sizes"}, {"restart", "restart"}, {"model", ""}, {"volume", ""},
}

// Verdict is what came of a rule.
type Verdict struct {
	Rule
	Lacks     string     // what is not promised, so that the rule was not checked
	Programs  int        // that were tried
	Violation *Violation // nil: none of them broke the rule. Its Trail is a transcript
	Loose     bool       // asked only that timers are due as they are alone, as the rule exact is broken
}

// VerifyOutside checks the Outside scheme of info, within a time by and large, and returns a verdict for each rule that can
// be seen from outside. Rules have equal parts of the time that is left, and what is not reached was tried with no program.
// alone makes schemes beside the one that is checked, which say when a timer is due alone: see suite.alone. If timers are not
// due on their ticks, the other rules ask only that they are due as they are alone. progress is called before each rule.
func VerifyOutside(info, alone *schemes.Info, promises func(word string) bool, within time.Duration,
	progress func(done, of int, rule string)) (all []Verdict) {
	s := newSuite(info, within < wholeSuite)
	o := &outside{info: alone, promises: promises, shrinks: within / 3}
	ends := time.Now().Add(within)
	for i, asked := range outsideRules {
		progress(i, len(outsideRules), asked.rule)
		v := Verdict{Rule: RuleNamed(asked.rule), Lacks: asked.promises}
		if asked.promises == "" || promises(asked.promises) {
			v = s.fromOutside(v.Rule, o, time.Until(ends)/time.Duration(len(outsideRules)-i))
			if broken := v.Violation; i == 0 && broken != nil {
				s.loose = broken.Rule == v.Name || broken.Rule == "expire"
			}
		}
		all = append(all, v)
	}
	return all
}

const (
	wholeSuite    = 30 * time.Second // which it takes through a pipe
	mostShrinking = 5 * time.Second  // of a program
)

// fromOutside checks a rule within a time.
func (s *suite) fromOutside(r Rule, o *outside, within time.Duration) Verdict {
	o.until, o.seen, o.runs, o.alone = time.Now().Add(within), map[string]bool{}, 0, map[string]alone{}
	s.outside, s.longRun = o, within
	v, before := Verdict{Rule: r, Loose: s.loose}, s.steps.Load()
	v.Violation = s.apply(&r)
	if v.Programs = o.runs; v.Programs == 0 && s.steps.Load() > before {
		v.Programs = 1 // of New alone
	}
	return v
}

// outside is a suite's view of a scheme in another program.
type outside struct {
	info     *schemes.Info // of schemes beside the one that is checked
	promises func(word string) bool
	shrinks  time.Duration // that shrinking programs may take yet

	until time.Time        // no program of the rule begins after it
	seen  map[string]bool  // its programs, as those of several settings may be the same from outside
	runs  int              // of programs, with those that shrank one
	alone map[string]alone // by sizes, clock and interval
}

// alone is when a timer is due that is alone, or how long it was not.
type alone struct {
	ticks schemes.Tick
	due   bool
}

// shrink is shrink, but outside within a part of the time for all programs. What is left of the program has time to be run.
func (o *outside) shrink(p program, fails func(program) bool) program {
	if o == nil {
		return shrink(p, fails)
	}
	began := time.Now()
	o.until = began.Add(min(mostShrinking, o.shrinks))
	p = shrink(p, func(q program) bool { return !o.late() && fails(q) })
	o.shrinks = max(0, o.shrinks-time.Since(began))
	o.until = time.Now().Add(mostShrinking)
	return p
}

// dueAlone is suite.alone, of the other process and once for a setting and interval.
func (o *outside) dueAlone(c setting, interval, most schemes.Tick) (ticks schemes.Tick, due bool) {
	key := fmt.Sprint(c.cfg, interval)
	known, ok := o.alone[key]
	if !ok || !known.due && known.ticks < most {
		known.ticks, known.due = dueAlone(o.info, c.cfg, interval, most)
		o.alone[key] = known
	}
	return known.ticks, known.due && known.ticks <= most
}

// tries reports whether to try a program that was adapted: a new one, while there is time.
func (o *outside) tries(p program) bool {
	text := strings.Join(p.lines(), "\n")
	if o.seen[text] || time.Now().After(o.until) {
		return false
	}
	o.seen[text] = true
	return true
}

// late reports whether a program has to end, which says nothing then, and shrinking one.
func (o *outside) late() bool {
	const grace = time.Second
	return o != nil && time.Since(o.until) > grace
}

// adapt returns the program as it can be run outside: the clock begins at 0 and there are no sizes if those cannot be set, IDs
// are labels, no action panics, in actions there is no handle that has some bits of another one's, and no interval is 0 unless
// that is refused.
func (o *outside) adapt(p program) program {
	if p.cfg.Capacity = 0; !o.promises("now") {
		p.cfg.Now = 0
	}
	if !o.promises("sizes") {
		p.cfg.Slots, p.cfg.Levels = 0, nil
	}
	p.ops = o.adaptAll(p.ops, false)
	return p
}

func (o *outside) adaptAll(ops []op, inAction bool) []op {
	ops = slices.DeleteFunc(slices.Clone(ops), func(one op) bool {
		starts := one.verb == opStart || one.verb == opRestart
		return one.verb == opPanic || one.verb == opRestart && !o.promises("restart") ||
			starts && (one.ticks == 0 && !o.promises("zero") || inAction && one.ticks > math.MaxInt64)
	})
	for i := range ops {
		ops[i].id = schemes.ID(ops[i].label)
		if ops[i].action = o.adaptAll(ops[i].action, true); !o.promises("action") {
			ops[i].action = nil
		}
		if t := &ops[i].target; inAction && (t.label != 0 || t.bits > math.MaxInt64) {
			t.bits = 0
		}
	}
	return ops
}

// outside writes an operation of an action for a scheme outside.
func (o *op) outside() string {
	h := max(schemes.Handle(o.target.label), o.target.bits)
	switch o.verb {
	case opStart:
		return fmt.Sprintf("start %d %d", o.label, o.ticks)
	case opRestart:
		return fmt.Sprintf("restart %d %d %d", h, o.label, o.ticks)
	}
	return fmt.Sprintf("stop %d", h)
}

// passOutside passes ticks of a scheme that hands timers out on their ticks: at once up to the next deadline.
func (m *machine) passOutside(n schemes.Tick) {
	for n > 0 && !m.suite.outside.late() {
		step := n
		if wait, ok := m.model.next(); ok {
			step = min(n, max(wait, 1))
		}
		m.outside.Ahead(step)
		for range step {
			if due := m.scheme.PerTick() + m.model.tick(); due > 0 {
				m.expire()
			}
		}
		m.suite.steps.Add(1)
		n -= step
	}
}
