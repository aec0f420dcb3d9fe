package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

func TestEndOfALifetime(t *testing.T) {
	const half, all = whole / 2, whole
	for _, c := range []struct {
		every, interval schemes.Tick
		at              uint64
		wanted, fate    Fate
		stay            schemes.Tick
		why             string
	}{
		{1, 10, half, Expired, Expired, 10, "expiry is at the interval"},
		{1, 10, half, Stopped, Stopped, 5, "a stop is at its fraction"},
		{1, 11, half, Restarted, Restarted, 6, "rounded to whole ticks"},
		{1, 10, 0, Stopped, Stopped, 1, "after 1 tick at least"},
		{1, 10, all, Stopped, Stopped, 9, "and 1 tick before the expiry at least"},
		{1, 2, half, Stopped, Stopped, 1, "both at once"},
		{1, 1, half, Stopped, Expired, 1, "which 1 tick has no room for"},
		{8, 10, half, Stopped, Stopped, 8, "a stop waits for the next multiple"},
		{8, 16, half, Stopped, Stopped, 8, "unless it is at one"},
		{8, 8, half, Stopped, Expired, 8, "on the tick of the expiry it is too late"},
		{8, 7, 0, Restarted, Expired, 7, "and after it"},
	} {
		p := plan{every: c.every}
		p.at[Stopped], p.at[Restarted] = c.at, c.at
		l := p.life(c.interval, c.wanted)
		assert.Equal(t, c.interval, l.Interval, c.why)
		assert.Equal(t, c.stay, l.Stay, c.why)
		assert.Equal(t, c.fate, l.Fate(), c.why)
	}
}

// Two kinds of lifetime, worked out by hand: half of them are of 1 tick, half of 3. Of the timers found
// outstanding 1 in 4 is of the short kind, and 1 in 4 each is of the long kind with 1, 2 and 3 ticks
// left. Where operations are on even ticks only, the turns are 2 and 4: 1 in 3 is of the short kind, and
// 1 in 3 each is of the long kind with 1 and 3 left.
func TestAgedByHand(t *testing.T) {
	lives := []Life{{Interval: 1, Stay: 1, Share: 0.5}, {Interval: 3, Stay: 3, Share: 0.5}}
	for every, want := range map[schemes.Tick][]float64{1: {0, 0.5, 0.25, 0.25}, 2: {0, 2. / 3, 0, 1. / 3}} {
		d := newDrawn(lives, every)
		left := make([]float64, 4)
		const draws = 40_000
		for i := range uint64(draws) {
			r := newRandom(4, forLives, i)
			l, age := d.aged(&r, 0)
			require.Contains(t, []schemes.Tick{1, 3}, l.Interval+age)
			left[l.Stay] += 1. / draws
		}
		assert.InDeltaSlice(t, want, left, 0.01)
	}
}
