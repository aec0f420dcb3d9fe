package run

import (
	"errors"
	"fmt"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Drive takes one scheme through one trace on the virtual clock: on every tick
// PerTick, then Expire if timers are due, then the operations stamped with the
// tick, in order. Call Fill, then Run or a series of RunTo, then Verify.
type Drive struct {
	scheme    schemes.Scheme
	restarter schemes.Restarter // the scheme, if it is one
	bounded   *bounded          // of a scheme that trades precision, else nil
	trace     *workload.Trace
	handles   []schemes.Handle // by the client's timer number
	at        int              // the next operation
	now       schemes.Tick     // since the clock's start
	got       workload.Outcome
	due       dueTicks
	expired   func(schemes.ID) // made once, so that no tick allocates
}

// NewDrive returns a drive at the tick from which the trace runs, before any operation. It
// allocates the client's table of handles, 8 bytes per timer.
func NewDrive(s schemes.Scheme, t *workload.Trace) *Drive {
	d := &Drive{scheme: s, trace: t, handles: make([]schemes.Handle, t.Timers), now: t.From}
	d.restarter, _ = s.(schemes.Restarter)
	d.expired = func(id schemes.ID) {
		d.got.Expired++
		d.got.Checksum += workload.Mix(d.due.next(), id)
	}
	if b, ok := s.(schemes.Bounder); ok {
		d.bounded = &bounded{bound: b.Bound}
		d.expired = func(id schemes.ID) {
			d.got.Expired++
			d.bounded.expiries = append(d.bounded.expiries, expiry{d.due.next(), id})
		}
	}
	return d
}

// Fill applies the prefill: the timers that are outstanding in the steady state.
func (d *Drive) Fill() error { return d.apply(d.trace.Prefill) }

// Run advances to the trace's last tick. If w is nil, nothing is timed within the
// run and Expire follows every PerTick; otherwise see Watch.
func (d *Drive) Run(w Watch) error { return d.RunTo(d.trace.Ticks, w) }

// RunTo advances to a tick of the trace and applies its operations; at a tick that
// has passed it does nothing. Dividing a run changes its outcome in nothing, but the
// watch's laps end where a part does. For a tick past the end of the trace RunTo
// returns an error and does nothing.
func (d *Drive) RunTo(tick schemes.Tick, w Watch) error {
	if tick > d.trace.Ticks {
		return fmt.Errorf("tick %d is past the end of the trace (%d)", tick, d.trace.Ticks)
	}
	if d.bounded != nil {
		d.bounded.reserve(d.trace)
	}
	for d.at < len(d.trace.Ops) && d.trace.Ops[d.at].Tick <= tick {
		d.ticks(d.trace.Ops[d.at].Tick-d.now, w)
		if err := d.group(w); err != nil {
			return err
		}
	}
	if tick > d.now {
		d.ticks(tick-d.now, w)
	}
	return nil
}

// ticks advances the clock by n ticks, of which only the last may have operations.
func (d *Drive) ticks(n schemes.Tick, w Watch) {
	if w != nil && n > 0 {
		d.watchTicks(n, w)
		return
	}
	for range n {
		d.now++
		if due := d.scheme.PerTick(); due > 0 {
			d.due.add(d.now, due)
			d.scheme.Expire(d.expired)
		}
	}
}

// group applies the operations stamped with the present tick. Consecutive ones of the
// same kind are a lap.
func (d *Drive) group(w Watch) error {
	ops := d.trace.Ops
	for d.at < len(ops) && ops[d.at].Tick == d.now {
		first, kind := d.at, ops[d.at].Kind
		end := first + 1
		for end < len(ops) && ops[end].Tick == d.now && ops[end].Kind == kind {
			end++
		}
		if w != nil {
			w.Begin()
		}
		if err := d.apply(end); err != nil {
			return err
		}
		if w != nil {
			w.End(lapOf[kind], end-first)
		}
	}
	return nil
}

// apply applies the operations before end. A restart is one operation for a scheme that
// has it, and two for the others.
func (d *Drive) apply(end int) error {
	for ; d.at < end; d.at++ {
		op := &d.trace.Ops[d.at]
		if op.Kind == workload.Restart && d.restarter != nil {
			h, err := d.restarter.Restart(d.handles[op.Timer], op.Interval)
			if err == nil {
				d.stopped()
				d.started(op, h)
				continue
			}
			if d.bounded == nil || !errors.Is(err, schemes.ErrHandle) {
				return d.failed(op, err)
			} // else the timer expired early, and starts
		} else if op.Kind != workload.Start && d.scheme.Stop(d.handles[op.Timer]) {
			d.stopped()
		}
		if op.Kind == workload.Stop {
			continue
		}
		id := schemes.ID(op.Timer)
		if d.bounded != nil {
			id = schemes.ID(d.at)
		}
		h, err := d.scheme.Start(op.Interval, id)
		if err != nil {
			return d.failed(op, err)
		}
		d.started(op, h)
	}
	return nil
}

func (d *Drive) started(op *workload.Op, h schemes.Handle) {
	d.got.Started++
	d.handles[op.Timer] = h
}

// stopped records that the present operation ended a timer.
func (d *Drive) stopped() {
	d.got.Stopped++
	if d.bounded != nil {
		d.bounded.stopped[d.at] = true
	}
}

func (d *Drive) failed(op *workload.Op, err error) error {
	return fmt.Errorf("tick %d, timer %d: %w", d.now, op.Timer, err)
}

// Counts returns the operations of the scheme so far, if it counts them.
func (d *Drive) Counts() (counts schemes.Counts) {
	if c, ok := d.scheme.(schemes.Counter); ok {
		counts = c.Counts()
	}
	return counts
}

// Outcome returns the outcome of the run so far. For a scheme with a Bound the
// checksum is 0: its expiries fall on ticks of their own.
func (d *Drive) Outcome() workload.Outcome {
	got := d.got
	got.Outstanding = got.Started - got.Stopped - got.Expired
	return got
}

// Verify compares the outcome with the trace's, and the number of timers outstanding
// with the scheme's Len. An error means that a timer expired early, late, twice,
// never, or after its stop: no time measured on this run counts. A scheme with a
// Bound may be early and late by that.
func (d *Drive) Verify() error {
	if d.bounded != nil {
		return d.verifyBounded()
	}
	if got, want := d.Outcome(), d.trace.Want; got != want {
		return fmt.Errorf("outcome %+v, the trace's is %+v", got, want)
	}
	return d.agrees(d.trace.Want.Outstanding)
}

// agrees compares what the scheme reports about itself with what happened.
func (d *Drive) agrees(outstanding uint64) error {
	if d.due.any() {
		return errors.New("PerTick reported more due timers than Expire handed out")
	}
	if s, ok := d.scheme.(schemes.Sized); ok && uint64(s.Len()) != outstanding {
		return fmt.Errorf("Len is %d, but %d timers are outstanding", s.Len(), outstanding)
	}
	return nil
}
