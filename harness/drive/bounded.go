package drive

import (
	"fmt"
	"math"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// bounded is the history of a scheme that trades precision. Its timers expire on other ticks than the trace's: a stop
// may come after an early expiry, and a timer's number may start again before a late one. So each lifetime has its own
// ID, the index of the operation that began it. Events are only recorded in order during the run, which costs about as
// much as an exact run's checksum; verifyBounded then replays the trace.
type bounded struct {
	bound    func(schemes.Tick) (early, late schemes.Tick)
	expiries []expiry
	stopped  []bool // by operation: a Stop or Restart that ended a timer
}

// expiry is one timer handed out.
type expiry struct {
	tick schemes.Tick // since the clock's start
	id   schemes.ID
}

// expiriesByID returns the tick on which each ID expired; 0: it did not expire.
func (b *bounded) expiriesByID(ops []workload.Op) ([]schemes.Tick, error) {
	expiries := make([]schemes.Tick, len(ops))
	for _, e := range b.expiries {
		if uint64(e.id) >= uint64(len(ops)) || ops[e.id].Kind == workload.Stop {
			return nil, fmt.Errorf("tick %d: ID %d expired, which was never started", e.tick, e.id)
		}
		if e.tick == 0 || expiries[e.id] != 0 {
			return nil, fmt.Errorf("tick %d: ID %d expired twice, or when PerTick had reported nothing due", e.tick, e.id)
		}
		expiries[e.id] = e.tick
	}
	return expiries, nil
}

// verifyBounded requires of a finished run that the scheme started the timers that the trace starts, that each timer
// either was stopped, or expired once within its bound, or is outstanding and not overdue, and that a stop was refused
// for an expired timer only. O(operations), 12 bytes each.
func (d *Drive) verifyBounded() error {
	ops := d.trace.Ops
	if d.at < len(ops) || d.now < d.trace.Ticks {
		return fmt.Errorf("the run is at tick %d, the trace ends at %d", d.now, d.trace.Ticks)
	}
	if got, want := d.got.Started, d.trace.Want.Started; got != want {
		return fmt.Errorf("%d timers started, the trace starts %d", got, want)
	}

	expiries, err := d.bounded.expiriesByID(ops)
	if err != nil {
		return err
	}
	// Repeat the operations: each ended its timer's present lifetime, or came too late for that.
	begun := make([]uint32, len(ops))          // by ID, of timers not stopped: the operation that the interval is from, +1
	currents := make([]uint32, d.trace.Timers) // ID by the client's timer number
	for i := range ops {
		op, stopped, id := &ops[i], d.bounded.stopped[i], &currents[ops[i].Timer]
		fused := stopped && op.Kind == workload.Restart && d.restarter != nil // in one operation, which keeps the ID
		expiry := expiries[*id]
		switch {
		case op.Kind == workload.Start:
		case stopped && expiry != 0 && (!fused || expiry <= op.Tick):
			return fmt.Errorf("ID %d expired on tick %d and was stopped on tick %d", *id, expiry, op.Tick)
		case stopped:
			begun[*id] = 0
		case expiry == 0 || expiry > op.Tick:
			return fmt.Errorf("tick %d: ID %d was outstanding but could not be stopped", op.Tick, *id)
		}
		if op.Kind == workload.Stop {
			continue
		}
		if !fused {
			*id = uint32(i)
		}
		begun[*id] = uint32(i) + 1
	}

	outstanding := uint64(0)
	for id, index := range begun {
		if index == 0 {
			continue
		}
		op, expiry := &ops[index-1], expiries[id]
		early, late := d.bounded.bound(op.Interval)
		deadline := op.Tick + op.Interval
		first, last := deadline-min(early, op.Interval-1), deadline+min(late, math.MaxUint64-deadline)
		switch {
		case expiry == 0 && last <= d.now:
			return fmt.Errorf("ID %d, started on tick %d for %d ticks, never expired; its bound ended on tick %d",
				id, op.Tick, op.Interval, last)
		case expiry != 0 && (expiry < first || expiry > last):
			return fmt.Errorf("ID %d, started on tick %d for %d ticks, expired on tick %d; its bound is %d to %d",
				id, op.Tick, op.Interval, expiry, first, last)
		case expiry == 0:
			outstanding++
		}
	}
	if o := d.Outcome(); o.Outstanding != outstanding {
		return fmt.Errorf("%d started, %d stopped, %d expired: %d timers should be outstanding, not %d",
			o.Started, o.Stopped, o.Expired, o.Outstanding, outstanding)
	}
	return d.checkSize(outstanding)
}
