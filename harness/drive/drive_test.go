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
		for _, info := range harness.Schemes {
			for way, watch := range ways {
				d, err := through(newSmall(t, info, trace), trace, watch())
				require.NoError(t, err, "%s, %s, %s", info.Name, kind, way)
				if !bounded(t, info) { // their timers expire on other ticks: see bounded_planted_test.go
					require.Equal(t, trace.Want, d.Outcome(), "%s, %s, %s", info.Name, kind, way)
				}
			}
		}
	}
}

// The null scheme hands out nothing. What times it must exempt it.
func TestNullFailsVerify(t *testing.T) {
	for kind, trace := range kinds(t) {
		for way, watch := range ways {
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
		_, err := through(refusing{s}, trace, watch())
		assert.ErrorIs(t, err, errRefused, way)
	}
}

var errRefused = errors.New("refused")

// refusing is a scheme whose restarts fail.
type refusing struct{ schemes.Scheme }

func (refusing) Restart(schemes.Handle, schemes.Tick) (schemes.Handle, error) {
	return 0, errRefused
}

// fused is a scheme with a restart of its own.
type fused struct {
	schemes.Scheme
	ids map[schemes.Handle]schemes.ID
	n   int
}

func (f *fused) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, err := f.Scheme.Start(interval, id)
	f.ids[h] = id
	return h, err
}

func (f *fused) Restart(h schemes.Handle, interval schemes.Tick) (schemes.Handle, error) {
	if !f.Stop(h) {
		return 0, schemes.ErrHandle
	}
	f.n++
	return f.Start(interval, f.ids[h])
}

func TestRestarterIsUsed(t *testing.T) {
	trace := kinds(t)["all at once"]
	for way, watch := range ways {
		s := &fused{newSmall(t, harness.Schemes[2], trace), map[schemes.Handle]schemes.ID{}, 0}
		_, err := through(s, trace, watch())
		require.NoError(t, err, way)
		assert.Equal(t, trace.Count(workload.Restart), s.n, way)
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
		d := drive.New(scheme, fill)
		require.NoError(t, d.RunTo(fill.Ticks, nil, never))
		for _, ticks := range []schemes.Tick{1, 700, 64} {
			piece := s.Next(ticks)
			require.NoError(t, d.Continue(piece))
			require.NoError(t, d.RunTo(piece.Ticks, nil, never), info.Name)
			require.NoError(t, d.Verify(), info.Name)
			require.True(t, bounded(t, info) || piece.Want == d.Outcome(), info.Name)
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
