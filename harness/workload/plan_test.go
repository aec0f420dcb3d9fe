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

func TestFatesComeAtTheirShares(t *testing.T) {
	p, err := Spec{N: 1, T: 1000, Stop: 0.3, StopAt: 0.5, Restart: 0.6, RestartAt: 0.5}.plan()
	require.NoError(t, err)
	const draws = 100_000
	var counts [fates]float64
	for i := range uint64(draws) {
		r := newRandom(3, forLives, i)
		counts[p.fresh(&r).Fate()]++
	}
	assert.InDelta(t, 0.1, counts[Expired]/draws, 0.005)
	assert.InDelta(t, 0.3, counts[Stopped]/draws, 0.006)
	assert.InDelta(t, 0.6, counts[Restarted]/draws, 0.007)
}

// Whatever is found outstanding has something left, and stops before it expires.
func TestAgedLivesArePossible(t *testing.T) {
	for _, every := range []schemes.Tick{1, 16} {
		for _, d := range Dists() {
			p, err := Spec{N: 1, T: 50, Dist: d, Every: every, Stop: 0.5, StopAt: 0.1, Restart: 0.2, RestartAt: 0.9}.plan()
			require.NoError(t, err)
			for i := range uint64(10_000) {
				r := newRandom(3, forLives, i)
				l := p.aged(&r)
				require.GreaterOrEqual(t, l.Stay, schemes.Tick(1))
				if l.Fate() == Expired {
					require.Equal(t, l.Interval, l.Stay)
				} else {
					require.Less(t, l.Stay, l.Interval)
					require.Zero(t, l.Stay%every)
				}
			}
		}
	}
}

// A table of two intervals, worked out by hand: half of the lifetimes are of 1
// tick, half of 3. Of the timers found outstanding 1 in 4 is of the short kind,
// and 1 in 4 each is of the long kind with 1, 2 and 3 ticks left.
func TestAgedByHand(t *testing.T) {
	p := plan{every: 1, intervals: make([]schemes.Tick, Points), share: [fates]uint64{whole, 0, 0}}
	for i := range p.intervals {
		p.intervals[i] = schemes.Tick(1 + 2*(i%2))
	}
	assert.Equal(t, uint64(2*Points*whole), p.weigh())
	var left [4]float64
	for i := range uint64(40_000) {
		r := newRandom(4, forLives, i)
		left[p.aged(&r).Stay]++
	}
	assert.InDeltaSlice(t, []float64{0, 0.5, 0.25, 0.25}, []float64{0, left[1] / 40_000, left[2] / 40_000, left[3] / 40_000}, 0.01)
}
