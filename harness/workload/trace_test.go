package workload

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/schemes"
)

// Streams change on purpose only: results of different streams cannot be
// compared. A commit that changes one changes these numbers too.
func TestStreamsAreTheSameForEver(t *testing.T) {
	for _, c := range []struct {
		spec     Spec
		ops      int
		checksum uint64
		hash     uint64
	}{
		{Spec{N: 1000, T: 100, Ticks: 1000}, 11000, 0xbdd25eb946c9ab16, 0x57ada358514e8c51},
		{Spec{N: 1000, T: 100, Dist: Uniform, Ticks: 1000, Seed: 1}, 11050, 0xa63563cdf842b0d2, 0x67f0844598e277ac},
		{Spec{N: 1000, T: 10_000, Dist: Exp, Ticks: 100_000, Seed: 2}, 11041, 0x932e630221be1d42, 0x2ca68fb5ec7c8ffa},
		{Spec{N: 1000, T: 100, Dist: Exp, Ticks: 1000, Stop: 0.9, StopAt: 0.05}, 19363, 0x7f6a2bde1399c387, 0x2db48624c440284},
		{Spec{N: 1000, T: 100, Dist: Pareto, Ticks: 1000, Arrivals: Poisson}, 10876, 0x7fc3992d69bca8b3, 0xcf4237ba8c2ff852},
		{Spec{N: 1000, T: 100, Dist: Bimodal, Ticks: 1000, Restart: 0.5, RestartAt: 0.3, Every: 16}, 9385, 0xe68755b41a4492f, 0x23e02c0e47b2ca60},
		{Spec{N: 1000, T: 5000, Dist: LogUniform, Ticks: 20_000, Stop: 0.3, StopAt: 0.5, Restart: 0.3, RestartAt: 0.3, Every: 64, Arrivals: Poisson, Seed: 3}, 5889, 0x7654da9cdd8dc926, 0x9fe07ebf71027126},
		{Spec{N: 1000, T: 100, Dist: erlang, Ticks: 1000}, 10976, 0x560408aa93a72049, 0xb7350c44d6074521},
		{Spec{N: 10, T: 1_000_000_000, Ticks: 10_000_000_000}, 110, 0x9a4819cd819894c6, 0x9591ac42fa364ee4},
	} {
		trace := traced(t, c.spec)
		got := fmt.Sprintf("%d, %#x, %#x", len(trace.Ops), trace.Want.Checksum, trace.Hash)
		assert.Equal(t, fmt.Sprintf("%d, %#x, %#x", c.ops, c.checksum, c.hash), got, "%+v", c.spec)
	}
}

// A number's lifetimes do not depend on how many other numbers there are.
func TestHoldLivesDependOnTheirNumberAlone(t *testing.T) {
	of := func(n int) [][]Op {
		trace := traced(t, Spec{N: n, T: 20, Dist: Exp, Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.5, Ticks: 500})
		lives := make([][]Op, n)
		for _, op := range trace.Ops {
			lives[op.Timer] = append(lives[op.Timer], op)
		}
		return lives
	}
	assert.Equal(t, of(10), of(100)[:10])
}

func TestEdges(t *testing.T) {
	for _, c := range []struct {
		why        string
		spec       Spec
		operations int
		want       Outcome // but for the checksum
	}{
		{"1 timer of 1 tick expires every tick", Spec{N: 1, T: 1, Ticks: 10}, 11, Outcome{Started: 11, Expired: 10, Outstanding: 1}},
		{"the last tick's expiries count and are answered", Spec{N: 3, T: 1, Ticks: 1}, 6, Outcome{Started: 6, Expired: 3, Outstanding: 3}},
		{"no ticks: the prefill alone", Spec{N: 100, T: 50, Dist: Exp}, 100, Outcome{Started: 100, Outstanding: 100}},
		{"Every beyond the run: what expires is not answered", Spec{N: 100, T: 5, Ticks: 50, Every: 60}, 100,
			Outcome{Started: 100, Expired: 100}},
		{"every timer of 1 tick expires, though all should be stopped", Spec{N: 50, T: 1, Ticks: 100, Stop: 1}, 5050,
			Outcome{Started: 5050, Expired: 5000, Outstanding: 50}},
	} {
		trace := traced(t, c.spec)
		assert.Equal(t, c.operations, len(trace.Ops), c.why)
		c.want.Checksum = trace.Want.Checksum
		assert.Equal(t, c.want, trace.Want, c.why)
	}
	assert.Equal(t, Mix(1, 0)+Mix(1, 1)+Mix(1, 2), traced(t, Spec{N: 3, T: 1, Ticks: 1}).Want.Checksum)
	trace := traced(t, Spec{N: 50, T: 10, Ticks: 1000, Restart: 1, RestartAt: 0.5, Arrivals: Poisson})
	assert.Equal(t, []int{50, 50, 0}, []int{trace.Timers, trace.Count(Start), trace.Count(Stop)}, "every timer restarted: no starts")
	assert.InDelta(t, 5000, trace.Count(Restart), 50)
	assert.Zero(t, trace.Want.Expired)
	few := Spec{N: 10, T: MaxMean, Dist: Pareto, Ticks: MaxTicks >> 12}
	assert.Greater(t, traced(t, few).Longest, schemes.Tick(MaxMean), "few timers, long ticks")
}
