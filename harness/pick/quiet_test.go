package pick

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// told is a quiet that sees a neighbour as it is told.
func told(seen ...bool) *quietCore {
	return &quietCore{slack: time.Second, busy: func() bool {
		is := seen[0]
		seen = seen[1:]
		return is
	}}
}

// A run beside which a neighbour computes is made again, and none begins while it does.
func TestQuiet(t *testing.T) {
	q, runs := told(true, true, false, true, false, false), 0 // waits twice, runs, runs again
	require.NoError(t, q.run(context.Background(), func() error { runs++; return nil }))
	assert.Equal(t, 2, runs)
	assert.Equal(t, 1, q.reruns)
	assert.GreaterOrEqual(t, q.lost, 2*neighbourPause)
}

// What takes longer than there is to spare is not waited for: then all runs count.
func TestNeighbourThatStays(t *testing.T) {
	q, runs := &quietCore{slack: 5 * neighbourPause, busy: func() bool { return true }}, 0
	for range 3 {
		require.NoError(t, q.run(context.Background(), func() error { runs++; return nil }))
	}
	assert.Equal(t, 3, runs)
	assert.Equal(t, q.slack, q.lost)
	assert.Zero(t, q.reruns)
}

// Runs beside a neighbour take of the time to spare, too.
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

// Who was given up beside a neighbour runs again, who is wrong does not.
func TestQuietErrors(t *testing.T) {
	broken, runs := errors.New("broken"), 0
	err := told(false, true, false).run(context.Background(), func() error {
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
	x.quiet = told(true, false, true, false, false, false, false)
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
