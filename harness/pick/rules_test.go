package pick

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// on is a race of candidates with these times, by round, that has run for so long.
func on(budget, ran time.Duration, lives ...[]float64) *raceState {
	x := &raceState{Race: Race{Budget: budget, Trace: &workload.Trace{}}, began: time.Now().Add(-ran), quiet: newQuietCore(0), progress: func(int, int, string) {}}
	for i, l := range lives {
		x.all = append(x.all, Result{Subject: run.Subject{Info: &hashunsorted.Info, Slots: 1 << i}, lives: l, runTime: time.Second})
		x.rounds = max(x.rounds, len(l))
	}
	return x
}

func (x *raceState) left() (slots []int) {
	for _, c := range x.all {
		if c.Dropped == "" {
			slots = append(slots, c.Slots)
		}
	}
	return slots
}

// After one round only a far slower candidate drops out, then one whose lower quartile is
// higher, and more of these after three rounds and a part of the budget.
func TestDrop(t *testing.T) {
	for _, c := range []struct {
		name  string
		ran   time.Duration
		lives [][]float64
		left  []int
	}{
		{"a disturbed run", 0, [][]float64{{10}, {24}, {26}}, []int{1, 2}},
		{"the shorter of two", 0, [][]float64{{10, 10}, {90, 14}, {16, 16}}, []int{1, 2}},
		{"early, three are not sure", 0, [][]float64{{10, 10, 10}, {14, 14, 90}, {16, 16, 16}}, []int{1, 2}},
		{"later they are", time.Minute, [][]float64{{10, 10, 10}, {14, 14, 14}, {12, 90, 12}}, []int{1, 4}},
		{"most runs disturbed", time.Minute, [][]float64{{10, 10, 10, 10, 10}, {30, 10, 30, 10, 30}, {13, 13, 10, 13, 13}}, []int{1, 2}},
		{"the best of many", time.Minute, [][]float64{{10, 10, 10}, {11, 11, 11}, {10.5, 10.5, 10.5}, {10.2, 10.2, 10.2}, {11.5, 11.5, 11.5}}, []int{1, 2, 4, 8}},
	} {
		x := on(time.Minute, c.ran, c.lives...)
		x.drop()
		assert.Equal(t, c.left, x.left(), c.name)
	}
	x := on(time.Minute, 0, []float64{10}, []float64{90})
	x.Keep = []string{x.all[1].Subject.String()}
	x.drop()
	assert.Len(t, x.left(), 2, "a candidate to keep stays")
	x = on(time.Minute, time.Minute, []float64{10, 10, 10}, []float64{13, 13, 13}, []float64{10.1, 10.1, 10.1})
	x.all[2].reruns = []float64{11.5, 11.5, 11.5} // runs of one candidate differ by 14 %
	x.drop()
	assert.Len(t, x.left(), 3, "nothing drops out within three times the noise")
}

// A candidate drops out of a thorough race at twice the time of the best, and after seven
// rounds at 1.25 times.
func TestThoroughDrop(t *testing.T) {
	for rounds, left := range map[int][]int{2: {1, 2, 4}, 6: {1, 2, 4}, 7: {1, 2}} {
		lives := make([][]float64, 4)
		for i, ns := range []float64{10, 12, 19, 21} {
			for range rounds {
				lives[i] = append(lives[i], ns)
			}
		}
		x := on(time.Hour, 0, lives...)
		x.Thorough = time.Minute
		x.drop()
		assert.Equal(t, left, x.left(), "after %d rounds", rounds)
	}
}

// Noise is by how much two runs differ, whichever is the longer.
func TestNoise(t *testing.T) {
	x := on(time.Minute, 0, []float64{10, 10, 10})
	assert.Zero(t, noise(x.all))
	for _, again := range []float64{8, 12.5} {
		x.all[0].reruns = []float64{0, again}
		assert.InDelta(t, 0.25, noise(x.all), 1e-9)
	}
}

// With time for few runs, the first go on, and the others are named as cut, not as slower.
func TestAnother(t *testing.T) {
	lives := [][]float64{{10}, {11}, {12}, {13}, {14}, {15}}
	x := on(20*time.Second, 5500*time.Millisecond, lives...)
	require.True(t, x.timeForAnotherRound()) // fourteen runs: four for ticks, two rounds of four and the best again
	assert.Equal(t, []int{1, 2, 4, 8}, x.left())
	assert.True(t, x.all[5].NoTime)
	assert.True(t, on(time.Hour, 0, lives...).timeForAnotherRound())
	x = on(10*time.Second, 6*time.Second, lives...)
	assert.False(t, x.timeForAnotherRound(), "no time for two")
	assert.Len(t, x.left(), 6)
}

