package schemetest

import (
	"fmt"
	"strings"

	"timerlab/schemes"
)

// label names the timer that one start of a program makes; it is printed as h1,
// h2 and so on. Operations refer to timers by label, not by position, so that a
// program still means the same after some of its operations were dropped. 0 is
// no timer.
type label int

// verb is what an operation does.
type verb uint8

const (
	start   verb = iota // Start(ticks, id), the timer is called label
	stop                // Stop(target)
	restart             // Restart(target, ticks), the new timer is called label; skipped if the scheme has none
	perTick             // PerTick, ticks times
	advance             // Advance(ticks); skipped if the scheme has none
	next                // Next; skipped if the scheme has none
	expire              // Expire
	boom                // panic, in an action only
)

// op is one operation of a program.
type op struct {
	verb   verb
	label  label        // start, restart: the timer made
	ticks  schemes.Tick // start, restart: the interval; perTick: how often; advance: max
	id     schemes.ID   // start
	target target       // stop, restart
	action []op         // start: what the timer's action does when it is handed out
}

// target says which handle an operation is given: the one of a timer, with some
// bits flipped, or, without a label, the bits themselves.
type target struct {
	label label
	bits  schemes.Handle
}

// program is a list of operations on a scheme made with cfg.
type program struct {
	cfg schemes.Config
	ops []op
}

// handle is the handle that t means, of being the handle of its label.
func (t target) handle(of schemes.Handle) schemes.Handle { return of ^ t.bits }

func (t target) String() string {
	switch {
	case t.label == 0 && t.bits == 0:
		return "the zero handle"
	case t.label == 0:
		return fmt.Sprintf("handle %#x", uint64(t.bits))
	case t.bits == 0:
		return fmt.Sprintf("h%d", t.label)
	}
	return fmt.Sprintf("h%d with bits %#x flipped", t.label, uint64(t.bits))
}

// String is the operation without its result.
func (o *op) String() string {
	switch o.verb {
	case start:
		return fmt.Sprintf("Start(interval %d, id %d)", o.ticks, o.id)
	case stop:
		return fmt.Sprintf("Stop(%v)", o.target)
	case restart:
		return fmt.Sprintf("Restart(%v, interval %d)", o.target, o.ticks)
	case perTick:
		if o.ticks == 1 {
			return "PerTick()"
		}
		return fmt.Sprintf("%d times PerTick()", o.ticks)
	case advance:
		return fmt.Sprintf("Advance(%d)", o.ticks)
	case next:
		return "Next()"
	case expire:
		return "Expire()"
	}
	return "panic"
}

// describe is cfg without the fields that are zero, except the clock.
func describe(cfg schemes.Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "New(Now %d", cfg.Now)
	if cfg.Capacity != 0 {
		fmt.Fprintf(&b, ", Capacity %d", cfg.Capacity)
	}
	if cfg.Slots != 0 {
		fmt.Fprintf(&b, ", Slots %d", cfg.Slots)
	}
	if cfg.Levels != nil {
		fmt.Fprintf(&b, ", Levels %v", cfg.Levels)
	}
	return b.String() + ")"
}

// writer builds the program of a rule: it deals the labels, and gives every
// timer its label as ID.
type writer struct {
	program
	last label
}

func write(cfg schemes.Config) *writer { return &writer{program: program{cfg: cfg}} }

// start appends a start and returns the timer's label.
func (w *writer) start(interval schemes.Tick, action ...op) label {
	o := w.later(interval, action...)
	w.ops = append(w.ops, o)
	return o.label
}

// startID is start with an ID of its own.
func (w *writer) startID(interval schemes.Tick, id schemes.ID) label {
	o := w.later(interval)
	o.id = id
	w.ops = append(w.ops, o)
	return o.label
}

// later makes a start that the caller puts into an action.
func (w *writer) later(interval schemes.Tick, action ...op) op {
	w.last++
	return op{verb: start, label: w.last, ticks: interval, id: schemes.ID(w.last), action: action}
}

// restarting makes a restart; the caller appends it or puts it into an action.
func (w *writer) restarting(l label, interval schemes.Tick) op {
	w.last++
	return op{verb: restart, label: w.last, ticks: interval, target: target{label: l}}
}

func (w *writer) add(ops ...op)             { w.ops = append(w.ops, ops...) }
func (w *writer) stop(l label)              { w.add(stopping(l)) }
func (w *writer) stopBits(h schemes.Handle) { w.add(op{verb: stop, target: target{bits: h}}) }
func (w *writer) tick(n schemes.Tick)       { w.add(op{verb: perTick, ticks: n}) }
func (w *writer) advance(most schemes.Tick) { w.add(op{verb: advance, ticks: most}) }
func (w *writer) expire()                   { w.add(op{verb: expire}) }
func (w *writer) tickExpire(n schemes.Tick) { w.tick(n); w.expire() }
func (w *writer) flip(l label, b schemes.Handle) {
	w.add(op{verb: stop, target: target{label: l, bits: b}})
}

func stopping(l label) op { return op{verb: stop, target: target{label: l}} }
