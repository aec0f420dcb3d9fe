package cost_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/cost"
	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// countsOf runs a workload without timing and returns the operations counted
// after the prefill, and the lifetimes begun.
func countsOf(t *testing.T, name string, cfg schemes.Config, spec workload.Spec) (schemes.Counts, float64) {
	t.Helper()
	trace, err := spec.Trace()
	require.NoError(t, err)
	info, err := harness.Find(name)
	require.NoError(t, err)
	s, err := info.New(cfg)
	require.NoError(t, err)
	d := drive.New(s, trace)
	require.NoError(t, d.Fill())
	before := s.(schemes.Counter).Counts()
	require.NoError(t, d.Run(nil))
	require.NoError(t, d.Verify())
	return s.(schemes.Counter).Counts().Sub(before), float64(trace.Lifetimes())
}

// Per-lifetime counts are means over L lifetimes; they agree with the formula within 5 standard errors. A lifetime's
// count is bounded by the life's own extremes, so the spread of the lives gives the error.
func tolerance(lives []workload.Life, of func([]workload.Life) float64, lifetimes float64) float64 {
	mean, square := 0.0, 0.0
	for _, l := range lives {
		x := of([]workload.Life{{Interval: l.Interval, Stay: l.Stay, Share: 1}})
		mean += l.Share * x
		square += l.Share * x * x
	}
	// Within a life, the count varies by at most 1 in each of a few levels.
	return 5 * math.Sqrt((square-mean*mean+1)/lifetimes)
}

var specs = []workload.Spec{
	{N: 2000, T: 60, Dist: workload.Exp, Ticks: 3_000},
	{N: 2000, T: 1000, Dist: workload.Exp, Ticks: 40_000},
	{N: 2000, T: 5000, Dist: workload.Uniform, Ticks: 100_000},
	{N: 2000, T: 2000, Dist: workload.Bimodal, Ticks: 80_000},
	{N: 2000, T: 500, Dist: workload.Exp, Stop: 0.9, StopAt: 0.05, Ticks: 40_000},
	{N: 2000, T: 900, Dist: workload.LogUniform, Stop: 0.5, StopAt: 0.5, Ticks: 40_000},
}

func TestWheels(t *testing.T) {
	for _, c := range []struct {
		slots, m int
		want     string
	}{
		{4096, 1, "4096"}, {4096, 2, "2048x2048"}, {4096, 3, "2048x1024x1024"}, {64, 3, "32x16x16"}, {4096, 4, "1024x1024x1024x1024"},
		{64, 5, "16x16x16x8x8"}, {64, 6, "16x16x8x8x8x8"}, {8, 8, "1x1x1x1x1x1x1x1"}, {8, 7, "2x1x1x1x1x1x1"},
		{144, 3, "48x48x48"}, {4000, 3, "1333x1333x1333"}, {4096, 0, "4096"}, {2, 3, "1x1x1"},
	} {
		assert.Equal(t, c.want, workload.Levels(cost.Wheels(c.slots, c.m)).String())
	}
	// Another order never makes fewer migrations.
	lives := workload.Spec{N: 1000, T: 700, Dist: workload.Exp, Stop: 0.5, StopAt: 0.3}.Lives()
	for m := 2; m <= 5; m++ {
		wheels := cost.Wheels(1024, m)
		for shift := range wheels {
			turned := slices.Concat(wheels[shift:], wheels[:shift])
			assert.LessOrEqual(t, cost.Migrations7(lives, wheels), cost.Migrations7(lives, turned), "%v, %v", wheels, turned)
		}
	}
	assert.Less(t, cost.Migrations7(lives, []int{512, 256, 256}), cost.Migrations7(lives, []int{256, 256, 512}))
}

func TestVisitsAndMigrations(t *testing.T) {
	for i, spec := range specs {
		check := func(name string, cfg schemes.Config, spec workload.Spec, counted func(schemes.Counts) uint64,
			formula func(lives []workload.Life) float64) {
			t.Run(fmt.Sprintf("%d/%s/%v", i, name, cfg), func(t *testing.T) {
				c, lifetimes := countsOf(t, name, cfg, spec)
				lives := spec.Lives()
				assert.InDelta(t, formula(lives), float64(counted(c))/lifetimes, tolerance(lives, formula, lifetimes))
			})
		}
		spec.Seed = 7
		for _, slots := range []int{64, 256, 1000} {
			check("hashunsorted", schemes.Config{Slots: slots}, spec, func(c schemes.Counts) uint64 { return c.Visits },
				func(l []workload.Life) float64 { return cost.Visits6(l, slots) })
		}
		for _, radices := range [][]int{{64, 64, 64, 64}, {256, 256, 256}, {60, 60, 24, 100}} {
			spec.Seed, spec.Ticks = 8, wholeTurns(spec, radices)
			check("hierarchical", schemes.Config{Levels: radices}, spec,
				func(c schemes.Counts) uint64 { return c.Migrations },
				func(l []workload.Life) float64 { return cost.Migrations7(l, radices) })
		}
	}
}

