package pick

import (
	"context"
	"testing"
	"time"

	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
)

// seeing returns a quietCore that finds the core busy as listed.
func seeing(seen ...bool) *quietCore {
	return &quietCore{slack: time.Second, busy: func() bool {
		is := seen[0]
		seen = seen[1:]
		return is
	}}
}

// A run that a neighbour disturbed does not count, and none begins while a neighbour computes.
func TestQuiet(t *testing.T) {
	q, runs := seeing(true, true, false, true, false, false), 0 // it waits twice
	for _, want := range []bool{false, true} {
		_, counts := q.time(context.Background(), func() { runs++ })
		assert.Equal(t, want, counts)
	}
	assert.Equal(t, 2, runs)
	assert.Equal(t, 1, q.disturbed)
	assert.GreaterOrEqual(t, q.lost, 2*neighbourPause)
}

// A neighbour is not waited for longer than the slack: then all runs count.
func TestNeighbourThatStays(t *testing.T) {
	q := &quietCore{slack: 5 * neighbourPause, busy: func() bool { return true }}
	for range 3 {
		_, counts := q.time(context.Background(), func() {})
		assert.True(t, counts)
	}
	assert.Equal(t, q.slack, q.lost)
	assert.Zero(t, q.disturbed)
}

// Disturbed runs count towards the slack, too.
func TestRunsWithANeighbour(t *testing.T) {
	busy := true
	q := &quietCore{slack: 20 * time.Millisecond, busy: func() bool { busy = !busy; return busy }} // after each run
	runs := 0
	for counts := false; !counts; runs++ {
		_, counts = q.time(context.Background(), func() {
			for began := run.CPUTime(); run.CPUTime()-began < 8*time.Millisecond; {
			}
		})
	}
	assert.Equal(t, q.disturbed+1, runs)
	assert.LessOrEqual(t, runs, 4, "three, and one that counts")
	assert.GreaterOrEqual(t, q.lost, q.slack)
}

func TestInterruptDoesNotWait(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	q := &quietCore{slack: time.Hour, busy: func() bool { return true }}
	cancel()
	_, counts := q.time(ctx, func() {})
	assert.True(t, counts)
	assert.Zero(t, q.lost)
}
