package cost_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

func TestSite(t *testing.T) {
	small, large := cost.SiteOf(&hashunsorted.Info, 10, 32<<10), cost.SiteOf(&hashunsorted.Info, 10, 48<<10)
	assert.Positive(t, small.Heads)
	assert.InEpsilon(t, 1.5, large.Heads/small.Heads, 1e-9)
	assert.NotEqual(t, small.Heads, cost.SiteOf(&hashunsorted.Chunked, 10, 32<<10).Heads, "an array's head is larger")
}

// Each term is what its comment says, at the ends of its range.
func TestLoads(t *testing.T) {
	site := cost.Site{N: 1000, Heads: 1024}
	lives := workload.Spec{N: 1000, T: 4096, Dist: workload.Const()}.Lives()
	six := site.Load6(lives, 1024, cost.Wasted6(lives, 1024))
	assert.InDelta(t, 3, six[cost.PerStep], 1e-9)
	assert.InDelta(t, 3./4, six[cost.PerMixed], 1e-9, "of four timers in a slot one expires")
	assert.InDelta(t, 4.096, six[cost.PerTick], 1e-9)
	assert.InDelta(t, 4.096*(1-math.Exp(-1/4.096)), six[cost.PerBusy], 1e-9)
	assert.InDelta(t, 1, six[cost.PerHead], 1e-9, "as many heads as the cache holds, once")
	assert.Zero(t, six[cost.PerStop])
	assert.Zero(t, site.Load6(lives, 4096, 0)[cost.PerMixed], "nothing wasted, nothing mixed")

	sparse := cost.Site{N: 1, Heads: 1024}.Load6(lives, 1024, 3)
	assert.InDelta(t, 1, sparse[cost.PerBusy], 0.001, "every timer has a tick of its own")
	dense := cost.Site{N: 1e9, Heads: 1024}.Load6(lives, 1024, 3)
	assert.InDelta(t, dense[cost.PerTick], dense[cost.PerBusy], 1e-12, "every tick is busy")

	even, odd := site.Load7(lives, []int{64, 128}, 0.9), site.Load7(lives, []int{64, 100}, 0.9)
	assert.Zero(t, even[cost.PerOdd]+even[cost.PerOddStep])
	assert.Equal(t, []float64{1, 0.9}, []float64{odd[cost.PerOdd], odd[cost.PerOddStep]})
	assert.Zero(t, even[cost.PerMixed]+even[cost.PerHead])

	stopped := workload.Spec{N: 1000, T: 4096, Dist: workload.Const(), Stop: 0.5, StopAt: 0.5}.Lives()
	assert.InDelta(t, 0.5, site.Load7(stopped, []int{64, 128}, 0)[cost.PerStop], 1e-9)
}

func TestFit(t *testing.T) {
	site := cost.Site{N: 1000, Heads: 1024}
	truth := cost.Costs{cost.PerTimer: 30, cost.PerStop: -3, cost.PerStep: 7, cost.PerMixed: 8, cost.PerBusy: 20, cost.PerTick: 2, cost.PerHead: 2}
	var all []cost.Observation
	for _, T := range []schemes.Tick{100, 700, 3000, 11_000} {
		for _, slots := range []int{256, 16384} {
			for _, stop := range []float64{0, 0.5} {
				lives := workload.Spec{N: 1000, T: T, Dist: workload.Uniform(), Stop: stop, StopAt: 0.3}.Lives()
				l := site.Load6(lives, slots, cost.Wasted6(lives, slots))
				all = append(all, cost.Observation{Load: l, Nanos: truth.Of(l)})
			}
		}
	}
	costs, err := cost.Fit(all)
	require.NoError(t, err)
	for term, want := range truth {
		assert.InDelta(t, want, costs[term], 1e-6, cost.Terms[term])
	}
	_, err = cost.Fit(all[:8])
	assert.ErrorIs(t, err, cost.ErrFit, "seven terms need nine observations")
	same := make([]cost.Observation, 12)
	for i := range same {
		same[i] = all[i%2]
	}
	_, err = cost.Fit(same)
	assert.ErrorIs(t, err, cost.ErrFit)
}

// observe7 returns what lifetimes in scheme 7 would take with n timers and these costs.
func observe7(n int, costs cost.Costs) (all []cost.Observation) {
	site := cost.Site{N: n, Heads: 1024}
	for _, T := range []schemes.Tick{180, 700, 3000, 11_000, 40_000} {
		for _, radices := range [][]int{{128, 128}, {8192, 8192}} {
			for _, stop := range []float64{0, 0.5} {
				lives := workload.Spec{N: n, T: T, Dist: workload.Uniform(), Stop: stop, StopAt: 0.3}.Lives()
				l := site.Load7(lives, radices, cost.Migrations7(lives, radices))
				all = append(all, cost.Observation{Load: l, Nanos: costs.Of(l)})
			}
		}
	}
	return all
}

// A cost that comes out below 0 is that of noise, but for a stop.
func TestFitHasNoCostBelowZero(t *testing.T) {
	truth := cost.Costs{cost.PerTimer: 30, cost.PerStop: -3, cost.PerStep: 7, cost.PerBusy: 20, cost.PerTick: -0.4}
	costs, err := cost.Fit(observe7(1000, truth))
	require.NoError(t, err)
	assert.Zero(t, costs[cost.PerTick])
	assert.Negative(t, costs[cost.PerStop])
	assert.Positive(t, costs[cost.PerBusy])
}

// With a million timers every tick has an expiry: the two terms of ticks are one, and the fit has a solution.
func TestFitOfTermsThatNothingSeparates(t *testing.T) {
	truth := cost.Costs{cost.PerTimer: 30, cost.PerStop: -3, cost.PerStep: 7, cost.PerBusy: 20, cost.PerTick: 2}
	costs, err := cost.Fit(observe7(1_000_000, truth))
	require.NoError(t, err)
	assert.Zero(t, costs[cost.PerTick])
	assert.InDelta(t, truth[cost.PerBusy]+truth[cost.PerTick], costs[cost.PerBusy], 1e-3, "the cost of both")
	assert.InDelta(t, truth[cost.PerStep], costs[cost.PerStep], 1e-6)
}

// A run of whole revolutions has the migrations of the steady state, a shorter one fewer.
func TestMigrationsIn(t *testing.T) {
	radices := []int{64, 64, 64}
	lives := workload.Spec{N: 1, T: 1000, Dist: workload.Exp()}.Lives()
	descents := cost.Descents7(lives, radices)
	require.Len(t, descents, 2)
	steady := cost.Migrations7(lives, radices)
	assert.InDelta(t, steady, cost.MigrationsIn(descents, 3*64*64), 1e-9)
	assert.InDelta(t, descents[0].Share, cost.MigrationsIn(descents, 64), 1e-9, "the second wheel has not moved")
	assert.Zero(t, cost.MigrationsIn(descents, 63))
}
