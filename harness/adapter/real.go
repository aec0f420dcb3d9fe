package adapter

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"timerlab/schemes"
	"timerlab/schemes/schemetest"
)

// realRule is a rule as a library with a clock of its own is asked about it: a program for some timers, and what it needs.
type realRule struct {
	rule, promise string
	write         func(r *realRun)
}

// realRules write programs of some 25 ticks. All of them are judged in the same way, by realRun.judge.
var realRules = []realRule{
	{"exact", "", func(r *realRun) {
		for range 40 {
			r.start(1, 20)
			r.pass(rand.N[schemes.Tick](2))
		}
	}},
	{"stop", "", func(r *realRun) {
		all := r.startAll(40, 4, 13)
		r.pass(1)
		for _, i := range rand.Perm(len(all))[:20] {
			r.stop(all[i])
		}
	}},
	{"stop-stale", "stale", func(r *realRun) {
		all := r.startAll(20, 1, 3)
		r.pass(8)
		for _, l := range all {
			r.stop(l)
			r.stop(r.start(5, 5))
			r.stop(l)
		}
	}},
	{"expire", "", func(r *realRun) { r.startAll(300, 3, 3) }},
	{"stop-sibling", "action", func(r *realRun) {
		for range 10 {
			a, b := r.start(3, 3), r.start(3, 3)
			r.action(a, "stop", b)
			r.action(b, "stop", a)
		}
	}},
	{"expire-start", "action", func(r *realRun) {
		for range 20 {
			r.action(r.start(1, 4), "start", r.life(1, 6))
		}
	}},
	{"restart", "restart", func(r *realRun) {
		all := r.startAll(20, 6, 9)
		r.pass(1)
		for _, l := range all {
			r.restart(l, 1, 12)
		}
	}},
	{"model", "", func(r *realRun) {
		for range 60 {
			switch l := r.start(1, 12); rand.N(5) {
			case 0:
				r.pass(1)
			case 1:
				r.stop(l)
			case 2:
				r.stop(r.lives[rand.N(len(r.lives))])
			case 3:
				if r.a.Promises("restart") {
					r.restart(l, 1, 12)
				}
			}
		}
	}},
}

const (
	realPrograms = 5 // of each rule
	realRuns     = 3 // in which a timer must be late, while the control was on time
	mostRuns     = 9 // to have as many

	lastTicks = 25 // after a program, in which all its timers expire
)

// verifyReal checks a library with a clock of its own against the rules that can be seen then, in half a minute.
func (a *Adapter) verifyReal(progress func(done, of int, rule string)) (all []schemetest.Verdict) {
	for i, o := range realRules {
		progress(i, len(realRules), o.rule)
		v := schemetest.Verdict{Rule: schemetest.RuleNamed(o.rule)}
		if o.promise != "" && !a.Promises(o.promise) {
			v.Lacks = o.promise
		} else {
			v.Programs, v.Violation = a.tryReal(o)
		}
		all = append(all, v)
	}
	return all
}

// tryReal tries programs until one breaks a rule. If all that is wrong are timers that are late, it tries the program again, as
// the machine may be busy; if it always is, nothing is known, and no program counts.
func (a *Adapter) tryReal(o realRule) (programs int, v *schemetest.Violation) {
	for programs < realPrograms {
		programs++
		for runs, late := 1, 0; ; runs++ {
			r := &realRun{a: a, onTime: true}
			if v = r.run(o); v == nil {
				break
			}
			if r.onTime {
				late++
			}
			if !r.late || late == realRuns {
				return programs, v
			}
			if runs == mostRuns {
				return 0, nil
			}
		}
	}
	return programs, nil
}

// realRun is a run of a program.
type realRun struct {
	a      *Adapter
	lives  []*life // ID 1, 2 and so on
	onTime bool    // the adapter's own sleeps were
	late   bool    // the violation is a timer that was late, or has not expired
}

