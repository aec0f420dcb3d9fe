package drive_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/adapter"
	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/schemetest"
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

	lives map[schemes.ID]life // if not nil: of the timers started
	ended []life              // that expired
}

// life is a start: the how manieth, for how many ticks, and when.
type life struct {
	start    int
	interval schemes.Tick
	tick     int
}

// fault is what a scheme gets wrong, by the fields that are set.
type fault struct {
	on     string // which call errs: see middleCalls
	start  func(s schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error)
	stop   func(s schemes.Scheme, h schemes.Handle) bool
	due    map[int]int // what PerTick adds, by the ticks so far on which timers were due
	idle   int         // what the first PerTick adds that finds nothing due
	expire func(id schemes.ID, action func(schemes.ID))
	length int // what Len adds
}

func (p *planted) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	if p.lives != nil {
		p.lives[id] = life{p.starts, interval, p.ticks + p.idle}
	}
	p.starts++
	if p.start != nil && p.starts-1 == p.at {
		return p.start(p.Scheme, interval, id)
	}
	return p.Scheme.Start(interval, id)
}

func (p *planted) Stop(h schemes.Handle) bool {
	p.stops++
	if p.stop != nil && p.stops-1 == p.at {
		return p.stop(p.Scheme, h)
	}
	return p.Scheme.Stop(h)
}

func (p *planted) PerTick() int {
	due := p.Scheme.PerTick()
	if due > 0 {
		p.ticks++
		return due + p.due[p.ticks]
	}
	if p.idle++; p.idle == 1 {
		return p.fault.idle
	}
	return 0
}

func (p *planted) Expire(action func(schemes.ID)) {
	p.Scheme.Expire(func(id schemes.ID) {
		p.expired++
		if p.lives != nil {
			p.ended = append(p.ended, p.lives[id])
		}
		if p.expire != nil && p.expired-1 == p.at {
			p.expire(id, action)
		} else {
			action(id)
		}
	})
}

func (p *planted) Len() int { return p.Scheme.(schemes.Sized).Len() + p.length }

// faults are schemes to reject. Each makes one mistake in a run, in the middle.
var faults = map[string]fault{
	"drops a timer": {on: "start", start: func(s schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		h, err := s.Start(interval, id)
		s.Stop(h)
		return h, err
	}},
	"one tick early": longer(-1),
	"one tick late":  longer(1),
	"starts two timers": {on: "expiring start",
		start: func(s schemes.Scheme, n schemes.Tick, id schemes.ID) (h schemes.Handle, err error) {
			for range 2 {
				h, err = s.Start(n, id)
			}
			return h, err
		}},
	"keeps a stopped timer": {on: "stop", stop: func(schemes.Scheme, schemes.Handle) bool { return true }},
	"stops and denies it":   {on: "stop", stop: func(s schemes.Scheme, h schemes.Handle) bool { return !s.Stop(h) }},
	"hands out twice":       {on: "expiry", expire: func(id schemes.ID, action func(schemes.ID)) { action(id); action(id) }},
	"forgets at the end":    {on: "expiry", expire: func(schemes.ID, func(schemes.ID)) {}},
	"hands out a wrong ID":  {on: "expiry", expire: func(id schemes.ID, action func(schemes.ID)) { action(id ^ 1) }},

	"counts one too many":             {on: "expiry", due: map[int]int{4: 1}},
	"counts one too few":              {on: "expiry", due: map[int]int{4: -1}},
	"counts a timer on the next tick": {on: "expiry", due: map[int]int{4: -1, 5: 1}},
	"counts one on an idle tick":      {on: "idle tick", idle: 1},
	"Len is one more":                 {on: "expiry", length: 1},
	"Len is one less":                 {on: "expiry", length: -1},
}

// longer is a fault: one timer expires that many ticks late.
func longer(by int) fault {
	return fault{on: "expiring start", start: func(s schemes.Scheme, ticks schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		return s.Start(schemes.Tick(int(ticks)+by), id)
	}}
}

// soundRun is a run without a fault. It notes the lives of the timers that expired.
func soundRun(t *testing.T, trace *workload.Trace) *planted {
	t.Helper()
	p := &planted{Scheme: newSmall(t, harness.Schemes[5], trace), lives: map[schemes.ID]life{}}
	_, err := through(p, trace, nil)
	require.NoError(t, err)
	return p
}

// middleStart is the middle one of the starts with such a life that expired.
func (p *planted) middleStart(such func(life) bool) int {
	lives := slices.DeleteFunc(slices.Clone(p.ended), func(l life) bool { return !such(l) })
	return lives[len(lives)/2].start
}

