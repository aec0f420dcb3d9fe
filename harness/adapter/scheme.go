package adapter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/schemes"
)

// timers is the library of an adapter as a scheme. A timer's handle is its ID, which names one timer at a time. Where the
// library has no steps of its own, PerTick passes the tick with all expiries, and Expire repeats them: the operations of
// actions have been done in the adapter then, and get the answers that they got there.
//
// Its methods panic with a *Failure if the adapter fails.
type timers struct {
	a       *Adapter
	live    map[schemes.Handle]bool // as far as is known; nil if the adapter knows
	ahead   []event                 // of ticks for which PerTick is to be called
	passed  uint64                  // of these ticks
	until   uint64                  // how many there are
	expired []event                 // since the last Expire
	answers []string                // to the operations of the action that is repeated
	acts    bool                    // an action is repeated
}

// event is an expiry, with the answers to the operations of its action.
type event struct {
	tick    uint64 // within a command
	id      schemes.ID
	answers []string
}

// new makes the adapter forget everything.
func (a *Adapter) new(cfg schemes.Config) (made schemes.Scheme, err error) {
	if f := a.process.failed; f != nil {
		if f.Rule == "hang" {
			a.patience = min(a.patience, time.Second) // for many programs may hang
		}
		if err := a.start(); err != nil {
			return nil, err
		}
	}
	a.lines = a.lines[:0]
	line := "new"
	add := func(promise, word string, value any, is bool) {
		if is && (promise == "" || a.promise(promise)) {
			line += fmt.Sprintf(" %s=%v", word, value)
		}
	}
	add("now", "now", cfg.Now, cfg.Now > 0)
	add("slots", "slots", cfg.Slots, cfg.Slots != 0)
	add("levels", "levels", strings.Trim(strings.ReplaceAll(fmt.Sprint(cfg.Levels), " ", ","), "[]"), len(cfg.Levels) > 0)
	switch answer := a.ask(line); {
	case strings.HasPrefix(answer, "error config"):
		return nil, fmt.Errorf("%s: %w: %s", a.Name, schemes.ErrConfig, answer)
	case answer != "ok":
		a.unexpected(line, answer)
	}
	if cfg.Now > 0 && !a.promise("now") { // where roundings depend on the clock
		a.ask(fmt.Sprintf("tick %d", cfg.Now))
	}
	t := &timers{a: a}
	if !a.promise("stale") {
		t.live = map[schemes.Handle]bool{}
	}
	restarts, bounds := a.promise("restart"), a.promise("late")
	switch {
	case restarts && bounds:
		return struct {
			*timers
			restart
			bound
		}{t, restart{t}, bound{a}}, nil
	case restarts:
		return struct {
			*timers
			restart
		}{t, restart{t}}, nil
	case bounds:
		return struct {
			*timers
			bound
		}{t, bound{a}}, nil
	}
	return t, nil
}

// Promises reports whether the adapter promises all of these words.
func (t *timers) Promises(words ...string) bool { return t.a.Promises(words...) }

// do sends an operation, or takes the answer that it got in the adapter.
func (t *timers) do(line string) string {
	if !t.acts {
		return t.a.ask(line)
	}
	if len(t.answers) == 0 {
		t.a.process.fail("panic", "it said nothing of %q in an action", line)
	}
	answer := t.answers[0]
	t.answers = t.answers[1:]
	return answer
}

// started reads the answer to a start or restart of a timer that is now called id.
func (t *timers) started(line, answer string, id schemes.ID) (schemes.Handle, error) {
	switch {
	case answer == "ok":
		if t.live != nil {
			t.live[schemes.Handle(id)] = true
		}
		return schemes.Handle(id), nil
	case answer == "error" && t.acts, strings.HasPrefix(answer, "error interval"):
		return 0, fmt.Errorf("%s: %w: %s", t.a.Name, schemes.ErrInterval, answer)
	case answer == "no" && strings.HasPrefix(line, "restart"):
		return 0, fmt.Errorf("%s: %w", t.a.Name, schemes.ErrHandle)
	}
	t.a.unexpected(line, answer)
	return 0, nil
}

// Start starts a timer, whose ID must not be that of another one. Numbers of the protocol are below 2^63.
func (t *timers) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval > math.MaxInt64 && !t.acts {
		return 0, fmt.Errorf("%s: interval %d: %w", t.a.Name, interval, schemes.ErrInterval)
	}
	line := fmt.Sprintf("start %d %d", id, interval)
	return t.started(line, t.do(line), id)
}

