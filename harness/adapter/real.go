package adapter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
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
			r.start(1 + rand.N[schemes.Tick](20))
			r.pass(rand.N[schemes.Tick](2))
		}
	}},
	{"stop", "", func(r *realRun) {
		for range 40 {
			r.start(4 + rand.N[schemes.Tick](10))
		}
		r.pass(1)
		for _, i := range rand.Perm(40)[:20] {
			r.stop(r.lives[i])
		}
	}},
	{"stop-stale", "stale", func(r *realRun) {
		for range 20 {
			r.start(1 + rand.N[schemes.Tick](3))
		}
		r.pass(8)
		for _, l := range r.lives {
			r.stop(l)
			r.stop(r.start(5))
			r.stop(l)
		}
	}},
	{"expire", "", func(r *realRun) {
		for range 300 {
			r.start(3)
		}
	}},
	{"stop-sibling", "action", func(r *realRun) {
		for range 10 {
			a, b := r.start(3), r.start(3)
			r.action(a, "stop", b)
			r.action(b, "stop", a)
		}
	}},
	{"expire-start", "action", func(r *realRun) {
		for range 20 {
			r.action(r.start(1+rand.N[schemes.Tick](4)), "start", r.life(1+rand.N[schemes.Tick](6)))
		}
	}},
	{"restart", "restart", func(r *realRun) {
		for range 20 {
			r.start(6 + rand.N[schemes.Tick](4))
		}
		r.pass(1)
		for _, l := range r.lives {
			r.restart(l, 1+rand.N[schemes.Tick](12))
		}
	}},
	{"model", "", func(r *realRun) {
		for range 60 {
			switch l := r.start(1 + rand.N[schemes.Tick](12)); rand.N(5) {
			case 0:
				r.pass(1)
			case 1:
				r.stop(l)
			case 2:
				r.stopAny()
			case 3:
				if r.a.promise("restart") {
					r.restart(l, 1+rand.N[schemes.Tick](12))
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
		if o.promise != "" && !a.promise(o.promise) {
			v.Lacks = o.promise
		}
		for known := true; v.Lacks == "" && v.Violation == nil && v.Programs < realPrograms && known; v.Programs++ {
			if v.Violation, known = a.tryReal(o); !known {
				v.Programs = -1 // and so 0: the rule was not checked
			}
		}
		all = append(all, v)
	}
	return all
}

// tryReal tries a program. If all that is wrong are timers that are late, it tries again, as the machine may be busy; if it
// always is, nothing is known.
func (a *Adapter) tryReal(o realRule) (v *schemetest.Violation, known bool) {
	for runs, late := 0, 0; runs < mostRuns; runs++ {
		r := &realRun{a: a}
		if v = r.run(o); v == nil || !r.late {
			return v, true
		}
		if r.onTime {
			late++
		}
		if late == realRuns {
			return v, true
		}
	}
	return nil, false
}

// realRun is a run of a program.
type realRun struct {
	a      *Adapter
	lives  []*life
	byID   map[uint64]*life
	onTime bool // the adapter's own sleeps were
	late   bool // the violation is a timer that was late, or has not expired
}

// life is a timer from its start, or restart, to its end.
type life struct {
	id       uint64
	interval schemes.Tick
	began    time.Time // just before it was started; zero: in an action, if at all
	started  bool
	stopped  bool            // a stop answered yes, or a restart ok
	after    []time.Duration // its expiries, since it started
	acts     func(answer string)
	told     time.Time // when what it acts had been said
	other    uint64    // the timer that its action names, or the one whose action names it
}

func (r *realRun) run(o realRule) (v *schemetest.Violation) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case *Failure:
			v = r.violation(f.Rule, f.Got, nil)
		case *schemetest.Violation:
			v = f
		default:
			panic(f)
		}
	}()
	r.byID, r.onTime = map[uint64]*life{}, true
	_, err := r.a.new(schemes.Config{})
	r.require(err == nil, "panic", nil, "%v", err)
	o.write(r)
	r.pass(lastTicks + schemes.Tick(r.a.late/r.a.Tick))
	return r.judge(o.rule)
}

