package run

import (
	"errors"
	"fmt"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// ErrTime is wrapped by the error of RunWithin if the limit has passed.
var ErrTime = errors.New("abandoned")

// RunWithin is RunTo with a limit of CPU time. Between two readings of the clock are 64 operations
// or ticks, since some schemes take a millisecond for one. A drive that was abandoned cannot go on.
func (d *Drive) RunWithin(tick schemes.Tick, limit time.Duration) error {
	if d.bounded != nil {
		d.bounded.reserve(d.trace)
	}
	const most = 64
	began, cpu, steps := read(), CPUTime(), 0
	for {
		ops := 0
		for d.at+ops < len(d.trace.Ops) && ops < most && d.trace.Ops[d.at+ops].Tick == d.now {
			ops++
		}
		if err := d.apply(d.at + ops); err != nil {
			return err
		}
		if steps += ops; ops == 0 {
			if d.now >= tick {
				return nil
			}
			next := tick
			if d.at < len(d.trace.Ops) {
				next = min(next, d.trace.Ops[d.at].Tick)
			}
			wait := min(next-d.now, most)
			d.ticks(wait, nil)
			steps += int(wait)
		}
		if steps >= most {
			if took := read() - began; took > limit && CPUTime()-cpu > limit { // the CPU time takes longer to read
				return fmt.Errorf("%w after %v at tick %d of %d (limit %v a run)",
					ErrTime, took.Round(time.Millisecond), d.now, d.trace.Ticks, limit.Round(time.Millisecond))
			}
			steps = 0
		}
	}
}

// Continue makes the drive go on with the next piece of its stream. Its outcome then is that of
// the new piece. Of a scheme that trades precision, only the expiries of the first piece are
// verified one by one.
func (d *Drive) Continue(t *workload.Trace) error {
	if d.at < len(d.trace.Ops) || d.now != t.From || t.Timers != d.trace.Timers {
		return fmt.Errorf("the run is at tick %d, the next piece begins after tick %d", d.now, t.From)
	}
	if d.bounded != nil {
		d.bounded = &bounded{bound: d.bounded.bound, later: true}
	}
	d.got = workload.Outcome{Started: d.Outcome().Outstanding}
	d.trace, d.at = t, 0
	return nil
}

// OffHeap returns the bytes that the scheme holds outside Go's heap.
func (d *Drive) OffHeap() int {
	if o, ok := d.scheme.(schemes.OffHeaper); ok {
		return o.OffHeap()
	}
	return 0
}
