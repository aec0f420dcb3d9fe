package demand

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// What a demand makes is found again, up to what two forms have in common.
func TestFitTo(t *testing.T) {
	for _, c := range []struct {
		classes           []Class
		interval, restart string // of the only class found
		off, stay         float64
	}{
		{[]Class{{Interval: must("const:30s")}}, "const:30s", "", 1e-9, 0.05},
		{[]Class{{Interval: must("const:30s"), Restart: End{1, must("exp:5s")}}}, "const:30s", "exp:", 0.02, 0.05},
		{[]Class{{Interval: must("uniform:1s,9s")}}, "uniform:1.0", "", 0.02, 0.05},
		{[]Class{{Interval: must("lognormal:2s,3s"), Stop: End{0.9, must("exp:100ms")}}}, "lognormal:", "", 0.02, 0.05},
		{[]Class{{Interval: must("exp:10s")}}, "exp:", "", 0.02, 0.05},
		{[]Class{{Interval: must("mix:0.6*const:1s+0.4*const:60s"), Stop: End{0.5, must("const:500ms")}}}, "mix:0.6", "", 1e-3, 0.05},
		// A restart that comes before a stop wins, as it did in what was seen.
		{[]Class{
			{Interval: must("const:1s"), Stop: End{1, must("const:500ms")}}, {Interval: must("const:1s"), Restart: End{1, must("const:10ms")}},
		}, "const:1s", "0.5@", 1, 1},
		{[]Class{
			{Share: 0.3, Interval: must("const:5s"), Restart: End{1, must("mix:0.5*const:1s+0.5*const:2s")}}, {Share: 0.7, Interval: must("const:5s")},
		}, "const:5s", "0.3@mix:0.", 0.02, 0.1},
	} {
		for i := range c.classes {
			c.classes[i].Share = cmp.Or(c.classes[i].Share, 1)
		}
		d := Demand{1000, 10 * time.Millisecond, c.classes}
		want := d.Numbers()
		f, offs := FitTo(d.N, d.Tick, d.Lives())
		got := f.Numbers()
		assert.Contains(t, f.Classes[0].Interval.String(), c.interval)
		assert.Contains(t, f.Classes[0].Restart.String(), c.restart)
		assert.InEpsilon(t, want.MeanStay, got.MeanStay, c.stay, c.interval)
		assert.InDelta(t, want.Stopped, got.Stopped, 0.02, c.interval)
		assert.InDelta(t, want.Restarted, got.Restarted, 0.02, c.interval)
		for what, off := range offs {
			assert.LessOrEqual(t, off, c.off+1.0/points, "%s of %s", what, c.interval)
		}
		require.NoError(t, f.Check())
	}
}

// Whatever the shares are, the fit is a demand.
func TestFitToAnyShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lives []workload.Life
		for range rapid.IntRange(1, 12).Draw(t, "lives") {
			interval := schemes.Tick(rapid.Uint64Range(2, 1<<48).Draw(t, "interval"))
			stay := schemes.Tick(rapid.Uint64Range(1, uint64(interval)).Draw(t, "stay"))
			lives = append(lives, workload.Life{Interval: interval, Stay: stay, Share: rapid.Float64Range(1e-6, 1).Draw(t, "share"), Restarts: rapid.Bool().Draw(t, "restarts") && stay < interval})
		}
		f, _ := FitTo(10, 10*time.Millisecond, lives)
		require.InDelta(t, 1, f.Numbers().Expired+f.Numbers().Stopped+f.Numbers().Restarted, 1e-6)
	})
}
