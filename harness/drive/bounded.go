package drive

import (
	"fmt"
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// bounded is the history of a scheme that trades precision. Its timers expire on other
// ticks than the trace's: a stop may come after an early expiry, and a timer's number
// may start again before a late one. So each lifetime has its own ID, the index of the
// operation that began it. Events are only recorded in order during the run, which
// costs about as much as an exact run's checksum; verifyBounded then replays the trace.
type bounded struct {
	bound     func(schemes.Tick) (early, late schemes.Tick)
	expiries  []expiry
	stopped   []bool // by operation: a Stop or Restart that ended a timer
	pastFirst bool   // the drive is past the first piece of its stream
}

// expiry is one timer handed out.
type expiry struct {
	tick schemes.Tick // since the clock's start
	id   schemes.ID
}

// reserve allocates the history of a run: 16 bytes per lifetime, 1 per operation. It
// happens after the prefill, so that the memory of a filled scheme can be measured.
func (b *bounded) reserve(t *workload.Trace) {
	if b.stopped == nil {
		b.stopped = make([]bool, len(t.Ops))
		b.expiries = make([]expiry, 0, t.Want.Started)
	}
}

// verifyBounded requires of a finished run that the scheme started the timers that the
// trace starts, that each timer either was stopped, or expired once within its bound,
// or is outstanding and not overdue, and that a stop was refused for an expired timer
// only. O(operations), 12 bytes each.
func (d *Drive) verifyBounded() error {
	ops := len(d.trace.Ops)
	if d.at < ops || d.now < d.trace.Ticks {
		return fmt.Errorf("the run is at tick %d, the trace ends at %d", d.now, d.trace.Ticks)
	}
	if d.bounded.pastFirst {
		return d.checkSize(d.Outcome().Outstanding)
	}
	if got, want := d.got.Started, d.trace.Want.Started; got != want {
		return fmt.Errorf("%d timers started, the trace starts %d", got, want)
	}
	r := &replay{
		Drive:  d,
		expiry: make([]schemes.Tick, ops), begun: make([]uint32, ops), current: make([]uint32, d.trace.Timers),
	}
	outstanding, err := r.run()
	if err != nil {
		return err
	}
	if o := d.Outcome(); o.Outstanding != outstanding {
		return fmt.Errorf("%d started, %d stopped, %d expired: %d timers should be outstanding, not %d",
			o.Started, o.Stopped, o.Expired, o.Outstanding, outstanding)
	}
	return d.checkSize(outstanding)
}

// replay repeats the operations of a run whose history is known.
type replay struct {
	*Drive
	expiry  []schemes.Tick // by ID; 0: it did not expire
	begun   []uint32       // by ID, of timers not stopped: the operation that the interval is from, +1
	current []uint32       // ID by the client's timer number
}

// run returns how many timers are outstanding at the end.
func (r *replay) run() (outstanding uint64, err error) {
	for _, e := range r.bounded.expiries {
		if err := r.expire(e); err != nil {
			return 0, err
		}
	}
	for i := range r.trace.Ops {
		if err := r.repeat(i); err != nil {
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

// expire records when an ID expired.
func (r *replay) expire(e expiry) error {
	if uint64(e.id) >= uint64(len(r.trace.Ops)) || r.trace.Ops[e.id].Kind == workload.Stop {
		return fmt.Errorf("tick %d: ID %d expired, which was never started", e.tick, e.id)
	}
	if e.tick == 0 || r.expiry[e.id] != 0 {
		return fmt.Errorf("tick %d: ID %d expired twice, or when PerTick had reported nothing due", e.tick, e.id)
	}
	r.expiry[e.id] = e.tick
	return nil
}

// repeat repeats the i-th operation, and checks that it ended its timer's present lifetime
// or came too late for that. A restart in one operation keeps the ID.
func (r *replay) repeat(i int) error {
	op, stopped := &r.trace.Ops[i], r.bounded.stopped[i]
	current := &r.current[op.Timer]
	fused := stopped && op.Kind == workload.Restart && r.restarter != nil
	expiry := r.expiry[*current]
	switch {
	case op.Kind == workload.Start:
	case stopped && expiry != 0 && (!fused || expiry <= op.Tick):
		return fmt.Errorf("ID %d expired on tick %d and was stopped on tick %d", *current, expiry, op.Tick)
	case stopped:
		r.begun[*current] = 0
	case expiry == 0 || expiry > op.Tick:
		return fmt.Errorf("tick %d: ID %d was outstanding but could not be stopped", op.Tick, *current)
	}
	if op.Kind == workload.Stop {
		return nil
	}
	if !fused {
		*current = uint32(i)
	}
	r.begun[*current] = uint32(i) + 1
	return nil
}

// judge checks when a timer expired that op began and nothing stopped.
func (r *replay) judge(id int, op *workload.Op) error {
	early, late := r.bounded.bound(op.Interval)
	deadline := op.Tick + op.Interval
	first, last := deadline-min(early, op.Interval-1), deadline+min(late, math.MaxUint64-deadline)
	switch expiry := r.expiry[id]; {
	case expiry == 0 && last <= r.now:
		return fmt.Errorf("ID %d, started on tick %d for %d ticks, never expired; its bound ended on tick %d",
			id, op.Tick, op.Interval, last)
	case expiry != 0 && (expiry < first || expiry > last):
		return fmt.Errorf("ID %d, started on tick %d for %d ticks, expired on tick %d; its bound is %d to %d",
			id, op.Tick, op.Interval, expiry, first, last)
	}
	return nil
}
