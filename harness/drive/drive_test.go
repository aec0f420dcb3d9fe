package drive_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

func TestEverySchemeComesToTheTracesOutcome(t *testing.T) {
	for kind, trace := range kinds(t) {
		for way, watch := range ways {
			for _, info := range harness.Schemes {
				s := newSmall(t, info, trace)
				d, err := through(s, trace, watch())
				require.NoError(t, err, "%s, %s, %s", info.Name, kind, way)
				if _, bounded := s.(schemes.Bounder); !bounded { // their timers expire on other ticks: see planted_test.go
					require.Equal(t, trace.Want, d.Outcome(), "%s, %s, %s", info.Name, kind, way)
				}
			}
			// The null scheme hands out nothing. What times it must exempt it.
			_, err := through(newSmall(t, &drive.Null, trace), trace, watch())
			assert.ErrorContains(t, err, "the trace's is", "%s, %s", kind, way)
		}
	}
}

// Laps cover every operation and every tick once, whatever their length.
func TestLapsCoverTheRun(t *testing.T) {
	for kind, trace := range kinds(t) {
		for _, each := range []bool{false, true} {
			w := &laps{each: each}
			_, err := through(newSmall(t, harness.Schemes[6], trace), trace, w)
			require.NoError(t, err)
			assert.Empty(t, w.broken, kind)
			assert.False(t, w.open, kind)
			assert.Equal(t, trace.Count(workload.Start)-trace.Prefill, w.n[drive.Starts], kind)
			assert.Equal(t, trace.Count(workload.Stop), w.n[drive.Stops], kind)
			assert.Equal(t, trace.Count(workload.Restart), w.n[drive.Restarts], kind)
			assert.EqualValues(t, trace.Ticks, w.n[drive.Ticks], kind)
			assert.EqualValues(t, trace.Want.Expired, w.n[drive.Expires], kind)
			if trace.Spec.Every > 1 {
				assert.Equal(t, !each, w.longer, kind)
			}
		}
	}
}

// What a scheme refuses ends the run, with the tick and the timer.
func TestDriveReportsRefusals(t *testing.T) {
	trace, err := workload.Spec{N: 5, T: 100, Dist: workload.Const, Ticks: 500}.Trace()
	require.NoError(t, err)
	s, err := harness.Schemes[3].New(schemes.Config{Slots: 50})
	require.NoError(t, err)
	_, err = through(s, trace, nil)
	require.ErrorIs(t, err, schemes.ErrInterval)
	assert.Regexp(t, `^tick \d+, timer \d+: `, err)

	trace = kinds(t)["restarts"]
	for way, watch := range ways {
		s := newSmall(t, harness.Schemes[5], trace)
		refusing := &fused{s, s, func(schemes.Tick) schemes.Tick { return 0 }, 0}
		_, err := through(refusing, trace, watch())
		assert.ErrorIs(t, err, schemes.ErrInterval, way)
		assert.Zero(t, refusing.n)
	}
}

// fused is a scheme with a restart of its own: that of exact, for the interval that round returns.
type fused struct {
	schemes.Scheme
	exact schemes.Scheme
	round func(schemes.Tick) schemes.Tick
	n     int
}

func (f *fused) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	fresh, err := f.exact.(schemes.Restarter).Restart(h, f.round(interval))
	if err == nil {
		f.n++
	}
	return fresh, err
}

func TestRestarterIsUsed(t *testing.T) {
	for _, kind := range []string{"restarts", "restarts for ever", "all at once"} {
		trace := kinds(t)[kind]
		restarts := trace.Count(workload.Restart)
		for way, watch := range ways {
			s := newSmall(t, harness.Schemes[2], trace)
			exact := &fused{s, s, func(interval schemes.Tick) schemes.Tick { return interval }, 0}
			_, err := through(exact, trace, watch())
			require.NoError(t, err, "%s, %s", kind, way)
			assert.Equal(t, restarts, exact.n, "%s, %s", kind, way)

			r := newRounded(t, trace)
			f := &fused{r, r.Scheme, r.round, 0}
			_, err = through(struct {
				*fused
				schemes.Bounder
				schemes.Sized
			}{f, r, r}, trace, watch())
			require.NoError(t, err, "bounded: %s, %s", kind, way)
			assert.Greater(t, f.n, restarts/2, kind)
			assert.LessOrEqual(t, f.n, restarts, kind)
		}
	}
}