// wholeTurns returns a run of whole turns of the wheel that reaches the longest
// interval: migrations come in bursts when a wheel completes a revolution.
func wholeTurns(spec workload.Spec, radices []int) schemes.Tick {
	longest := workload.NumbersOf(spec.N, spec.Lives()).Longest
	turn := schemes.Tick(1)
	for _, radix := range radices {
		if turn *= schemes.Tick(radix); turn > longest {
			break
		}
	}
	return turn
}

// The share of a list passed, as counted: exponential 1/2, uniform 2/3 and so on are exact for large T.
func TestPassedFromHead(t *testing.T) {
	for _, c := range []struct {
		dist workload.Dist
		stop float64
		want float64
	}{
		{workload.Exp, 0, 0.5}, {workload.Uniform, 0, 2. / 3}, {workload.Const, 0, 1}, {workload.Bimodal, 0, 0.2},
		{workload.Exp, 0.9, 0.423}, {workload.Uniform, 0.9, 0.568},
	} {
		lives := workload.Spec{N: 1, T: 100_000, Dist: c.dist, Stop: c.stop, StopAt: 0.05}.Lives()
		assert.InDelta(t, c.want, cost.PassedFromHead(lives), 0.005, "%v, stops %v", c.dist, c.stop)
	}
}

// Bimodal intervals are left out: the long one is a multiple of the short one, so that timers which share a tick share
// it for ever, and the phases of the prefill, which are spread evenly, stay.
func TestCompares5(t *testing.T) {
	for i, spec := range specs {
		if spec.Dist == workload.Bimodal {
			continue
		}
		for _, slots := range []int{64, 256, 2000} {
			t.Run(fmt.Sprintf("%d/M=%d", i, slots), func(t *testing.T) {
				spec.Seed = 9
				c, lifetimes := countsOf(t, "hashsorted", schemes.Config{Slots: slots}, spec)
				want := cost.Compares5(spec.Lives(), spec.N-1, slots)
				assert.InEpsilon(t, want, float64(c.Compares)/lifetimes, 5/math.Sqrt(lifetimes))
			})
		}
	}
}

// Section 7 of the paper, and where its mean falls short: with intervals of M/4
// and n = 10,000, M = 256 every timer expires at its first visit.
func TestPerTick6(t *testing.T) {
	assert.InDelta(t, 589.9, cost.PaperPerTick(10_000, 256), 0.1)
	constant := workload.Spec{N: 1, T: 64, Dist: workload.Const}.Lives()
	assert.InDelta(t, 2348, cost.PerTick6(10_000, 256, constant), 1)
	uniform := workload.Spec{N: 1, T: 128, Dist: workload.Uniform}.Lives()
	assert.InDelta(t, 1171, cost.PerTick6(10_000, 256, uniform), 8)
}

// The break-even for M = 256: the paper's, and where wasted visits are c7/c6 times the migrations.
func TestCrossover(t *testing.T) {
	assert.Equal(t, 1024.0, cost.PaperCrossover(1, 256, 4))
	for _, c := range []struct {
		radices []int
		ratio   float64
		T       schemes.Tick
	}{
		{[]int{128, 128}, 0.5, 194}, {[]int{128, 128}, 1, 313}, {[]int{128, 128}, 2, 570}, {[]int{128, 128}, 4, 1039},
		{[]int{64, 64, 64, 64}, 1, 353}, {[]int{64, 64, 64, 64}, 4, 1374},
	} {
		lives := workload.Spec{N: 1, T: c.T, Dist: workload.Exp}.Lives()
		assert.InEpsilon(t, c.ratio, cost.Wasted6(lives, 256)/cost.Migrations7(lives, c.radices), 0.08, "%v, T = %d", c.radices, c.T)
	}
}

// A run of whole revolutions has the migrations of the steady state, a shorter one fewer.
func TestMigrationsIn(t *testing.T) {
	radices := []int{64, 64, 64}
	lives := workload.Spec{N: 1, T: 1000, Dist: workload.Exp}.Lives()
	descents := cost.Descents7(lives, radices)
	require.Len(t, descents, 2)
	steady := cost.Migrations7(lives, radices)
	assert.InDelta(t, steady, cost.MigrationsIn(descents, 3*64*64), 1e-9)
	assert.InDelta(t, descents[0].Share, cost.MigrationsIn(descents, 64), 1e-9, "the second wheel has not moved")
	assert.Zero(t, cost.MigrationsIn(descents, 63))
}

func TestBeyond(t *testing.T) {
	lives := workload.Spec{N: 1, T: 1000, Dist: workload.Uniform}.Lives()
	assert.InDelta(t, 0.25, cost.Weight(cost.Beyond(lives, 1500)), 0.001)
	assert.InDelta(t, 1, cost.Weight(lives), 1e-12)
}
