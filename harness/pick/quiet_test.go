package pick

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seeing returns a quietCore that finds the core busy as listed.
func seeing(seen ...bool) *quietCore {
	return &quietCore{slack: time.Second, busy: func() bool {
		is := seen[0]
		seen = seen[1:]
		return is
	}}
}

// A run that a neighbour disturbed is repeated, and none begins while a neighbour computes.
func TestQuiet(t *testing.T) {
	q, runs := seeing(true, true, false, true, false, false), 0 // waits twice, runs, runs again
	require.NoError(t, q.run(context.Background(), func() error { runs++; return nil }))
	assert.Equal(t, 2, runs)
	assert.Equal(t, 1, q.reruns)
	assert.GreaterOrEqual(t, q.lost, 2*neighbourPause)
}

// A neighbour is not waited for longer than the slack: then all runs count.
func TestNeighbourThatStays(t *testing.T) {
	q, runs := &quietCore{slack: 5 * neighbourPause, busy: func() bool { return true }}, 0
	for range 3 {
		require.NoError(t, q.run(context.Background(), func() error { runs++; return nil }))
	}
	assert.Equal(t, 3, runs)
	assert.Equal(t, q.slack, q.lost)
	assert.Zero(t, q.reruns)
}

// Disturbed runs count towards the slack, too.
func TestRunsBesideANeighbour(t *testing.T) {
	busy, runs := true, 0
	q := &quietCore{slack: 20 * time.Millisecond, busy: func() bool { busy = !busy; return busy }} // after each run
	require.NoError(t, q.run(context.Background(), func() error {
		runs++
		time.Sleep(8 * time.Millisecond)
		return nil
	}))
	assert.Equal(t, q.reruns+1, runs)
	assert.LessOrEqual(t, runs, 4, "three, and one that counts")
	assert.GreaterOrEqual(t, q.lost, q.slack)
}

// A disturbed run that was abandoned is repeated, one that failed is not.
func TestQuietErrors(t *testing.T) {
	broken, runs := errors.New("broken"), 0
	err := seeing(false, true, false).run(context.Background(), func() error {
		if runs++; runs == 1 {
			return errAbandoned
		}
		return broken
	})
	assert.ErrorIs(t, err, broken)
	assert.Equal(t, 2, runs)
}

// Races and calibrations watch for neighbours.
func TestWhoWatches(t *testing.T) {
	assert.Equal(t, 10*time.Second, Race{Budget: 40 * time.Second}.begin(nil, nil).quiet.slack)
	assert.Equal(t, time.Second, Race{Budget: time.Hour, Thorough: 4 * time.Second}.begin(nil, nil).quiet.slack)

	x := on(time.Hour, 0, nil)
	x.Workload, x.Trace = small(t)
	x.quiet = seeing(true, false, true, false, false, false, false)
	require.NoError(t, x.round(context.Background()))
	assert.Equal(t, 1, x.quiet.reruns)
	assert.Len(t, x.all[0].lives, 1)

	seen := 0
	q := &quietCore{slack: time.Hour, busy: func() bool { seen++; return seen == 2 }}
	some := Calibration{Lives: 2000}.trainings(1000)[0]
	require.NoError(t, some.time(context.Background(), q, map[string][]timing{}))
	assert.Equal(t, 1, q.reruns)
}

func TestInterruptDoesNotWait(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	q := &quietCore{slack: time.Hour, busy: func() bool { return true }}
	cancel()
	assert.ErrorIs(t, q.run(ctx, ctx.Err), context.Canceled)
	assert.Zero(t, q.lost)
}
