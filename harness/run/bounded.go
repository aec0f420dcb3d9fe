package run

import (
	"errors"
	"fmt"
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// bounded drives a scheme that trades precision. Its timers expire on other ticks
// than the trace's: a stop may come after an early expiry and a timer's number
// may start again before a late one. So each lifetime has an ID of its own, the
// index of the operation that began it, and what happens is only written down,
// in order, which costs about what the checksum of an exact run does; verify
// then replays the trace.
type bounded struct {
	*Drive
	bounder  schemes.Bounder
	expiries []expiry
	ended    []bool // by operation: a Stop or Restart that ended a timer
}

// expiry is one timer handed out.
type expiry struct {
	tick schemes.Tick // since the clock's start
	id   schemes.ID
}

func newBounded(d *Drive, b schemes.Bounder) *bounded {
	v := &bounded{Drive: d, bounder: b}
	d.expired = func(id schemes.ID) {
		d.got.Expired++
		v.expiries = append(v.expiries, expiry{d.due.next(), id})
	}
	return v
}

// reserve makes room for the run: 16 bytes a lifetime, 1 an operation. It is
// made behind the prefill, so that the memory of a filled scheme can be told.
func (b *bounded) reserve() {
	if b.ended == nil {
		b.ended = make([]bool, len(b.trace.Ops))
		b.expiries = make([]expiry, 0, b.trace.Want.Started)
	}
}

// apply applies the operations before end.
func (b *bounded) apply(end int) error {
	for ; b.at < end; b.at++ {
		op := &b.trace.Ops[b.at]
		var err error
		switch op.Kind {
		case workload.Start:
			err = b.start(op)
		case workload.Stop:
			b.stop(op)
		case workload.Restart:
			err = b.restart(op)
		}
		if err != nil {
			return fmt.Errorf("tick %d, timer %d: %w", b.now, op.Timer, err)
		}
	}
	return nil
}

func (b *bounded) start(op *workload.Op) error {
	h, err := b.scheme.Start(op.Interval, schemes.ID(b.at))
	if err != nil {
		return err
	}
	b.handles[op.Timer] = h
	b.got.Started++
	return nil
}

func (b *bounded) stop(op *workload.Op) {
	if b.scheme.Stop(b.handles[op.Timer]) {
		b.ended[b.at] = true
		b.got.Stopped++
	}
}

// restart starts a timer that has expired early.
func (b *bounded) restart(op *workload.Op) error {
	if b.restarter == nil {
		b.stop(op)
		return b.start(op)
	}
	h, err := b.restarter.Restart(b.handles[op.Timer], op.Interval)
	switch {
	case errors.Is(err, schemes.ErrHandle):
		return b.start(op)
	case err != nil:
		return err
	}
	b.handles[op.Timer] = h
	b.ended[b.at] = true
	b.got.Started++
	b.got.Stopped++
	return nil
}

// verify demands of a finished run that the scheme started what the trace wants,
// that each timer either was stopped or expired once, within its bound, or is
// outstanding and not overdue, and that a stop was refused for an expired timer
// only. O(operations), 12 bytes each.
func (b *bounded) verify() error {
	if b.at < len(b.trace.Ops) || b.now < b.trace.Ticks {
		return fmt.Errorf("the run is at tick %d, the trace ends at %d", b.now, b.trace.Ticks)
	}
	if got, want := b.got.Started, b.trace.Want.Started; got != want {
		return fmt.Errorf("%d timers started, the trace starts %d", got, want)
	}
	r := &boundedReplay{bounded: b, expiry: make([]schemes.Tick, len(b.trace.Ops)), begun: make([]uint32, len(b.trace.Ops))}
	outstanding, err := r.run()
	if err != nil {
		return err
	}
	if o := b.Outcome(); o.Outstanding != outstanding {
		return fmt.Errorf("%d started, %d stopped, %d expired: %d timers should be outstanding, not %d", o.Started, o.Stopped, o.Expired, o.Outstanding, outstanding)
	}
	return b.agrees(outstanding)
}

// boundedReplay goes through the operations again, knowing all that happened.
type boundedReplay struct {
	*bounded
	expiry []schemes.Tick // by ID; 0: none
	begun  []uint32       // by ID, of timers not stopped: the operation that the interval is from, +1
}

// run returns how many timers are outstanding in the end.
func (r *boundedReplay) run() (outstanding uint64, err error) {
	if err := r.collect(); err != nil {
		return 0, err
	}
	current := make([]uint32, r.trace.Timers) // ID by the client's timer number
	for i := range r.trace.Ops {
		if err := r.replay(i, &current[r.trace.Ops[i].Timer]); err != nil {
			return 0, err
		}
	}
	for id, op := range r.begun {
		if op == 0 {
			continue
		}
		if err := r.judge(id, &r.trace.Ops[op-1]); err != nil {
			return 0, err
		}
		if r.expiry[id] == 0 {
			outstanding++
		}
	}
	return outstanding, nil
}

// collect sorts the expiries by ID.
func (r *boundedReplay) collect() error {
	for _, e := range r.expiries {
		if uint64(e.id) >= uint64(len(r.trace.Ops)) || r.trace.Ops[e.id].Kind == workload.Stop {
			return fmt.Errorf("tick %d: ID %d expired, which was never started", e.tick, e.id)
		}
		if e.tick == 0 || r.expiry[e.id] != 0 {
			return fmt.Errorf("tick %d: ID %d expired twice, or on a tick on which PerTick said nothing was due", e.tick, e.id)
		}
		r.expiry[e.id] = e.tick
	}
	return nil
}

// replay goes through the i-th operation; current is the ID that its timer's
// number stands for.
func (r *boundedReplay) replay(i int, current *uint32) error {
	op := &r.trace.Ops[i]
	fused := false
	if op.Kind != workload.Start {
		fused = op.Kind == workload.Restart && r.ended[i] && r.restarter != nil
		if err := r.end(i, *current, fused); err != nil {
			return err
		}
	}
	switch {
	case fused: // the timer keeps its ID
		r.begun[*current] = uint32(i) + 1
	case op.Kind != workload.Stop:
		*current = uint32(i)
		r.begun[i] = uint32(i) + 1
	}
	return nil
}

// end checks that the i-th operation ended the timer with this ID or came too
// late for it.
func (r *boundedReplay) end(i int, id uint32, fused bool) error {
	now, expiry := r.trace.Ops[i].Tick, r.expiry[id]
	switch {
	case r.ended[i] && expiry != 0 && (!fused || expiry <= now):
		return fmt.Errorf("ID %d expired on tick %d and was stopped on tick %d", id, expiry, now)
	case !r.ended[i] && (expiry == 0 || expiry > now):
		return fmt.Errorf("tick %d: ID %d was outstanding but could not be stopped", now, id)
	case r.ended[i]:
		r.begun[id] = 0
	}
	return nil
}

// judge checks when a timer expired that op began and nothing stopped.
func (r *boundedReplay) judge(id int, op *workload.Op) error {
	early, late := r.bounder.Bound(op.Interval)
	deadline := op.Tick + op.Interval
	first, last := deadline-min(early, op.Interval-1), deadline+min(late, math.MaxUint64-deadline)
	switch expiry := r.expiry[id]; {
	case expiry == 0 && last <= r.now:
		return fmt.Errorf("ID %d, started on tick %d for %d ticks, never expired; its bound ended on tick %d", id, op.Tick, op.Interval, last)
	case expiry != 0 && (expiry < first || expiry > last):
		return fmt.Errorf("ID %d, started on tick %d for %d ticks, expired on tick %d; its bound is %d to %d", id, op.Tick, op.Interval, expiry, first, last)
	}
	return nil
}
