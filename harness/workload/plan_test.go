package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"

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

// The first outputs of SplitMix64 for the seed 1234567, as its reference implementation has them.
func TestRandomIsSplitMix64(t *testing.T) {
	r := random(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		assert.Equal(t, want, r.next())
	}
}
