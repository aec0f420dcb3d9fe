package run

import (
	"context"
	"errors"
	"testing"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watched makes samples of one cell on a core that is busy as listed, and then quiet.
func watched(t *testing.T, samples int, fail error, busy ...bool) (made int, counts results.Reruns) {
	t.Helper()
	cell := Cell{Name: "a", Rounds: samples, Sample: func(context.Context, int) ([]results.Result, error) {
		made++
		return []results.Result{{Name: "a", Iters: made}}, fail
	}}
	sink := newSink(0)
	_, err := Runner{Cells: []Cell{cell}, Busy: func() bool {
		if len(busy) == 0 {
			return false
		}
		is := busy[0]
		busy = busy[1:]
		return is
	}}.Run(t.Context(), sink, quiet)
	require.NoError(t, err)
	if fail == nil {
		assert.Len(t, sink.results, samples, "one of each sample")
		assert.Equal(t, made, sink.results[samples-1].Iters, "the last one made")
	}
	return made, sink.reruns
}

// A sample that a neighbour disturbed is rerun, twice at most; none begins while a
// neighbour computes.
func TestDisturbedSamplesAreRerun(t *testing.T) {
	for _, test := range []struct {
		busy []bool
		want results.Reruns
	}{
		{nil, results.Reruns{Samples: 2}},
		{[]bool{true, true, false}, results.Reruns{Samples: 2}},
		{[]bool{false, true, false, false}, results.Reruns{Samples: 2, Reruns: 1}},
		{[]bool{false, true, false, true, false, true}, results.Reruns{Samples: 2, Reruns: 2, Disturbed: 1}},
	} {
		made, counts := watched(t, 2, nil, test.busy...)
		assert.Equal(t, test.want, counts)
		assert.Equal(t, 2+test.want.Reruns, made)
	}
	made, counts := watched(t, 1, errors.New("wrong"), false, true, true)
	assert.Equal(t, results.Reruns{Samples: 1}, counts)
	assert.Equal(t, 1, made, "a failure is not rerun")
}

// A neighbour that stays costs what may be lost by waiting, and the samples that may be made again: then
// samples are kept, and counted as disturbed.
func TestANeighbourThatStays(t *testing.T) {
	q := newQuietSamples(Runner{Busy: func() bool { return true }})
	const most = 3500 * time.Millisecond // firstSlack and a fifth of the 16.5 seconds not lost
	q.began = drive.Clock() - 20*time.Second
	q.lost = most - 3*busyPause
	r := plannedRun{Cell: Cell{Sample: func(context.Context, int) ([]results.Result, error) { return nil, nil }}}
	const samples = 100
	for range samples {
		_, err := q.sample(t.Context(), r)
		require.NoError(t, err)
	}
	assert.Equal(t, results.Reruns{Samples: samples, Reruns: firstAgain + samples/5, Disturbed: samples}, q.counts)
	assert.InDelta(t, most, q.lost, float64(3*busyPause))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q = newQuietSamples(Runner{Busy: func() bool { return true }})
	_, err := q.sample(ctx, r)
	require.NoError(t, err)
	assert.Zero(t, q.lost, "an interrupt waits for nothing")
}

// A disturbed sample is made again however long it took.
func TestALongSampleIsRerunToo(t *testing.T) {
	asked, made := 0, 0
	q := newQuietSamples(Runner{Busy: func() bool { asked++; return asked == 2 }}) // after the first try
	_, err := q.sample(t.Context(), plannedRun{Cell: Cell{Sample: func(context.Context, int) ([]results.Result, error) {
		made++
		time.Sleep(2 * firstSlack)
		return nil, nil
	}}})
	require.NoError(t, err)
	assert.Equal(t, 2, made)
	assert.Equal(t, results.Reruns{Samples: 1, Reruns: 1}, q.counts)
}

// A sample that computes and had the core for a part of its time is disturbed; one that may
// wait is not.
func TestADeprivedSampleIsDisturbed(t *testing.T) {
	for _, computes := range []bool{true, false} {
		sink, made := newSink(0), 0
		cell := Cell{Name: "a", Rounds: 1, Sample: func(context.Context, int) ([]results.Result, error) {
			if made++; made == 1 {
				time.Sleep(10 * time.Millisecond) // as if another program had the core
			}
			return []results.Result{{Name: "a", Iters: 1}}, nil
		}}
		_, err := Runner{Cells: []Cell{cell}, Busy: func() bool { return false }, Computes: computes}.Run(t.Context(), sink, quiet)
		require.NoError(t, err)
		if computes {
			assert.Positive(t, sink.reruns.Reruns+sink.reruns.Disturbed)
			assert.Greater(t, made, 1)
			continue
		}
		assert.Equal(t, results.Reruns{Samples: 1}, sink.reruns)
	}
}

// Disturbed work is lost until the slack is used up.
func TestWorkWithANeighbour(t *testing.T) {
	busy := true
	now := time.Second
	clock := func() time.Duration { return now }
	q := Quiet{Slack: 20 * time.Millisecond, Clocks: Clocks{clock, clock},
		Busy: func() bool { busy = !busy; return busy }} // after each piece
	runs := 0
	for counts := false; !counts; runs++ {
		_, cpu, disturbed := q.Time(t.Context(), func() { now += 8 * time.Millisecond })
		require.True(t, disturbed)
		counts = !q.lose(t.Context(), cpu)
	}
	assert.Equal(t, 3, runs, "two, and one that counts")
	assert.Equal(t, 16*time.Millisecond, q.lost)
}

// A core is shared if the probe takes far longer than its minimum; one long probe with a
// short one was interrupted.
func TestNeighbour(t *testing.T) {
	took := []time.Duration{}
	n := &neighbour{probe: func() time.Duration {
		d := took[0]
		took = took[1:]
		return d
	}}
	for _, c := range []struct {
		first, second time.Duration
		busy          bool
	}{
		{200, 210, false}, // all that is known
		{100, 400, false},
		{400, 110, false},
		{126, 190, true},
		{124, 190, false},
		{90, 90, false},
		{113, 113, true},
	} {
		took = []time.Duration{c.first, c.second}
		assert.Equal(t, c.busy, n.Busy(), "%v", c)
	}
}
