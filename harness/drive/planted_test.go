package drive_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// planted is a scheme with one fault. It counts the calls, and errs on the one
// that at says; what it gets wrong is the business of the functions that are set.
type planted struct {
	schemes.Scheme
	at      int // the call that errs, counted from 0
	starts  int
	stops   int
	ticks   int // on which timers were due
	expired int

	start  func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error)
	stop   func(p *planted, h schemes.Handle) bool
	due    func(p *planted, due int) int
	expire func(p *planted, id schemes.ID, action func(schemes.ID))
	length int // what Len adds
}

func (p *planted) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	p.starts++
	if p.start != nil && p.starts-1 == p.at {
		return p.start(p, interval, id)
	}
	return p.Scheme.Start(interval, id)
}

func (p *planted) Stop(h schemes.Handle) bool {
	p.stops++
	if p.stop != nil && p.stops-1 == p.at {
		return p.stop(p, h)
	}
	return p.Scheme.Stop(h)
}

func (p *planted) PerTick() int {
	due := p.Scheme.PerTick()
	if due > 0 {
		p.ticks++
	}
	if p.due != nil {
		return p.due(p, due)
	}
	return due
}

func (p *planted) Expire(action func(schemes.ID)) {
	p.Scheme.Expire(func(id schemes.ID) {
		p.expired++
		if p.expire != nil && p.expired-1 == p.at {
			p.expire(p, id, action)
		} else {
			action(id)
		}
	})
}

func (p *planted) Len() int { return p.Scheme.(schemes.Sized).Len() + p.length }

// longEnding returns which starts, counted from 0, ask for more than one tick and
// expire within the run, and which stops end a timer, a restart's included.
func longEnding(trace *workload.Trace) (expiring []int, stops int) {
	type life struct {
		start    int
		deadline schemes.Tick
	}
	lives := make([]life, trace.Timers)
	ended := func(timer uint32, now schemes.Tick) {
		if l := lives[timer]; l.deadline > 0 && l.deadline <= now {
			expiring = append(expiring, l.start)
		}
		lives[timer] = life{}
	}
	starts := 0
	for _, op := range trace.Ops {
		if op.Kind != workload.Start {
			stops++
		}
		ended(op.Timer, op.Tick)
		if op.Kind == workload.Stop {
			continue
		}
		if op.Interval > 1 {
			lives[op.Timer] = life{starts, op.Tick + op.Interval}
		}
		starts++
	}
	for timer := range lives {
		ended(uint32(timer), trace.Ticks)
	}
	return expiring, stops
}

// faults are schemes to reject. Each makes one mistake in a run, in the middle.
var faults = map[string]struct {
	plant func(p *planted)
	of    func(expiring []int, stops int, trace *workload.Trace) int // the call that errs, or -1: the trace has none
}{
	"drops a timer": {func(p *planted) {
		p.start = func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
			h, err := p.Scheme.Start(interval, id)
			p.Scheme.Stop(h)
			return h, err
		}
	}, anyStart},
	"one tick early": {func(p *planted) {
		p.start = func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
			return p.Scheme.Start(interval-1, id)
		}
	}, anExpiringStart},
	"one tick late": {func(p *planted) {
		p.start = func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
			return p.Scheme.Start(interval+1, id)
		}
	}, anExpiringStart},
	"starts two timers": {func(p *planted) {
		p.start = func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
			if _, err := p.Scheme.Start(interval, id); err != nil {
				return 0, err
			}
			return p.Scheme.Start(interval, id)
		}
	}, anExpiringStart},
	"keeps a stopped timer": {func(p *planted) {
		p.stop = func(*planted, schemes.Handle) bool { return true }
	}, aStop},
	"stops and denies it": {func(p *planted) {
		p.stop = func(p *planted, h schemes.Handle) bool { return !p.Scheme.Stop(h) }
	}, aStop},
	"hands out twice": {func(p *planted) {
		p.expire = func(_ *planted, id schemes.ID, action func(schemes.ID)) { action(id); action(id) }
	}, anExpiry},
	"forgets at the end": {func(p *planted) {
		p.expire = func(*planted, schemes.ID, func(schemes.ID)) {}
	}, anExpiry},
	"hands out a wrong ID": {func(p *planted) {
		p.expire = func(_ *planted, id schemes.ID, action func(schemes.ID)) { action(id ^ 1) }
	}, anExpiry},
	"counts one too many": {func(p *planted) {
		p.due = func(p *planted, due int) int { return due + found(p.ticks == 4 && due > 0) }
	}, anExpiry},
	"counts one too few": {func(p *planted) {
		p.due = func(p *planted, due int) int { return due - found(p.ticks == 4 && due > 0) }
	}, anExpiry},
	"counts one on an idle tick": {func(p *planted) {
		idle := 0
		p.due = func(_ *planted, due int) int {
			idle += found(due == 0)
			return due + found(due == 0 && idle == 1)
		}
	}, anIdleTick},
	"counts a timer on the next tick": {func(p *planted) {
		p.due = func(p *planted, due int) int {
			return due - found(p.ticks == 4 && due > 0) + found(p.ticks == 5 && due > 0)
		}
	}, anExpiry},
	"Len is one more": {func(p *planted) { p.length = 1 }, anExpiry},
	"Len is one less": {func(p *planted) { p.length = -1 }, anExpiry},
}

func found(is bool) int {
	if is {
		return 1
	}
	return 0
}

func anyStart(_ []int, _ int, trace *workload.Trace) int { return int(trace.Want.Started) / 2 }

func anExpiringStart(expiring []int, _ int, _ *workload.Trace) int { return expiring[len(expiring)/2] }

func aStop(_ []int, stops int, _ *workload.Trace) int {
	if stops == 0 {
		return -1
	}
	return stops / 2
}

func anExpiry(_ []int, _ int, trace *workload.Trace) int { return int(trace.Want.Expired) / 2 }

func anIdleTick(_ []int, _ int, trace *workload.Trace) int {
	if trace.Want.Expired >= uint64(trace.Ticks) {
		return -1
	}
	return 0
}

func TestDriveRejectsFaultySchemes(t *testing.T) {
	for kind, trace := range kinds(t) {
		expiring, stops := longEnding(trace)
		for name, fault := range faults {
			at := fault.of(expiring, stops, trace)
			if at < 0 {
				continue
			}
			for way, watch := range ways {
				for _, base := range []*schemes.Info{harness.Schemes[1], harness.Schemes[5]} {
					p := &planted{Scheme: newSmall(t, base, trace), at: at}
					fault.plant(p)
					_, err := through(p, trace, watch())
					assert.Error(t, err, "%s with %q, %s, %s", base.Name, name, kind, way)
				}
			}
		}
	}
}

// The wrapper by itself breaks nothing.
func TestPlantedWithoutFaultIsAccepted(t *testing.T) {
	for kind, trace := range kinds(t) {
		for way, watch := range ways {
			_, err := through(&planted{Scheme: newSmall(t, harness.Schemes[5], trace), at: -1}, trace, watch())
			assert.NoError(t, err, "%s, %s", kind, way)
		}
	}
}
