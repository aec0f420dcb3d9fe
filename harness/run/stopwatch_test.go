package run

import (
	"testing"
	"time"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
)

func TestMeasureClock(t *testing.T) {
	q := MeasureClock()
	assert.Positive(t, q.Resolution)
	assert.Positive(t, q.Cost)
	assert.Equal(t, 100*q.Resolution, q.Limit())

	least := time.Hour
	for last, i := read(), 0; i < 100_000; i++ {
		now := read()
		if d := now - last; d > 0 {
			least = min(least, d)
		}
		last = now
	}
	assert.GreaterOrEqual(t, q.Resolution, least/2, "what the clock is seen to resolve")
	assert.LessOrEqual(t, q.Resolution, 2*least)
}

// counting is a scheme whose counts the test sets.
type counting struct {
	schemes.Scheme
	counts schemes.Counts
}

func (c *counting) Counts() schemes.Counts { return c.counts }

// passTime returns when the clock has gone on, however coarse it is.
func passTime() {
	for begun := read(); read() == begun; {
	}
}

func TestStopwatchAddsUpByLap(t *testing.T) {
	s := &counting{counts: schemes.Counts{Compares: 1000, Visits: 1000}}
	w := newStopwatch(s)
	assert.False(t, w.Each())
	total := time.Duration(0)
	begun := read()
	for i, l := range []Lap{Starts, Ticks, Starts, Expires} {
		w.Begin()
		s.counts.Compares += uint64(i + 1)
		s.counts.Visits += 10
		s.counts.Links += 2
		s.counts.Migrations += 3
		s.counts.EmptySlots += 4
		passTime()
		w.End(l, 5*(i+1))
	}
	for _, took := range w.time {
		assert.GreaterOrEqual(t, took, time.Duration(0))
		total += took
	}
	assert.LessOrEqual(t, total, read()-begun)
	assert.Equal(t, [NumLaps]uint64{Starts: 20, Ticks: 10, Expires: 20}, w.n)
	assert.Equal(t, schemes.Counts{Compares: 4, Visits: 20, Links: 4, Migrations: 6, EmptySlots: 8}, w.counts[Starts], "without what was counted before")
	assert.Equal(t, schemes.Counts{Compares: 2, Visits: 10, Links: 2, Migrations: 3, EmptySlots: 4}, w.counts[Ticks])
	assert.Zero(t, w.counts[Stops])

	rows := operations("scheme=x", w, ClockQuality{})
	require.Len(t, rows, 3, "laps without operations have no line")
	assert.Equal(t, "Start/scheme=x", rows[0].Name)
	assert.Equal(t, 20, rows[0].Iters)
	for unit, want := range map[string]float64{results.ComparesPerOp: 0.2, results.VisitsPerOp: 1, results.LinksPerOp: 0.2, results.MigrationsPerOp: 0.3, results.EmptyPerOp: 0.4, "ns/op": float64(w.time[Starts]) / 20} {
		got, ok := value(rows[0], unit)
		assert.True(t, ok, unit)
		assert.Equal(t, want, got, unit)
	}
}

func TestStopwatchWithoutCounts(t *testing.T) {
	s, err := harness.Null.New(schemes.Config{})
	require.NoError(t, err)
	w := newStopwatch(s)
	w.Begin()
	passTime()
	w.End(Stops, 2)
	rows := operations("scheme=null", w, ClockQuality{})
	require.Len(t, rows, 1)
	assert.Len(t, rows[0].Values, 1, "time alone")
}

// What the clock saw no time pass in has no time of 0, of which there are no ratios.
func TestNoTimeIsNoResult(t *testing.T) {
	w := &stopwatch{n: [NumLaps]uint64{Starts: 1, Stops: 1}}
	w.time[Stops], w.laps[Stops] = 20, 1
	rows := operations("scheme=x", w, ClockQuality{})
	require.Len(t, rows, 1)
	assert.Equal(t, "Stop/scheme=x", rows[0].Name)
}

// An operation whose laps are short against the clock says how short they are.
func TestShortLapsAreTold(t *testing.T) {
	clock := ClockQuality{Resolution: 10} // the limit is 1000 ns
	w := &stopwatch{}
	w.n[Starts], w.laps[Starts], w.time[Starts] = 320, 20, 20*999
	w.n[Stops], w.laps[Stops], w.time[Stops] = 320, 20, 20*1000
	rows := operations("scheme=x", w, clock)
	require.Len(t, rows, 2)
	short, ok := value(rows[0], results.ShortLap)
	assert.True(t, ok)
	assert.Equal(t, 999.0, short)
	assert.NotContains(t, unitsOf(rows[1]), results.ShortLap)

	w = newStopwatch(&counting{})
	for range 3 {
		w.Begin()
		w.End(Ticks, 5)
	}
	assert.EqualValues(t, 3, w.laps[Ticks])
}

// unitsOf returns the units of a result in order.
func unitsOf(r results.Result) []string {
	var units []string
	for _, v := range r.Values {
		units = append(units, v.Unit)
	}
	return units
}

func TestPercentilesBelowTheLimitAreLeftOut(t *testing.T) {
	clock := ClockQuality{Resolution: 10} // the limit is 1000 ns
	for _, c := range []struct {
		slow int // ticks of 5000 ns among the 1000
		want []string
	}{
		{0, []string{"limit-ns"}},
		{1, []string{"max-ns", "max-at-tick", "limit-ns"}},
		{5, []string{"p99.9-ns", "max-ns", "max-at-tick", "limit-ns"}},
		{20, []string{"p99-ns", "p99.9-ns", "max-ns", "max-at-tick", "limit-ns"}},
		{600, []string{"p50-ns", "p99-ns", "p99.9-ns", "max-ns", "max-at-tick", "limit-ns"}},
	} {
		l := NewLatencies()
		assert.True(t, l.Each())
		for i := range 1000 {
			took := time.Duration(50)
			if i >= 300 && i < 300+c.slow {
				took = 5000
			}
			l.record(took)
		}
		r := l.result("PerTickLatency/scheme=x", clock)
		assert.Equal(t, "PerTickLatency/scheme=x", r.Name)
		assert.Equal(t, 1000, r.Iters)
		assert.Equal(t, c.want, unitsOf(r), "%d slow ticks", c.slow)
		limit, _ := value(r, "limit-ns")
		assert.Equal(t, 1000.0, limit)
		if at, ok := value(r, "max-at-tick"); ok {
			assert.Equal(t, 301.0, at, "the first of the worst, counted from 1")
		}
		if p99, ok := value(r, "p99-ns"); ok {
			assert.InEpsilon(t, 5000, p99, 0.001)
		}
	}
}

// The tick says whether wheels came round: it must not be rounded as times are.
func TestTheWorstTickIsExact(t *testing.T) {
	l := NewLatencies()
	l.worst, l.worstTick = time.Second, 12_345_679
	at, ok := value(l.result("PerTickLatency/scheme=x", ClockQuality{Resolution: 10}), "max-at-tick")
	assert.True(t, ok)
	assert.Equal(t, 12_345_679.0, at)
}

func TestLatenciesAreOfTicksAlone(t *testing.T) {
	l := NewLatencies()
	for lap := range NumLaps {
		l.Begin()
		l.End(lap, 1)
	}
	assert.Equal(t, 1, l.tick)
	assert.EqualValues(t, 1, l.ticks.TotalCount())
	assert.Equal(t, "PerTickLatency/x", Latency.cellName("x"))
}