// A race is settled after twelve rounds and a part of its budget, unless a candidate may still
// be faster by a twentieth.
func TestSettled(t *testing.T) {
	same := make([]float64, 12)
	for i := range same {
		same[i] = 10
	}
	wild := []float64{12, 8, 12, 8, 12, 8, 12, 8, 12, 8, 12, 13}
	assert.True(t, on(time.Minute, 30*time.Second, same, same).converged())
	assert.False(t, on(time.Minute, time.Second, same, same).converged(), "too early")
	lost := on(time.Minute, 30*time.Second, same, same)
	lost.quiet.lost = 20 * time.Second
	assert.False(t, lost.converged(), "it raced for ten")
	assert.False(t, on(time.Minute, 30*time.Second, same[:11], same[:11]).converged(), "too few")
	assert.False(t, on(time.Minute, 30*time.Second, same, wild).converged(), "open")
}

// Where ticks have a limit, one that is slow may be the only one to keep it: it may take
// longer until its ticks are timed, and those whose ticks were timed do not set the pace for
// the rounds, since the fastest of them may be out.
func TestPatience(t *testing.T) {
	x := on(time.Minute, 0, nil, nil)
	c := &x.all[0]
	assert.EqualValues(t, abandonRatio, x.abandonRatio(c))
	x.Limits.Tail = time.Hour
	assert.EqualValues(t, tailRatio, x.abandonRatio(c))
	x.Keep = []string{x.all[1].Subject.String()}
	assert.True(t, math.IsInf(x.abandonRatio(&x.all[1]), 1))

	w, trace := small(t)
	x.Workload, x.Trace = w, trace
	x.all = []Result{{Subject: run.Subject{Info: &hashunsorted.Info, Slots: 256}}, {Subject: run.Subject{Info: &hierarchical.Info, Levels: []int{16, 16}}}}
	require.NoError(t, x.qualify(context.Background()))
	for i := range x.all {
		assert.Positive(t, x.all[i].Worst)
		assert.EqualValues(t, abandonRatio, x.abandonRatio(&x.all[i]))
	}
	assert.Zero(t, x.shortest)
}

// small is a workload whose runs take some milliseconds.
func small(t *testing.T) (Workload, *workload.Trace) {
	d := workload.Demand{N: 500, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,200ms")}}}
	w := NewWorkload(d.N, d.Lives())
	w.Tick = d.Tick
	trace, err := w.Trace(1)
	require.NoError(t, err)
	return w, trace
}

// A candidate whose later run is abandoned stays, as something disturbed that run; one whose
// first run is abandoned drops out.
func TestDisturbed(t *testing.T) {
	slow := hashunsorted.Info
	slow.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return &dawdler{s.(scheme), 30 * time.Microsecond}, err // more than a second a run
	}
	x := on(time.Hour, 0, []float64{10}, nil)
	x.Workload, x.Trace = small(t)
	for i := range x.all {
		x.all[i].Info = &slow
	}
	x.shortest = 64 * time.Microsecond
	require.NoError(t, x.round(context.Background()))
	assert.Empty(t, x.all[0].Dropped)
	assert.Equal(t, []float64{10}, positive(x.all[0].lives))
	assert.Contains(t, x.all[1].Dropped, "abandoned")
}

// A candidate for which no time is left drops out, but not as slower: before its first run and,
// where ticks have a limit, before its ticks are timed.
func TestNoTimeLeft(t *testing.T) {
	x := on(time.Second, 2*time.Second, []float64{10}, nil)
	x.shortest = time.Millisecond
	require.NoError(t, x.round(context.Background()))
	assert.Empty(t, x.all[0].Dropped)
	assert.True(t, x.all[1].NoTime)
	assert.Equal(t, "no time was left", x.all[1].Dropped)

	x = on(time.Second, 2*time.Second, nil, nil)
	x.Limits.Tail, x.shortest = time.Second, time.Millisecond
	require.NoError(t, x.timeTicks(context.Background(), 2))
	assert.Empty(t, x.left())
	assert.True(t, x.all[1].NoTime)
}

// An interrupted race has no winner whose limits are not known to be kept.
func TestInterruptedLimits(t *testing.T) {
	w := preset(t, "rpc-relay")
	trace, err := w.Trace(1)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	o, err := Race{Workload: w, Trace: trace, Budget: time.Minute, Limits: Limits{Tail: time.Hour}}.Run(ctx, []run.Subject{{Info: &hashunsorted.Info, Slots: 256}, {Info: &hierarchical.Info, Levels: []int{64, 4}}}, func(int, int, string) {
		cancel() // in the first run
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, o.Winners())
}
