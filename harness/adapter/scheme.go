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
	a             *Adapter
	live          map[schemes.Handle]bool // as far as is known; nil if the adapter knows
	ahead         []event                 // of ticks for which PerTick is to be called
	passed, until uint64                  // of these ticks
	expired       []event                 // since the last Expire
	acts          bool                    // an action is repeated
	answers       []string                // to its operations
}

// new makes the adapter forget everything.
func (a *Adapter) new(cfg schemes.Config) (schemes.Scheme, error) {
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
	set := func(word string, value any, is bool) {
		if is && a.Promises(word) {
			line += fmt.Sprintf(" %s=%v", word, value)
		}
	}
	set("now", cfg.Now, cfg.Now > 0)
	set("slots", cfg.Slots, cfg.Slots != 0)
	set("levels", strings.Trim(strings.ReplaceAll(fmt.Sprint(cfg.Levels), " ", ","), "[]"), len(cfg.Levels) > 0)
	switch answer := a.ask(line); {
	case strings.HasPrefix(answer, "error config"):
		return nil, fmt.Errorf("%s: %w: %s", a.Name, schemes.ErrConfig, answer)
	case answer != "ok":
		a.unexpected(line, answer)
	}
	if cfg.Now > 0 && !a.Promises("now") { // where roundings depend on the clock
		a.ask(fmt.Sprintf("tick %d", cfg.Now))
	}
	t := &timers{a: a}
	if !a.Promises("stale") {
		t.live = map[schemes.Handle]bool{}
	}
	if a.Promises("late") {
		return bounded{t}, nil
	}
	return t, nil
}

// bounded are timers that may be early or late.
type bounded struct{ *timers }

// Bound returns by how much a timer may be due before or after its deadline.
func (b bounded) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	return min(b.a.early, interval-1), b.a.late
}

// Transcript returns what was asked and answered since New.
func (t *timers) Transcript() []string { return slices.Clone(t.a.lines) }

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

// Start starts a timer, whose ID must not be that of another one.
func (t *timers) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return t.start(fmt.Sprintf("start %d %d", id, interval), interval, id)
}

// start starts or restarts a timer that is then called id. Numbers of the protocol are below 2^63.
func (t *timers) start(line string, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if interval > math.MaxInt64 {
		return 0, fmt.Errorf("%s: interval %d: %w", t.a.Name, interval, schemes.ErrInterval)
	}
	switch answer := t.do(line); {
	case answer == "ok":
		if t.live != nil {
			t.live[schemes.Handle(id)] = true
		}
	case answer == "error" && t.acts, strings.HasPrefix(answer, "error interval"):
		return 0, fmt.Errorf("%s: %w: %s", t.a.Name, schemes.ErrInterval, answer)
	case answer == "no" && strings.HasPrefix(line, "restart"):
		return 0, fmt.Errorf("%s: %w", t.a.Name, schemes.ErrHandle)
	default:
		t.a.unexpected(line, answer)
	}
	return schemes.Handle(id), nil
}

// unknown reports whether a handle names no timer, without asking.
func (t *timers) unknown(h schemes.Handle) bool {
	return h > math.MaxInt64 || t.live != nil && !t.live[h]
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

// Restart restarts a timer under its ID, if the adapter promises that.
func (t *timers) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	return t.RestartAs(h, interval, schemes.ID(h))
}

// RestartAs restarts a timer under another ID.
func (t *timers) RestartAs(h schemes.Handle, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if t.unknown(h) {
		return 0, fmt.Errorf("%s: %w", t.a.Name, schemes.ErrHandle)
	}
	fresh, err := t.start(fmt.Sprintf("restart %d %d %d", h, id, interval), interval, id)
	if err == nil && fresh != h {
		delete(t.live, h)
	}
	return fresh, err
}

// Action says what the action of a timer will do.
func (t *timers) Action(id schemes.ID, operations []string) {
	t.a.order(fmt.Sprintf("action %d %s", id, strings.Join(operations, "; ")))
}

// Ahead passes ticks at once.
func (t *timers) Ahead(ticks schemes.Tick) {
	t.passed, t.until = 0, uint64(ticks)
	t.ahead = t.take(fmt.Sprintf("tick %d", ticks), t.until)
}

// PerTick passes a tick, or one that Ahead has passed, and returns the number of timers that became due or expired.
func (t *timers) PerTick() (due int) {
	if t.a.Promises("pertick") {
		answer := t.a.ask("pertick")
		if _, err := fmt.Sscanf(answer, "ok %d", &due); err != nil || due < 0 {
			t.a.unexpected("pertick", answer)
		}
		return due
	}
	if t.passed == t.until {
		t.Ahead(1)
	}
	for t.passed++; len(t.ahead) > 0 && t.ahead[0].at == t.passed; due++ {
		t.expired, t.ahead = append(t.expired, t.ahead[0]), t.ahead[1:]
	}
	return due
}

// take asks for expiries, on as many ticks or, if 0, without a tick.
func (t *timers) take(line string, ticks uint64) []event {
	answer := t.a.ask(line)
	all := t.a.events(line, answer, 1)
	least := min(1, ticks)
	for _, e := range all {
		if e.at < least || e.at > ticks {
			t.a.unexpected(line, answer)
		}
		least = e.at
		delete(t.live, schemes.Handle(e.id))
	}
	return all
}

// Expire hands out what expired.
func (t *timers) Expire(action func(schemes.ID)) {
	if t.a.Promises("pertick") {
		t.expired = t.take("expire", 0)
	}
	defer func() { t.acts, t.expired = false, nil }()
	for _, e := range t.expired {
		t.acts, t.answers = true, e.answers
		action(schemes.ID(e.id))
		if len(t.answers) > 0 {
			t.a.process.fail("panic", "it answered %d operations more in the action of %d than that has", len(t.answers), e.id)
		}
	}
}
