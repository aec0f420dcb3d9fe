package run

import (
	"testing"
	"time"

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/schemes"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An operation whose laps are short against the clock says how short they are. What the clock saw no time
// pass in has no time of 0, of which there are no ratios.
func TestShortLaps(t *testing.T) {
	const limit = 1000 // ns
	w := &drive.Stopwatch{}
	w.N[drive.Starts], w.Laps[drive.Starts], w.Time[drive.Starts] = 320, 20, 20*999
	w.N[drive.Stops], w.Laps[drive.Stops], w.Time[drive.Stops] = 320, 20, 20*1000
	w.N[drive.Ticks], w.Laps[drive.Ticks] = 1, 1
	rows := operations("scheme=x", w, limit)
	require.Len(t, rows, 2, "no PerTick")
	assert.Equal(t, 999.0, rows[0].Value(units.ShortLap))
	assert.Zero(t, rows[1].Value(units.ShortLap))
}

func TestPercentilesBelowTheLimitAreLeftOut(t *testing.T) {
	const limit = 1000 // ns
	all := []string{"p50-ns", "p99-ns", "p99.9-ns", "max-ns", "max-at-tick", "limit-ns"}
	// By the ticks of 5000 ns among the 1000.
	for slow, want := range map[int][]string{0: all[5:], 1: all[3:], 5: all[2:], 20: all[1:], 600: all} {
		l := NewLatencies()
		assert.True(t, l.Each())
		for i := range 1000 {
			took := time.Duration(50)
			if i >= 300 && i < 300+slow {
				took = 5000
			}
			l.record(took)
		}
		r := l.result("PerTickLatency/scheme=x", limit)
		assert.Equal(t, "PerTickLatency/scheme=x", r.Name)
		assert.Equal(t, 1000, r.Iters)
		var units []string
		for _, v := range r.Values {
			units = append(units, v.Unit)
		}
		assert.Equal(t, want, units, "%d slow ticks", slow)
		assert.Equal(t, 1000.0, r.Value("limit-ns"))
		if at := r.Value("max-at-tick"); at > 0 {
			assert.Equal(t, 301.0, at, "the first of the worst, counted from 1")
		}
		if p99 := r.Value("p99-ns"); p99 > 0 {
			assert.InEpsilon(t, 5000, p99, 0.001)
		}
	}
}

// The worst tick is exact, though a time is rounded, and of PerTick alone.
func TestLatencies(t *testing.T) {
	l := NewLatencies()
	for lap := range drive.NumLaps {
		l.Begin()
		l.End(lap, 1)
	}
	assert.Equal(t, 1, l.Count())
	l.worst, l.worstTick = time.Second, 12_345_679
	r := l.result("PerTickLatency/scheme=x", 1000)
	assert.Equal(t, 12_345_679.0, r.Value("max-at-tick"))
	assert.Equal(t, []float64{0, 1}, []float64{r.Value(units.MostMigrations), r.Value(units.MostExpiries)})
	migrated := uint64(0)
	l.counts = func() schemes.Counts { return schemes.Counts{Migrations: migrated} }
	for _, migrated = range []uint64{3, 10, 11} {
		l.End(drive.Ticks, 1)
	}
	l.End(drive.Expires, 5)
	r = l.result("PerTickLatency/scheme=x", 1000)
	assert.Equal(t, []float64{7, 5}, []float64{r.Value(units.MostMigrations), r.Value(units.MostExpiries)}, "of a tick")
}
