package drive_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// planted is a scheme with one fault. It counts the calls, and errs on the one that at says.
type planted struct {
	schemes.Scheme
	fault
	at      int // the call that errs, counted from 0
	starts  int
	stops   int
	ticks   int // on which timers were due
	idle    int // the others
	expired int
}

// fault is what a scheme gets wrong, by the functions that are set.
type fault struct {
	on     string // which call errs: see middleCalls
	start  func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error)
	stop   func(p *planted, h schemes.Handle) bool
	due    func(p *planted, due int) int
	expire func(id schemes.ID, action func(schemes.ID))
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
	} else {
		p.idle++
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
			p.expire(id, action)
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
var faults = map[string]fault{
	"drops a timer": {on: "start", start: func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		h, err := p.Scheme.Start(interval, id)
		p.Scheme.Stop(h)
		return h, err
	}},
	"one tick early": {on: "expiring start", start: func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		return p.Scheme.Start(interval-1, id)
	}},
	"one tick late": {on: "expiring start", start: func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		return p.Scheme.Start(interval+1, id)
	}},
	"starts two timers": {on: "expiring start", start: func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		if _, err := p.Scheme.Start(interval, id); err != nil {
			return 0, err
		}
		return p.Scheme.Start(interval, id)
	}},
	"keeps a stopped timer": {on: "stop", stop: func(*planted, schemes.Handle) bool { return true }},
	"stops and denies it":   {on: "stop", stop: func(p *planted, h schemes.Handle) bool { return !p.Scheme.Stop(h) }},
	"hands out twice":       {on: "expiry", expire: func(id schemes.ID, action func(schemes.ID)) { action(id); action(id) }},
	"forgets at the end":    {on: "expiry", expire: func(schemes.ID, func(schemes.ID)) {}},
	"hands out a wrong ID":  {on: "expiry", expire: func(id schemes.ID, action func(schemes.ID)) { action(id ^ 1) }},
	"counts one too many": {on: "expiry", due: func(p *planted, due int) int {
		return due + found(p.ticks == 4 && due > 0)
	}},
	"counts one too few": {on: "expiry", due: func(p *planted, due int) int {
		return due - found(p.ticks == 4 && due > 0)
	}},
	"counts one on an idle tick": {on: "idle tick", due: func(p *planted, due int) int {
		return due + found(p.idle == 1 && due == 0)
	}},
	"counts a timer on the next tick": {on: "expiry", due: func(p *planted, due int) int {
		return due - found(p.ticks == 4 && due > 0) + found(p.ticks == 5 && due > 0)
	}},
	"Len is one more": {on: "expiry", length: 1},
	"Len is one less": {on: "expiry", length: -1},
}

func found(is bool) int {
	if is {
		return 1
	}
	return 0
}

// middleCalls returns, by the kind of call, one in the middle of the run, if the trace has any.
func middleCalls(trace *workload.Trace) map[string]int {
	expiring, stops := longEnding(trace)
	calls := map[string]int{
		"start": int(trace.Want.Started) / 2, "expiring start": expiring[len(expiring)/2], "expiry": int(trace.Want.Expired) / 2,
	}
	if stops > 0 {
		calls["stop"] = stops / 2
	}
	if trace.Want.Expired < uint64(trace.Ticks) {
		calls["idle tick"] = 0
	}
	return calls
}

func TestDriveRejectsFaultySchemes(t *testing.T) {
	for kind, trace := range kinds(t) {
		calls := middleCalls(trace)
		_, err := through(&planted{Scheme: newSmall(t, harness.Schemes[5], trace)}, trace, nil)
		assert.NoError(t, err, "with no fault: %s", kind)
		for name, fault := range faults {
			at, ok := calls[fault.on]
			if !ok {
				continue
			}
			for way, watch := range ways {
				for _, base := range []*schemes.Info{harness.Schemes[1], harness.Schemes[5]} {
					_, err := through(&planted{Scheme: newSmall(t, base, trace), fault: fault, at: at}, trace, watch())
					assert.Error(t, err, "%s with %q, %s, %s", base.Name, name, kind, way)
				}
				if name != "one tick early" && name != "one tick late" { // within the bound, perhaps
					assert.Error(t, plantBounded(t, trace, fault, at, watch()), "bounded with %q, %s, %s", name, kind, way)
				}
			}
		}
	}
}

// rounded trades precision on top of an exact scheme: deadlines of long intervals
// are rounded to a multiple of 8 or 64 ticks, half of it up. Its clock has no end.
type rounded struct {
	schemes.Scheme
	now schemes.Tick
}

func unitOf(interval schemes.Tick) schemes.Tick {
	switch {
	case interval >= 64:
		return 64
	case interval >= 8:
		return 8
	}
	return 1
}

func (r *rounded) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	unit := unitOf(interval)
	deadline := r.now + interval + unit/2
	return r.Scheme.Start(deadline-deadline%unit-r.now, id)
}

func (r *rounded) PerTick() int {
	r.now++
	return r.Scheme.PerTick()
}

func (r *rounded) Bound(interval schemes.Tick) (early, late schemes.Tick) {
	unit := unitOf(interval)
	return unit - 1 - unit/2, unit / 2
}

func (r *rounded) Len() int { return r.Scheme.(schemes.Sized).Len() }