// life is a timer from its start, or restart, to its end.
type life struct {
	id       uint64
	interval schemes.Tick
	wait     time.Duration // the same
	began    time.Time     // just before it was started; zero: in an action, if at all
	started  bool
	stopped  bool            // a stop answered yes, or a restart ok
	after    []time.Duration // its expiries, since it started
	acts     string          // what its action does to the other timer, start or stop
	ordered  time.Time       // when the adapter had accepted the order for its action
	other    *life           // the timer that acts is about, or whose action is about this one
}

func (l *life) waits() bool { return l.started && !l.stopped && len(l.after) == 0 }

func (r *realRun) run(o realRule) (v *schemetest.Violation) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case *Failure:
			v = r.violation(f.Rule, nil, "%s", f.Got)
		case *schemetest.Violation:
			v = f
		default:
			panic(f)
		}
	}()
	_, err := r.a.new(schemes.Config{})
	r.require(err == nil, "panic", nil, "%v", err)
	o.write(r)
	r.pass(lastTicks + r.a.late/schemes.Tick(r.a.Tick))
	return r.judge(o.rule)
}

// violation has the lines about a timer or, without one, the last ones.
func (r *realRun) violation(rule string, l *life, format string, args ...any) *schemetest.Violation {
	trail := slices.Clone(r.a.lines[max(0, len(r.a.lines)-12):])
	if l != nil {
		trail = linesAbout(r.a.lines, l)
	}
	return &schemetest.Violation{Scheme: r.a.Name, Rule: rule, Sentence: schemetest.RuleNamed(rule).Sentence,
		Got: fmt.Sprintf(format, args...), Trail: trail}
}

func (r *realRun) require(ok bool, rule string, l *life, format string, args ...any) {
	if !ok {
		panic(r.violation(rule, l, format, args...))
	}
}

// life returns a timer that has not started, with an interval in a range.
func (r *realRun) life(least, most schemes.Tick) *life {
	l := &life{id: uint64(len(r.lives) + 1), interval: min(least+rand.N(most-least+1), r.a.longest)}
	l.wait = time.Duration(l.interval) * r.a.Tick
	r.lives = append(r.lives, l)
	return l
}

func (r *realRun) begin(l *life, form string, args ...any) {
	l.began = time.Now()
	line := fmt.Sprintf(form, args...)
	answer := r.a.ask(line)
	if l.started = answer == "ok"; !l.started && answer != "no" {
		r.a.unexpected(line, answer)
	}
}

func (r *realRun) start(least, most schemes.Tick) *life {
	l := r.life(least, most)
	r.begin(l, "start %d %d", l.id, l.interval)
	return l
}

func (r *realRun) startAll(n int, least, most schemes.Tick) (all []*life) {
	for range n {
		all = append(all, r.start(least, most))
	}
	return all
}

// ended judges whether a stop or restart found a timer. One that is due within a tick may be early: that is for the rule exact.
func (r *realRun) ended(l *life, found bool) {
	if found {
		r.require(l.waits(), "stop-stale", l, "timer %d had ended", l.id)
		l.stopped = true
		return
	}
	left := l.wait - time.Since(l.began)
	r.require(l.stopped || left <= r.a.Tick+time.Duration(r.a.early), "stop", l, "timer %d was not due for %v", l.id, left)
}

func (r *realRun) stop(l *life) {
	if l.waits() || l.started && r.a.Promises("stale") {
		r.ended(l, r.a.ask(fmt.Sprintf("stop %d", l.id)) == "yes")
	}
}

func (r *realRun) restart(l *life, least, most schemes.Tick) {
	if l.waits() {
		next := r.life(least, most)
		r.begin(next, "restart %d %d %d", l.id, next.id, next.interval)
		r.ended(l, next.started)
	}
}

// action says that a timer's action starts another one, or stops it.
func (r *realRun) action(l *life, verb string, other *life) {
	operation := fmt.Sprintf("%s %d", verb, other.id)
	if verb == "start" {
		operation += fmt.Sprintf(" %d", other.interval)
	}
	r.a.order(fmt.Sprintf("action %d %s", l.id, operation))
	l.acts, l.ordered, l.other, other.other = verb, time.Now(), other, l
}