// A run in the steady state allocates nothing by operation: the few allocations
// are the lists of due ticks and spare segments growing to their size.
func TestRunsDoNotAllocate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	spec := workload.Spec{N: 500, T: 200, Dist: workload.Exp, Ticks: 10_000, Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.5, Every: 8}
	trace, err := spec.Trace()
	require.NoError(t, err)
	operations := len(trace.Ops) - trace.Prefill
	require.Greater(t, operations, 25_000)
	for _, info := range slices.Concat(harness.Schemes, []*schemes.Info{&drive.Null, roundedInfo(harness.Schemes[5])}) {
		for way, watch := range ways {
			cfg := small(info, trace.Longest)
			cfg.Capacity = 2 * spec.N
			s, err := info.New(cfg)
			require.NoError(t, err)
			d := drive.New(s, trace)
			require.NoError(t, d.Fill())
			w := watch()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err = d.Run(w)
			runtime.ReadMemStats(&after)
			require.NoError(t, err)
			assert.LessOrEqual(t, after.Mallocs-before.Mallocs, uint64(25), "%s, %s: allocations in %d operations", info.Name, way, operations)
		}
	}
}

// unordered hands out the due timers of a batch the later ticks first, which the
// contract forbids and only a watched batch can show.
type unordered struct{ schemes.Scheme }

func (u unordered) Expire(action func(schemes.ID)) {
	var ids []schemes.ID
	u.Scheme.Expire(func(id schemes.ID) { ids = append(ids, id) })
	for _, id := range slices.Backward(ids) {
		action(id)
	}
}

func TestDriveRejectsLaterTicksFirst(t *testing.T) {
	trace := kinds(t)["every 16th tick"]
	for way, watch := range ways {
		_, err := through(unordered{newSmall(t, harness.Schemes[5], trace)}, trace, watch())
		assert.Equal(t, way == "in batches", err != nil, way)
	}
}

// However a run is divided, it comes to the same.
func TestRunInParts(t *testing.T) {
	for kind, trace := range kinds(t) {
		for _, name := range []string{"hashunsorted", "hierarchical-nomigrate"} {
			info, err := harness.Find(name)
			require.NoError(t, err)
			whole, parts := newSmall(t, info, trace), newSmall(t, info, trace)
			d, err := through(whole, trace, nil)
			require.NoError(t, err)
			p := drive.New(parts, trace)
			require.NoError(t, p.Fill())
			for tick := schemes.Tick(0); tick <= trace.Ticks; tick += 1 + tick/3 {
				require.NoError(t, p.RunTo(tick, nil, nil))
				require.NoError(t, p.RunTo(tick/2, nil, nil), "a tick that has passed")
			}
			require.NoError(t, p.RunTo(trace.Ticks, nil, nil))
			require.NoError(t, p.Verify(), "%s, %s", name, kind)
			assert.Equal(t, d.Outcome(), p.Outcome(), "%s, %s", name, kind)
			assert.Equal(t, whole.(schemes.Counter).Counts(), parts.(schemes.Counter).Counts(), "%s, %s", name, kind)
			assert.ErrorContains(t, p.RunTo(trace.Ticks+1, nil, nil), "past the end")
		}
	}
}

// A run that may be stopped, in pieces and from any tick of a stream on, comes to the outcome of each piece.
func TestPieces(t *testing.T) {
	m := workload.Mixture{N: 200, Seed: 3, Lives: []workload.Life{
		{Interval: 300, Stay: 40, Share: 0.25}, {Interval: 90, Stay: 90, Share: 0.25}, {Interval: 250, Stay: 20, Share: 0.5, Restarts: true},
	}}
	for i, info := range slices.Repeat(harness.Schemes, 2) {
		if i == len(harness.Schemes) {
			m.Step = 20 // the clock passes at once
		}
		s, err := m.Stream()
		require.NoError(t, err)
		s.Next(1000)
		fill := s.Fill()
		scheme, err := info.New(schemes.Config{Now: fill.From, Capacity: 200, Slots: 512})
		require.NoError(t, err)
		_, bounded := scheme.(schemes.Bounder)
		d := drive.New(scheme, fill)
		require.NoError(t, d.RunTo(fill.Ticks, nil, never))
		for _, ticks := range []schemes.Tick{1, 700, 64} {
			piece := s.Next(ticks)
			require.NoError(t, d.Continue(piece))
			require.NoError(t, d.RunTo(piece.Ticks, nil, never), info.Name)
			require.NoError(t, d.Verify(), info.Name)
			require.True(t, bounded || piece.Want == d.Outcome(), info.Name)
		}
		assert.ErrorContains(t, d.Continue(fill), "the next piece begins after tick 1000")
	}
}

