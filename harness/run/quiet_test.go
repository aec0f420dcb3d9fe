package run

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// No pass begins while a neighbour computes. One that stays costs what may be lost by waiting, and an interrupt waits for
// nothing.
func TestQuiet(t *testing.T) {
	busy := []bool{true, true, false}
	now := time.Minute
	clock := func() time.Duration { return now }
	q := quietCore{slack: time.Minute, busy: func() (is bool) { is, busy = busy[0], busy[1:]; return is }, clock: clock}
	q.wait(t.Context())
	assert.Empty(t, busy)
	assert.Equal(t, 2*busyPause, q.lost)

	always := func() bool { return true }
	q = quietCore{slack: busyPause, share: 0.5, busy: always, clock: clock}
	q.wait(t.Context())
	assert.Equal(t, busyPause, q.lost)
	now += 5 * busyPause
	q.wait(t.Context())
	assert.Equal(t, 2*busyPause, q.lost, "and half of the three that were not lost")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q = quietCore{slack: time.Minute, busy: always, clock: clock}
	q.wait(ctx)
	assert.Zero(t, q.lost)
}

// A core is shared if the probe takes far longer than its minimum; one long probe with a short one was interrupted.
func TestNeighbour(t *testing.T) {
	took := []time.Duration{}
	busy := neighbour(func() time.Duration {
		d := took[0]
		took = took[1:]
		return d
	})
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
		assert.Equal(t, c.busy, busy(), "%v", c)
	}
}