// pass lets ticks pass, one by one, so that a pause of the machine is noticed by the control of its tick, and notes what expired.
func (r *realRun) pass(ticks schemes.Tick) {
	const line = "tick 1"
	for range ticks {
		answer := r.a.ask(line)
		var late int
		if _, err := fmt.Sscanf(answer, "ok @%d", &late); err != nil {
			r.a.unexpected(line, answer)
		}
		r.onTime = r.onTime && time.Duration(late)*time.Microsecond < r.a.Tick/2
		for _, e := range r.a.events(line, answer, 2) {
			r.expired(e)
		}
	}
}

func (r *realRun) expired(e event) {
	known := e.id > 0 && e.id <= uint64(len(r.lives))
	r.require(known, "expire", &life{id: e.id}, "timer %d expired, which was never started", e.id)
	l := r.lives[e.id-1]
	l.after = append(l.after, time.Duration(e.at)*time.Microsecond)
	switch acted := strings.Join(e.answers, ","); {
	case l.acts == "start" && acted == "ok":
		l.other.started = true
	case l.acts == "stop" && acted == "yes":
		l.other.stopped = true
	case l.acts != "" && acted == "":
		tooSoon := l.began.Add(l.after[0]).Before(l.ordered)
		r.require(tooSoon, "expire-start", l, "the action of timer %d was not done", l.id)
	}
}

// judge returns what is wrong with the lives, first what is worse than a timer that is early or late. Where the rule is not
// about that, a timer may be off by a tick more.
func (r *realRun) judge(rule string) (v *schemetest.Violation) {
	early, late := time.Duration(r.a.early), r.a.Tick+time.Duration(r.a.late)
	if rule != "exact" {
		early, late = early+r.a.Tick, late+r.a.Tick
	}
	lost := false
	for _, l := range r.lives {
		wrong := func(rule, format string, args ...any) *schemetest.Violation {
			return r.violation(rule, l, "timer %d, of %v, %s", l.id, l.wait, fmt.Sprintf(format, args...))
		}
		switch {
		case !l.started && len(l.after) > 0:
			return wrong("expire", "expired without a start")
		case l.stopped && len(l.after) > 0:
			return wrong(rule, "expired though it was stopped")
		case len(l.after) > 1:
			return wrong("expire", "expired %d times", len(l.after))
		case l.waits():
			lost, v = true, wrong(rule, "has not expired %d ticks after the last start, in %d runs in which a sleep was on time",
				lastTicks, realRuns)
		case v != nil || len(l.after) == 0:
		case l.after[0] < l.wait-early:
			v = wrong("exact", "expired after %v", l.after[0])
		case l.after[0] > l.wait+late:
			lost, v = true, wrong("exact", "expired after %v, in %d runs in which a sleep was on time", l.after[0], realRuns)
		}
	}
	r.late = lost
	return v
}

// linesAbout returns the lines that name a timer or the other one of an action, of events those alone, and the ticks between.
func linesAbout(lines []string, l *life) (about []string) {
	ids := fmt.Sprint(l.id)
	if l.other != nil {
		ids = fmt.Sprintf("(%d|%d)", l.id, l.other.id)
	}
	names := regexp.MustCompile(`(start |stop |action |restart \d+ |:)` + ids + `\b`).MatchString
	passed := 0 // ticks without an event
	for i := 0; i+1 < len(lines); i += 2 {
		asked, answer := lines[i], lines[i+1]
		if strings.HasPrefix(asked, "> tick") {
			answer = strings.Join(slices.DeleteFunc(strings.Fields(answer), func(word string) bool {
				return strings.Contains(word, ":") && !names(word)
			}), " ")
		}
		switch {
		case strings.HasPrefix(asked, "> tick") && !strings.Contains(answer, ":"):
			passed++
		case strings.HasPrefix(asked, "> tick") || asked == "> new" || names(asked):
			if passed > 0 {
				about, passed = append(about, fmt.Sprintf("> tick %d", passed), "< ok"), 0
			}
			about = append(about, asked, answer)
		}
	}
	return about
}