// sureToExpire is a start of a timer that nothing stops and whose bound ends within the run.
func (p *planted) sureToExpire() int {
	ticks := schemes.Tick(p.ticks + p.idle)
	return p.middleStart(func(l life) bool { return l.interval > 100 && schemes.Tick(l.tick)+l.interval+100 < ticks })
}

// middleCalls returns, by the kind of call, one in the middle of the run, if it has any.
func (p *planted) middleCalls() map[string]int {
	calls := map[string]int{
		"start": p.starts / 2, "expiry": p.expired / 2,
		"expiring start": p.middleStart(func(l life) bool { return l.interval > 1 }),
	}
	if p.stops > 0 {
		calls["stop"] = p.stops / 2
	}
	if p.idle > 0 {
		calls["idle tick"] = 0
	}
	return calls
}

func TestDriveRejectsFaultySchemes(t *testing.T) {
	for kind, trace := range kinds(t) {
		calls := soundRun(t, trace).middleCalls()
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

// round returns the interval to the rounded deadline.
func (r *rounded) round(interval schemes.Tick) schemes.Tick {
	unit := unitOf(interval)
	deadline := r.now + interval + unit/2
	return deadline - deadline%unit - r.now
}

func (r *rounded) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	return r.Scheme.Start(r.round(interval), id)
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

// beyond makes the start that errs one of another interval, without rounding.
func beyond(by func(interval, early, late schemes.Tick) schemes.Tick) fault {
	return fault{start: func(s schemes.Scheme, interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
		r := s.(*rounded)
		early, late := r.Bound(interval)
		return r.Scheme.Start(max(1, by(interval, early, late)), id)
	}}
}

// plantBounded runs the trace on a bounded scheme with a fault on this call.
func plantBounded(t *testing.T, trace *workload.Trace, fault fault, at int, w drive.Watch) error {
	r := newRounded(t, trace)
	_, err := through(struct {
		*planted
		schemes.Bounder
	}{&planted{Scheme: r, fault: fault, at: at}, r}, trace, w)
	return err
}

// What a bounded scheme gets wrong is named, and what is within its bound is not wrong.
func TestDriveKnowsTheBound(t *testing.T) {
	for _, kind := range []string{"uniform", "exp, poisson", "every 16th tick", "stops"} {
		trace := kinds(t)[kind]
		sound := soundRun(t, trace)
		start, stop := sound.sureToExpire(), sound.stops/2
		for way, watch := range ways {
			for _, f := range []struct {
				fault fault
				at    int
				want  string // "": nothing is wrong
			}{
				{beyond(func(interval, early, _ schemes.Tick) schemes.Tick { return interval - early }), start, ""},
				{beyond(func(interval, _, late schemes.Tick) schemes.Tick { return interval + late }), start, ""},
				{beyond(func(interval, early, _ schemes.Tick) schemes.Tick { return interval - early - 1 }), start, "its bound is"},
				{beyond(func(interval, _, late schemes.Tick) schemes.Tick { return interval + late + 1 }), start, "its bound is"},
				{faults["drops a timer"], start, "never expired; its bound ended on tick"},
				{faults["starts two timers"], start, "expired twice"},
				{faults["keeps a stopped timer"], stop, "and was stopped on tick"},
				{faults["stops and denies it"], stop, "was outstanding but could not be stopped"},
			} {
				if f.fault.stop != nil && sound.stops == 0 {
					continue
				}
				err := plantBounded(t, trace, f.fault, f.at, watch())
				if f.want == "" {
					assert.NoError(t, err, "%s, %s", kind, way)
				} else {
					assert.ErrorContains(t, err, f.want, "%s, %s", kind, way)
				}
			}
		}
	}
}

// The test binary is an adapter of a scheme with this fault.
const servedFault = "TIMERLAB_TEST_FAULT"

func TestMain(m *testing.M) {
	fault, is := faults[os.Getenv(servedFault)]
	if !is {
		os.Exit(m.Run())
	}
	info := *harness.Schemes[5]
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := harness.Schemes[5].New(cfg)
		return &planted{Scheme: s, fault: fault, at: 4}, err
	}
	if err := adapter.Serve(os.Stdin, os.Stdout, &info, "1"); err != nil {
		panic(err)
	}
}

// What the drive rejects, `bench verify` does, but for what a scheme says of itself.
func TestFaultsAreSeenFromOutside(t *testing.T) {
	for name := range faults {
		if name == "Len is one more" || name == "Len is one less" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := adapter.Open(t.Context(), "env", servedFault+"="+name, os.Args[0])
			require.NoError(t, err)
			defer a.Close()
			verdicts, err := a.Verify(t.Context(), false, 2*time.Second, func(int, int, string) {})
			require.NoError(t, err)
			assert.True(t, slices.ContainsFunc(verdicts, func(v schemetest.Verdict) bool { return v.Violation != nil }))
		})
	}
}
