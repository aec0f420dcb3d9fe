package run

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// No piece begins while a neighbour computes; one that was disturbed meanwhile is reported.
func TestQuiet(t *testing.T) {
	busy := []bool{true, true, false, false, false, true}
	q := Quiet{Slack: time.Minute, Busy: func() (is bool) { is, busy = busy[0], busy[1:]; return is }}
	for _, want := range []struct {
		left      int // of busy, when the piece begins
		disturbed bool
	}{{3, false}, {1, true}} {
		_, disturbed := q.Time(t.Context(), func() { assert.Len(t, busy, want.left) })
		assert.Equal(t, want.disturbed, disturbed)
	}
	assert.Equal(t, 2*busyPause, q.lost)
}

// A neighbour that stays costs what may be lost by waiting, and an interrupt waits for nothing.
func TestANeighbourThatStays(t *testing.T) {
	now := time.Minute
	clock := func() time.Duration { return now }
	always := func() bool { return true }
	q := Quiet{Slack: busyPause, Share: 0.5, Busy: always, Clocks: Clocks{clock, clock}}
	assert.False(t, q.Wait(t.Context()))
	assert.Equal(t, busyPause, q.lost)
	now += 5 * busyPause
	_, disturbed := q.Time(t.Context(), func() {})
	assert.True(t, disturbed)
	assert.Equal(t, 2*busyPause, q.lost, "and half of the three that were not lost")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q = Quiet{Slack: time.Minute, Busy: always}
	assert.False(t, q.Wait(ctx))
	assert.Zero(t, q.lost)
}

// A core is shared if the probe takes far longer than its minimum; one long probe with a short one was interrupted.
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
