package player

import (
	"errors"
	"fmt"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// lane is one scheme on the timeline, with a client that keeps the handles of its timers.
type lane struct {
	info    *schemes.Info
	scheme  schemes.Scheme
	handles map[schemes.ID]schemes.Handle
	ready   schemes.Counts // at the end of the prefill
	last    schemes.Counts // before the last step
	tick    schemes.Counts // before the present tick
	expired []schemes.ID   // on the present tick
	digest  workload.Outcome
	refused string // why the scheme cannot run this, or ""
}

// newLane returns a scheme at tick 0 of a state, without timers.
func newLane(name string, s *State, in *input) (*lane, error) {
	info, err := harness.Find(name)
	if err != nil {
		return nil, err
	}
	scheme, err := info.New(s.Config())
	if err != nil {
		return nil, err
	}
	l := &lane{info: info, scheme: scheme, handles: map[schemes.ID]schemes.Handle{}}
	if longest := in.longest(); longest > info.Range(s.Config()) {
		l.refused = "The longest interval is " + ticksText(longest) + ", but this scheme takes at most " +
			ticksText(info.Range(s.Config())) + "."
	}
	return l, nil
}

// counts returns the operations counted so far.
func (l *lane) counts() schemes.Counts { return l.scheme.(schemes.Counter).Counts() }

// perTick advances the clock.
func (l *lane) perTick() {
	l.tick, l.expired = l.counts(), l.expired[:0]
	l.last = l.tick
	l.scheme.PerTick()
}

// expire hands out the due timers, on a tick since the clock's start.
func (l *lane) expire(tick schemes.Tick) {
	l.last = l.counts()
	l.scheme.Expire(func(id schemes.ID) {
		l.expired = append(l.expired, id)
		l.digest.Expired++
		l.digest.Checksum += workload.Mix(tick, id)
	})
}

// fill applies operations as one step.
func (l *lane) fill(ops []op) {
	for _, o := range ops {
		l.apply(o)
	}
	l.last, l.tick, l.ready = l.counts(), l.counts(), l.counts()
}

// step applies one operation.
func (l *lane) step(o op) {
	l.last = l.counts()
	l.apply(o)
}

// apply applies an operation as package run's Drive does. A timer that a scheme without
// exact deadlines has expired early is started instead of restarted.
func (l *lane) apply(o op) {
	if o.kind == workload.Restart {
		if h, err := l.scheme.(schemes.Restarter).Restart(l.handles[o.id], o.interval); err == nil {
			l.handles[o.id] = h
			l.digest.Stopped++
			l.digest.Started++
			return
		} else if !errors.Is(err, schemes.ErrHandle) {
			return // a refused interval leaves the timer as it was
		}
	}
	if o.kind == workload.Stop {
		if l.scheme.Stop(l.handles[o.id]) {
			l.digest.Stopped++
		}
		return
	}
	if h, err := l.scheme.Start(o.interval, o.id); err == nil {
		l.handles[o.id] = h
		l.digest.Started++
	}
}

// places returns where the timers are.
func (l *lane) places() (all []schemes.Place) {
	l.scheme.(schemes.Viewer).View(func(p schemes.Place) bool {
		all = append(all, p)
		return true
	})
	return all
}

// outcome returns the outcome so far, whose checksum is that of workload.Outcome.
func (l *lane) outcome() workload.Outcome {
	o := l.digest
	o.Outstanding = o.Started - o.Stopped - o.Expired
	return o
}

// OutcomeText is an outcome with the counts, for comparing two runs.
func OutcomeText(o workload.Outcome, c schemes.Counts) string { return fmt.Sprintf("%+v %+v", o, c) }
