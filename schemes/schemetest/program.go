package schemetest

import (
	"fmt"
	"slices"

	"timerlab/schemes"
)

// label names the timer that one start of a program makes; it is printed as h1, h2 and so on. Operations refer
// to timers by label, not by position, so that a program still means the same after some of its operations were
// dropped. 0 is no timer.
type label int

type verb uint8

const (
	opStart   verb = iota // Start(ticks, id), the timer is called label
	opStop                // Stop(target)
	opRestart             // Restart(target, ticks), the new timer is called label; skipped if the scheme has none
	opPerTick             // PerTick, ticks times
	opAdvance             // Advance(ticks); skipped if the scheme has none
	opExpire              // Expire
	opPanic               // panic, in an action only
)

type op struct {
	verb   verb
	label  label        // start, restart: the timer made
	ticks  schemes.Tick // start, restart: the interval; perTick: how often; advance: max
	id     schemes.ID   // start
	target target       // stop, restart
	action []op         // start: what the timer's action does when it is handed out
}

// lines is the program without results: New, then one line for each operation.
func (p *program) lines() []string {
	all := []string{p.setting.String()}
	for i := range p.ops {
		all = append(all, p.ops[i].String())
	}
	return all
}

// target says which handle an operation is given: the one of a timer, with some
// bits flipped, or, without a label, the bits themselves.
type target struct {
	label label
	bits  schemes.Handle
}

// program is operations on the scheme of a setting. Its methods add operations: they deal the labels, and
// give every timer its label as ID.
type program struct {
	setting
	ops  []op
	last label
}

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

func (o *op) String() string {
	switch o.verb {
	case opStart:
		return fmt.Sprintf("Start(interval %d, id %d)", o.ticks, o.id)
	case opStop:
		return fmt.Sprintf("Stop(%v)", o.target)
	case opRestart:
		return fmt.Sprintf("Restart(%v, interval %d)", o.target, o.ticks)
	case opPerTick:
		if o.ticks == 1 {
			return "PerTick()"
		}
		return fmt.Sprintf("%d times PerTick()", o.ticks)
	case opAdvance:
		return fmt.Sprintf("Advance(%d)", o.ticks)
	case opExpire:
		return "Expire()"
	}
	return "panic"
}

// write returns the program that text writes for a setting.
func write(c setting, text func(*program)) program {
	p := program{setting: c}
	text(&p)
	return p
}

func (w *program) start(interval schemes.Tick, action ...op) label {
	return w.startID(interval, schemes.ID(w.last)+1, action...)
}

func (w *program) startID(interval schemes.Tick, id schemes.ID, action ...op) label {
	o := w.later(interval, action...)
	o.id = id
	w.add(o)
	return o.label
}

func (w *program) startAll(intervals ...schemes.Tick) (all []label) {
	for _, interval := range intervals {
		all = append(all, w.start(interval))
	}
	return all
}

// group starts n timers that are due together, the k-th with the action that f
// makes from its number and the labels of all.
func (w *program) group(n int, interval schemes.Tick, f func(k int, all []label) []op) []label {
	first := len(w.ops)
	all := w.startAll(slices.Repeat([]schemes.Tick{interval}, n)...)
	for k := range n {
		w.ops[first+k].action = f(k, all)
	}
	return all
}

// later makes a start that the caller puts into an action.
func (w *program) later(interval schemes.Tick, action ...op) op {
	w.last++
	return op{verb: opStart, label: w.last, ticks: interval, id: schemes.ID(w.last), action: action}
}

func (w *program) add(ops ...op)             { w.ops = append(w.ops, ops...) }
func (w *program) stop(l label)              { w.add(stopping(l)) }
func (w *program) stopBits(h schemes.Handle) { w.flip(0, h) }
func (w *program) tick(n schemes.Tick)       { w.add(op{verb: opPerTick, ticks: n}) }
func (w *program) advance(most schemes.Tick) { w.add(op{verb: opAdvance, ticks: most}) }
func (w *program) expire()                   { w.add(op{verb: opExpire}) }
func (w *program) tickExpire(n schemes.Tick) { w.tick(n); w.expire() }
func (w *program) flip(l label, b schemes.Handle) {
	w.add(op{verb: opStop, target: target{label: l, bits: b}})
}

func stopping(l label) op { return op{verb: opStop, target: target{label: l}} }