// A run is asked whether to stop between few operations, so that no scheme can exceed a limit by much.
func TestARunIsStopped(t *testing.T) {
	trace := kinds(t)["exp"]
	d := drive.New(newSmall(t, harness.Schemes[0], trace), trace)
	calls, enough := 0, errors.New("enough")
	err := d.RunTo(trace.Ticks, nil, func() error {
		if calls++; calls == 10 {
			return enough
		}
		return nil
	})
	assert.ErrorIs(t, err, enough)
	assert.Regexp(t, `^enough at tick \d+ of 1500$`, err)
	done := d.Outcome().Started + d.Outcome().Stopped
	assert.LessOrEqual(t, done, uint64(10*2*64))
	assert.Error(t, d.Verify())
}

func never() error { return nil }

// kinds are traces of every kind, small enough to run many times: all
// distributions, both arrivals, stops, restarts, and operations on few ticks.
func kinds(t *testing.T) map[string]*workload.Trace {
	t.Helper()
	specs := map[string]workload.Spec{
		"stops":             {Dist: workload.Exp, Stop: 0.9, StopAt: 0.5},
		"stops at once":     {Dist: workload.Uniform, Stop: 0.5},
		"restarts":          {Dist: workload.Uniform, Restart: 0.5, RestartAt: 0.5},
		"restarts for ever": {Dist: workload.Exp, Restart: 0.95, RestartAt: 0.2},
		"every 16th tick":   {Dist: workload.Exp, Every: 16},
		"all at once": {Dist: workload.LogUniform, Every: 7, Arrivals: workload.Poisson,
			Stop: 0.4, StopAt: 0.6, Restart: 0.3, RestartAt: 0.1},
	}
	for _, d := range workload.Dists {
		specs[d.String()] = workload.Spec{Dist: d}
		specs[d.String()+", poisson"] = workload.Spec{Dist: d, Arrivals: workload.Poisson}
	}
	traces := map[string]*workload.Trace{}
	for name, spec := range specs {
		spec.N, spec.T, spec.Ticks, spec.Seed = 200, 100, 1500, 7
		trace, err := spec.Trace()
		require.NoError(t, err, name)
		require.NotZero(t, trace.Want.Expired, name)
		traces[name] = trace
	}
	return traces
}

// laps is a watch that adds up how often and how long each lap was.
type laps struct {
	each   bool
	open   bool
	longer bool // a lap of more than one tick was seen
	n      [drive.NumLaps]int
	broken string
}

func (l *laps) Each() bool { return l.each }

func (l *laps) Begin() {
	if l.open {
		l.broken = "Begin within a lap"
	}
	l.open = true
}

func (l *laps) End(lap drive.Lap, n int) {
	if !l.open {
		l.broken = "End without Begin"
	}
	l.open = false
	l.n[lap] += n
	l.longer = l.longer || lap == drive.Ticks && n > 1
}

// ways are the ways of running a trace.
var ways = map[string]func() drive.Watch{
	"unwatched":    func() drive.Watch { return nil },
	"in batches":   func() drive.Watch { return &laps{} },
	"each by each": func() drive.Watch { return &laps{each: true} },
}

// through drives a scheme through the trace and returns the first error, also of Verify.
func through(s schemes.Scheme, trace *workload.Trace, w drive.Watch) (*drive.Drive, error) {
	d := drive.New(s, trace)
	if err := d.Fill(); err != nil {
		return d, err
	}
	if err := d.Run(w); err != nil {
		return d, err
	}
	return d, d.Verify()
}

// small sizes a scheme such that the trace makes many rounds and migrations, or as small as its range allows.
func small(info *schemes.Info, longest schemes.Tick) schemes.Config {
	cfg := schemes.Config{Now: 1<<32 - 300, Slots: 32, Levels: []int{10, 16, 7, 100}}
	if info.Range(cfg) < longest {
		cfg.Slots = int(longest)
		cfg.Levels = []int{10, 16, 7, int(longest)/1120 + 1}
	}
	return cfg
}

func newSmall(t *testing.T, info *schemes.Info, trace *workload.Trace) schemes.Scheme {
	t.Helper()
	s, err := info.New(small(info, trace.Longest))
	require.NoError(t, err)
	return s
}
