package workload

import (
	"errors"
	"fmt"

	"timerlab/schemes"
)

// errTrace is wrapped by the errors about a Trace.
var errTrace = errors.New("broken trace")

// broken makes an error that wraps errTrace.
func broken(format string, args ...any) error {
	return fmt.Errorf("workload: %w: %s", errTrace, fmt.Sprintf(format, args...))
}

// Check replays the operations against nothing but each timer's deadline, and
// returns an error wrapping errTrace, naming the operation, if one is out of
// order or impossible, or if the trace says of itself what is not so (Want,
// Prefill, Timers, Longest, Hash). It uses no knowledge of how a trace is made.
// O(Ops) time, 8 bytes a timer.
func (t *Trace) Check() error {
	if t.Timers < 0 || t.Timers > len(t.Ops) {
		return broken("Timers = %d, with %d operations", t.Timers, len(t.Ops))
	}
	r := replay{trace: t, deadlines: make([]schemes.Tick, t.Timers)}
	for i, op := range t.Ops {
		if err := r.apply(i, op); err != nil {
			return broken("operation %d (tick %d, %v %d): %v", i, op.Tick, op.Kind, op.Timer, err)
		}
	}
	return r.finish()
}

// replay is the state of a Check.
type replay struct {
	trace     *Trace
	deadlines []schemes.Tick // by timer: the tick of its expiry; 0 if it was never started or was stopped
	longest   schemes.Tick
	got       Outcome
}

// apply checks and applies the i-th operation.
func (r *replay) apply(i int, op Op) error {
	if err := r.placed(i, op); err != nil {
		return err
	}
	deadline := &r.deadlines[op.Timer]
	if outstanding := *deadline > op.Tick; outstanding != (op.Kind != Start) {
		return fmt.Errorf("the timer is outstanding: %v", outstanding)
	}
	if op.Kind == Start {
		r.expire(op.Timer)
	} else {
		r.got.Stopped++
		*deadline = 0
	}
	if op.Kind != Stop {
		r.got.Started++
		r.longest = max(r.longest, op.Interval)
		*deadline = op.Tick + op.Interval
	}
	return nil
}

// placed checks what can be said of an operation without the others' effects.
func (r *replay) placed(i int, op Op) error {
	t := r.trace
	switch {
	case op.Kind > Start:
		return errors.New("unknown kind")
	case int64(op.Timer) >= int64(t.Timers):
		return fmt.Errorf("timers are 0 to %d", t.Timers-1)
	case (op.Interval == 0) != (op.Kind == Stop):
		return fmt.Errorf("interval %d", op.Interval)
	case op.Interval > never-op.Tick:
		return fmt.Errorf("interval %d leads past the clock's end", op.Interval)
	case op.Tick > t.Ticks:
		return fmt.Errorf("the run ends at %d", t.Ticks)
	case op.Tick%max(1, t.Spec.Every) != 0:
		return fmt.Errorf("operations are at multiples of %d", t.Spec.Every)
	case i > 0 && t.Ops[i-1].key() > op.key():
		return errors.New("out of order")
	case (i < t.Prefill) != (op.Tick == 0):
		return fmt.Errorf("the first %d operations, and no others, are at tick 0", t.Prefill)
	}
	return nil
}

// expire counts the expiry of a timer that has one behind it.
func (r *replay) expire(timer uint32) {
	if deadline := r.deadlines[timer]; deadline > 0 {
		r.got.Expired++
		r.got.Checksum += Mix(deadline, schemes.ID(timer))
	}
}

// finish ends the run and compares.
func (r *replay) finish() error {
	t := r.trace
	for timer, deadline := range r.deadlines {
		if deadline > t.Ticks {
			r.got.Outstanding++
		} else {
			r.expire(uint32(timer))
		}
	}
	switch {
	case t.Prefill > len(t.Ops):
		return broken("Prefill = %d, with %d operations", t.Prefill, len(t.Ops))
	case r.got != t.Want:
		return broken("Want = %+v, the operations come to %+v", t.Want, r.got)
	case r.longest != t.Longest:
		return broken("Longest = %d, the longest interval is %d", t.Longest, r.longest)
	case hash(t.Ops, t.Ticks) != t.Hash:
		return broken("Hash = %#x, the operations hash to %#x", t.Hash, hash(t.Ops, t.Ticks))
	}
	return nil
}