func (r *realRun) violation(rule, got string, about []uint64) *schemetest.Violation {
	lines := r.a.lines[max(0, len(r.a.lines)-12):] // the last ones, where no timer is named
	if about != nil {
		lines = linesAbout(r.a.lines, about)
	}
	return &schemetest.Violation{Scheme: r.a.Name, Rule: rule, Sentence: schemetest.RuleNamed(rule).Sentence, Got: got, Trail: slices.Clone(lines)}
}

func (r *realRun) require(ok bool, rule string, about []uint64, format string, args ...any) {
	if !ok {
		panic(r.violation(rule, fmt.Sprintf(format, args...), about))
	}
}

// life returns a timer that has not started.
func (r *realRun) life(interval schemes.Tick) *life {
	longest := r.a.Info().Range(schemes.Config{})
	l := &life{id: uint64(len(r.byID) + 1), interval: min(interval, longest)}
	r.byID[l.id] = l
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

func (r *realRun) start(interval schemes.Tick) *life {
	l := r.life(interval)
	r.begin(l, "start %d %d", l.id, l.interval)
	r.lives = append(r.lives, l)
	return l
}

// surelyWaits reports whether a timer cannot have been due yet, nor is early by a tick, which the rule exact is about.
func (r *realRun) surelyWaits(l *life) bool {
	return !l.stopped && l.started && time.Since(l.began) < r.ticks(l.interval-1)-r.a.early
}

// ended judges whether a stop or restart found a timer.
func (r *realRun) ended(l *life, found bool) {
	if gone := l.stopped || len(l.after) > 0; found {
		r.require(!gone, "stop-stale", []uint64{l.id}, "timer %d had ended", l.id)
		l.stopped = true
		return
	}
	r.require(!r.surelyWaits(l), "stop", []uint64{l.id}, "timer %d was not due for %v", l.id,
		r.ticks(l.interval)-time.Since(l.began))
}

func (r *realRun) stop(l *life) {
	if r.a.promise("stale") || !l.stopped && len(l.after) == 0 {
		r.ended(l, r.a.ask(fmt.Sprintf("stop %d", l.id)) == "yes")
	}
}

func (r *realRun) stopAny() { r.stop(r.lives[rand.N(len(r.lives))]) }

func (r *realRun) restart(l *life, interval schemes.Tick) {
	if l.stopped || len(l.after) > 0 {
		return
	}
	next := r.life(interval)
	r.begin(next, "restart %d %d %d", l.id, next.id, next.interval)
	r.ended(l, next.started)
}

// action says that a timer's action starts another one, or stops it.
func (r *realRun) action(l *life, verb string, other *life) {
	operation := fmt.Sprintf("%s %d", verb, other.id)
	if verb == "start" {
		operation += fmt.Sprintf(" %d", other.interval)
	}
	answer := r.a.ask(fmt.Sprintf("action %d %s", l.id, operation))
	r.require(answer == "ok", "panic", []uint64{l.id}, "action: %s", answer)
	l.told, l.other, other.other = time.Now(), other.id, l.id
	l.acts = func(answer string) {
		switch {
		case verb == "start":
			other.started = answer == "ok"
		case answer == "yes":
			other.stopped = true
		}
	}
}

// pass lets ticks pass, one by one, so that a pause of the machine is noticed by the control of its tick.
func (r *realRun) pass(ticks schemes.Tick) {
	for range ticks {
		r.tick()
	}
}

// tick lets a tick pass and notes what expired.
func (r *realRun) tick() {
	const line = "tick 1"
	answer := r.a.ask(line)
	words := strings.Fields(answer)
	var late int
	if len(words) < 2 || words[0] != "ok" {
		r.a.unexpected(line, answer)
	}
	if _, err := fmt.Sscanf(words[1], "@%d", &late); err != nil {
		r.a.unexpected(line, answer)
	}
	r.onTime = r.onTime && time.Duration(late)*time.Microsecond < r.a.Tick/2
	for _, word := range words[2:] {
		text, answers, acted := strings.Cut(word, "=")
		us, name, is := strings.Cut(text, ":")
		after, err := strconv.ParseInt(us, 10, 64)
		id, err2 := number(name)
		if !is || err != nil || err2 != nil {
			r.a.unexpected(line, answer)
		}
		l := r.byID[id]
		r.require(l != nil, "expire", []uint64{id}, "timer %d expired, which was never started", id)
		l.after = append(l.after, time.Duration(after)*time.Microsecond)
		if acted && l.acts != nil {
			l.acts(answers)
		}
		r.require(acted || l.acts == nil || l.began.Add(l.after[0]).Before(l.told), "expire-start", []uint64{id, l.other},
			"the action of timer %d was not done", id)
	}
}

func (r *realRun) ticks(n schemes.Tick) time.Duration { return time.Duration(n) * r.a.Tick }

// judge returns what is wrong with the lives, first what is worse than a timer that is early or late. Where the rule is not
// about that, a timer may be off by a tick more.
func (r *realRun) judge(rule string) (v *schemetest.Violation) {
	ids := make([]uint64, 0, len(r.byID))
	for id := range r.byID {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	slack := r.a.Tick
	if rule == "exact" {
		slack = 0
	}
	for _, id := range ids {
		l := r.byID[id]
		wrong := func(rule, format string, args ...any) *schemetest.Violation {
			return r.violation(rule, fmt.Sprintf("timer %d, of %v, ", id, r.ticks(l.interval))+fmt.Sprintf(format, args...), []uint64{id, l.other})
		}
		earliest, latest := r.ticks(l.interval)-r.a.early-slack, r.ticks(l.interval+1)+r.a.late+slack
		switch {
		case !l.started && len(l.after) > 0:
			return wrong("expire", "expired without a start")
		case l.stopped && len(l.after) > 0:
			r.late = false
			return wrong(rule, "expired though it was stopped")
		case len(l.after) > 1:
			r.late = false
			return wrong("expire", "expired %d times", len(l.after))
		case l.started && !l.stopped && len(l.after) == 0:
			r.late, v = true, wrong(rule, "has not expired %d ticks after the last start, in %d runs in which a sleep was on time",
				lastTicks, realRuns)
		case v != nil || len(l.after) == 0:
		case l.after[0] < earliest:
			v = wrong("exact", "expired after %v", l.after[0])
		case l.after[0] > latest:
			r.late, v = true, wrong("exact", "expired after %v, in %d runs in which a sleep was on time", l.after[0], realRuns)
		}
	}
	return v
}

// linesAbout returns the lines that name one of these timers, of events those alone, and the ticks between.
func linesAbout(lines []string, ids []uint64) (about []string) {
	names := func(text string) bool {
		for operation := range strings.SplitSeq(text, ";") {
			words := strings.FieldsFunc(operation, func(r rune) bool { return r < '0' || r > '9' })
			if strings.Contains(operation, "start") {
				words = words[:len(words)-1] // without the interval
			}
			if slices.ContainsFunc(words, func(word string) bool {
				id, _ := number(word)
				return slices.Contains(ids, id)
			}) {
				return true
			}
		}
		return false
	}
	passed := 0 // ticks without an event
	for i := 0; i+1 < len(lines); i += 2 {
		asked, answer := lines[i], lines[i+1]
		tick := strings.HasPrefix(asked, "> tick")
		if tick {
			answer = strings.Join(slices.DeleteFunc(strings.Fields(answer), func(word string) bool {
				_, event, is := strings.Cut(word, ":")
				id, _, _ := strings.Cut(event, "=")
				return is && !names(id)
			}), " ")
			if !strings.Contains(answer, ":") {
				passed++
				continue
			}
		}
		if tick || strings.HasPrefix(asked, "> new") || names(asked) {
			if passed > 0 {
				about, passed = append(about, fmt.Sprintf("> tick %d", passed), "< ok"), 0
			}
			about = append(about, asked, answer)
		}
	}
	return about
}