// unknown reports whether a handle names no timer, without asking.
func (t *timers) unknown(h schemes.Handle) bool {
	return !t.acts && (h > math.MaxInt64 || t.live != nil && !t.live[h])
}

// Stop stops a timer.
func (t *timers) Stop(h schemes.Handle) bool {
	if t.unknown(h) {
		return false
	}
	line := fmt.Sprintf("stop %d", h)
	answer := t.do(line)
	if answer != "yes" && answer != "no" {
		t.a.unexpected(line, answer)
	}
	delete(t.live, h)
	return answer == "yes"
}

// restart is the operation of an adapter that promises it.
type restart struct{ t *timers }

// Restart restarts a timer under its ID.
func (r restart) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	return r.t.RestartAs(h, interval, schemes.ID(h))
}

// RestartAs restarts a timer under another ID.
func (t *timers) RestartAs(h schemes.Handle, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	switch {
	case t.unknown(h):
		return 0, fmt.Errorf("%s: %w", t.a.Name, schemes.ErrHandle)
	case interval > math.MaxInt64 && !t.acts:
		return 0, fmt.Errorf("%s: interval %d: %w", t.a.Name, interval, schemes.ErrInterval)
	}
	line := fmt.Sprintf("restart %d %d %d", h, id, interval)
	fresh, err := t.started(line, t.do(line), id)
	if err == nil && fresh != h {
		delete(t.live, h)
	}
	return fresh, err
}

// bound is the error of an adapter that promises one.
type bound struct{ a *Adapter }

// Bound returns by how much a timer may be due before or after its deadline.
func (b bound) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	return min(b.a.Early, interval-1), b.a.Late
}

// Action says what the action of a timer will do.
func (t *timers) Action(id schemes.ID, operations []string) {
	line := fmt.Sprintf("action %d %s", id, strings.Join(operations, "; "))
	if answer := t.a.ask(line); answer != "ok" {
		t.a.unexpected(line, answer)
	}
}

// Ahead passes ticks at once.
func (t *timers) Ahead(ticks schemes.Tick) {
	t.ahead = t.take(fmt.Sprintf("tick %d", ticks), uint64(ticks))
	t.passed, t.until = 0, uint64(ticks)
}

// PerTick passes a tick, or one that Ahead has passed, and returns the number of timers that became due or expired.
func (t *timers) PerTick() (due int) {
	if t.a.promise("pertick") {
		answer := t.a.ask("pertick")
		if _, err := fmt.Sscanf(answer, "ok %d", &due); err != nil || due < 0 {
			t.a.unexpected("pertick", answer)
		}
		return due
	}
	if len(t.ahead) == 0 && t.passed == t.until {
		t.Ahead(1)
	}
	for t.passed++; len(t.ahead) > 0 && t.ahead[0].tick == t.passed; due++ {
		t.expired, t.ahead = append(t.expired, t.ahead[0]), t.ahead[1:]
	}
	return due
}

// take asks for expiries, on as many ticks or, if 0, without a tick.
func (t *timers) take(line string, ticks uint64) (all []event) {
	answer := t.a.ask(line)
	words := strings.Fields(answer)
	if len(words) == 0 || words[0] != "ok" {
		t.a.unexpected(line, answer)
	}
	for _, word := range words[1:] {
		text, answers, acted := strings.Cut(word, "=")
		e := event{tick: ticks}
		if ticks > 0 {
			var tick string
			tick, text, _ = strings.Cut(text, ":")
			e.tick, _ = number(tick)
		}
		id, err := number(text)
		if last := len(all) - 1; err != nil || e.tick > ticks || ticks > 0 && e.tick == 0 || last >= 0 && e.tick < all[last].tick {
			t.a.unexpected(line, answer)
		}
		if e.id = schemes.ID(id); acted {
			e.answers = strings.Split(answers, ",")
		}
		all = append(all, e)
		delete(t.live, schemes.Handle(id))
	}
	return all
}

// Expire hands out what expired.
func (t *timers) Expire(action func(schemes.ID)) {
	if t.a.promise("pertick") {
		t.expired = t.take("expire", 0)
	}
	defer func() { t.acts, t.expired = false, nil }()
	for _, e := range t.expired {
		t.acts, t.answers = true, e.answers
		action(e.id)
		if len(t.answers) > 0 {
			t.a.process.fail("panic", "it answered %d operations more in the action of %d than that has", len(t.answers), e.id)
		}
	}
}

// Transcript returns what was asked and answered since New.
func (t *timers) Transcript() []string { return slices.Clone(t.a.lines) }
