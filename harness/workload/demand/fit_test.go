package demand

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a demand makes is found again, up to what two forms have in common.
func TestFitTo(t *testing.T) {
	for _, c := range []struct {
		class    Class
		interval string
		off      float64
	}{
		{Class{Interval: must("const:30s")}, "const:30s", 1e-9},
		{Class{Interval: must("const:30s"), Restart: must("exp:5s")}, "const:30s", 0.02},
		{Class{Interval: must("uniform:1s,9s")}, "uniform:1.0", 0.02},
		{Class{Interval: must("lognormal:2s,3s"), Stop: must("exp:100ms"), Stops: 0.9}, "lognormal:", 0.02},
		{Class{Interval: must("exp:10s")}, "exp:", 0.02},
		{Class{Interval: must("mix:0.6*const:1s+0.4*const:60s"), Stop: must("const:500ms"), Stops: 0.5}, "mix:0.6", 1e-3},
	} {
		c.class.Share = 1
		d := Demand{1000, 10 * time.Millisecond, []Class{c.class}}
		want := d.Numbers()
		f, err := FitTo(d.N, d.Tick, d.Lives())
		require.NoError(t, err)
		got := f.Numbers()
		assert.Contains(t, f.Classes[0].Interval.String(), c.interval)
		assert.InEpsilon(t, want.Residence, got.Residence, 0.05, c.interval)
		assert.InDelta(t, want.Stopped, got.Stopped, 0.02, c.interval)
		assert.InDelta(t, want.Restarted, got.Restarted, 0.02, c.interval)
		for what, off := range f.Off {
			assert.LessOrEqual(t, off, c.off+1.0/points, "%s of %s", what, c.interval)
		}
		require.NoError(t, f.Check())
	}
}

// Some restarts, and a mix of their times.
func TestFitToSomeRestarts(t *testing.T) {
	d := Demand{1000, time.Millisecond, []Class{
		{Share: 0.3, Interval: must("const:5s"), Restart: must("mix:0.5*const:1s+0.5*const:2s")}, {Share: 0.7, Interval: must("const:5s")},
	}}
	f, err := FitTo(d.N, d.Tick, d.Lives())
	require.NoError(t, err)
	assert.InDelta(t, 0.3, f.Numbers().Restarted, 0.02)
	assert.Contains(t, f.Classes[0].Restart.String(), "const:9999y")
	assert.InEpsilon(t, d.Numbers().Residence, f.Numbers().Residence, 0.1)
}
