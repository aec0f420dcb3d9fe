package peers

import (
	"fmt"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Report counts how a peer's timers of one trace ended. Ticks count as in the contract
// of a scheme: a timer is on time in the interval-th PerTick after its start. For an
// exact scheme only Started, Stopped and OnTime are not 0.
type Report struct {
	Started   int          // lifetimes begun; a restart is a stop and a start
	Stopped   int          // ended by a stop
	OnTime    int          // expired on their tick
	Early     int          // expired before it
	MaxEarly  schemes.Tick // by at most this
	Late      int          // expired after it
	MaxLate   schemes.Tick
	Lost      int // neither stopped nor expired long after the trace's end
	TooLate   int // stops that came too late because the timer had expired early
	Refused   int // stops in time that the peer reports as too late
	AfterStop int // reported although they had been stopped
	Doubled   int // reported again
}

// Audit drives a scheme through a trace, then for its longest interval and patience more
// ticks, and reports on every lifetime. Unlike a run.Drive it tolerates what no exact
// scheme does. A scheme on a real clock must be created and audited in a bubble.
func Audit(s schemes.Scheme, t *workload.Trace, patience schemes.Tick) (Report, error) {
	a := &audit{scheme: s, current: make([]int, t.Timers)}
	action := a.expired
	ops := t.Ops
	for end := t.Ticks + t.Longest + patience; ; {
		for ; len(ops) > 0 && ops[0].Tick == a.now; ops = ops[1:] {
			if err := a.apply(ops[0]); err != nil {
				return Report{}, err
			}
		}
		if a.now == end {
			return a.finish(), nil
		}
		a.now++
		if s.PerTick() > 0 {
			s.Expire(action)
		}
	}
}

// audit is a run of Audit. Lifetimes are numbered, and their numbers are the IDs.
type audit struct {
	scheme  schemes.Scheme
	now     schemes.Tick
	lives   []life
	current []int // by the client's timer: its latest lifetime
	report  Report
}

type life struct {
	handle   schemes.Handle
	deadline schemes.Tick
	end      ending
}

type ending uint8

const (
	waits ending = iota
	stopped
	expired
)

func (a *audit) apply(op workload.Op) error {
	if op.Kind != workload.Start {
		a.stop(&a.lives[a.current[op.Timer]])
	}
	if op.Kind == workload.Stop {
		return nil
	}
	h, err := a.scheme.Start(op.Interval, schemes.ID(len(a.lives)))
	if err != nil {
		return fmt.Errorf("tick %d, timer %d: %w", a.now, op.Timer, err)
	}
	a.current[op.Timer] = len(a.lives)
	a.lives = append(a.lives, life{handle: h, deadline: a.now + op.Interval})
	a.report.Started++
	return nil
}

func (a *audit) stop(l *life) {
	if !a.scheme.Stop(l.handle) {
		a.report.TooLate++
		return
	}
	l.end = stopped
	a.report.Stopped++
}

func (a *audit) expired(id schemes.ID) {
	l, r := &a.lives[id], &a.report
	l.end = expired
	switch {
	case a.now == l.deadline:
		r.OnTime++
	case a.now < l.deadline:
		r.Early++
		r.MaxEarly = max(r.MaxEarly, l.deadline-a.now)
	default:
		r.Late++
		r.MaxLate = max(r.MaxLate, a.now-l.deadline)
	}
}

// finish counts the outstanding timers, and what the adapter hid from the client.
func (a *audit) finish() Report {
	ends := make(map[schemes.Handle]ending, len(a.lives))
	for _, l := range a.lives {
		ends[l.handle] = l.end
		if l.end == waits {
			a.report.Lost++
		}
	}
	if c, ok := a.scheme.(interface {
		kept() (strays []schemes.Handle, refused int)
	}); ok {
		strays, refused := c.kept()
		a.report.Refused = refused
		for _, h := range strays {
			if ends[h] == stopped {
				a.report.AfterStop++
			} else {
				a.report.Doubled++
			}
		}
	}
	return a.report
}
