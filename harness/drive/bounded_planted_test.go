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