// roundedInfo makes a bounded scheme of an exact one that takes every interval.
func roundedInfo(base *schemes.Info) *schemes.Info {
	info := *base
	info.Name += "-rounded"
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := base.New(cfg)
		if err != nil {
			return nil, err
		}
		return &rounded{s, cfg.Now}, nil
	}
	return &info
}

func newRounded(t *testing.T, trace *workload.Trace) *rounded {
	return newSmall(t, roundedInfo(harness.Schemes[5]), trace).(*rounded)
}

func TestBoundedSchemeIsVerifiedByItsBound(t *testing.T) {
	for kind, trace := range kinds(t) {
		for way, watch := range ways {
			d, err := through(newRounded(t, trace), trace, watch())
			require.NoError(t, err, "%s, %s", kind, way)
			require.NoError(t, plantBounded(t, trace, fault{}, 0, watch()), "with no fault: %s, %s", kind, way)
			got := d.Outcome()
			assert.Equal(t, trace.Want.Started, got.Started, kind)
			assert.InDelta(t, trace.Want.Outstanding, got.Outstanding, 0.3*float64(trace.Spec.N), kind)
			assert.InEpsilon(t, trace.Want.Expired, got.Expired, 0.5, kind)
		}
	}
}

func TestBoundedRestarts(t *testing.T) {
	for _, kind := range []string{"restarts", "restarts for ever", "all at once"} {
		trace := kinds(t)[kind]
		for way, watch := range ways {
			r := newRounded(t, trace)
			f := &fused{r, map[schemes.Handle]schemes.ID{}, 0}
			_, err := through(struct {
				*fused
				schemes.Bounder
				schemes.Sized
			}{f, r, r}, trace, watch())
			require.NoError(t, err, "%s, %s", kind, way)
			assert.Greater(t, f.n, trace.Count(workload.Restart)/2, kind)
			assert.Less(t, f.n, trace.Count(workload.Restart)+1, kind)
		}
	}
}

// beyond makes the start that errs one of another interval, without rounding.
func beyond(by func(interval, early, late schemes.Tick) schemes.Tick) fault {
	return fault{start: func(p *planted, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		r := p.Scheme.(*rounded)
		early, late := r.Bound(interval)
		return r.Scheme.Start(max(1, by(interval, early, late)), id)
	}}
}

var (
	atEarliest = beyond(func(interval, early, _ schemes.Tick) schemes.Tick { return interval - early })
	atLatest   = beyond(func(interval, _, late schemes.Tick) schemes.Tick { return interval + late })
	tooEarly   = beyond(func(interval, early, _ schemes.Tick) schemes.Tick { return interval - early - 1 })
	tooLate    = beyond(func(interval, _, late schemes.Tick) schemes.Tick { return interval + late + 1 })
)

// plantBounded runs the trace on a bounded scheme with a fault on this call.
func plantBounded(t *testing.T, trace *workload.Trace, fault fault, at int, w drive.Watch) error {
	r := newRounded(t, trace)
	_, err := through(struct {
		*planted
		schemes.Bounder
	}{&planted{Scheme: r, fault: fault, at: at}, r}, trace, w)
	return err
}

// sureToExpire is a start, counted from 0, of a timer that nothing stops and whose
// bound ends within the run: the middle one.
func sureToExpire(trace *workload.Trace) int {
	expiring, _ := longEnding(trace)
	var sure []int
	starts := 0
	for _, op := range trace.Ops {
		if op.Kind == workload.Stop {
			continue
		}
		if slices.Contains(expiring, starts) && op.Interval > 100 && op.Tick+op.Interval+100 < trace.Ticks {
			sure = append(sure, starts)
		}
		starts++
	}
	return sure[len(sure)/2]
}

func TestDriveKnowsTheBound(t *testing.T) {
	for _, kind := range []string{"uniform", "exp, poisson", "every 16th tick", "stops"} {
		trace := kinds(t)[kind]
		at := sureToExpire(trace)
		for way, watch := range ways {
			assert.NoError(t, plantBounded(t, trace, atEarliest, at, watch()), "%s, %s", kind, way)
			assert.NoError(t, plantBounded(t, trace, atLatest, at, watch()), "%s, %s", kind, way)
			assert.ErrorContains(t, plantBounded(t, trace, tooEarly, at, watch()), "its bound is", "%s, %s", kind, way)
			assert.ErrorContains(t, plantBounded(t, trace, tooLate, at, watch()), "its bound is", "%s, %s", kind, way)
		}
	}
}

// What a scheme without Len gets wrong is named.
func TestBoundedFaultsAreNamed(t *testing.T) {
	trace := kinds(t)["stops"]
	_, stops := longEnding(trace)
	for _, f := range []struct {
		name, want string
		at         int
	}{
		{"drops a timer", "never expired; its bound ended on tick", sureToExpire(trace)},
		{"starts two timers", "expired twice", sureToExpire(trace)},
		{"keeps a stopped timer", "and was stopped on tick", stops / 2},
		{"stops and denies it", "was outstanding but could not be stopped", stops / 2},
	} {
		r := newRounded(t, trace)
		p := &planted{Scheme: r, fault: faults[f.name], at: f.at}
		silent := struct {
			schemes.Scheme
			schemes.Bounder
		}{p, r}
		_, err := through(silent, trace, nil)
		assert.ErrorContains(t, err, f.want, f.name)
	}
}
