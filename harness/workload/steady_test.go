package workload

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
)

// residual returns the mean time until the next operation that ends one of a Spec's
// lifetimes, seen from any of its ticks: operations are at multiples of Every.
func residual(s Spec) float64 {
	every, first, second := float64(max(1, s.Every)), 0.0, 0.0
	for _, l := range s.Lives() {
		turn := math.Ceil(float64(l.Stay)/every) * every
		first += turn * l.Share
		second += turn * (turn + every) * l.Share
	}
	return second / (2 * first)
}

// steadySpecs are workloads of every distribution, with -short of two, without and with stops and
// restarts, on any tick and on every 16th.
func steadySpecs(n int, a Arrivals) map[string]Spec {
	specs, dists := map[string]Spec{}, Dists
	if testing.Short() {
		dists = []Dist{Exp, Bimodal}
	}
	for _, d := range dists {
		s := Spec{N: n, T: 200, Dist: d, Arrivals: a, Ticks: 1000, Seed: 5}
		specs[fmt.Sprintf("%v", d)] = s
		s.Stop, s.StopAt = 0.75, 0.125
		specs[fmt.Sprintf("%v/stops", d)] = s
		s.Restart, s.RestartAt = 0.125, 0.5
		specs[fmt.Sprintf("%v/restarts", d)] = s
		s.Every = 16
		specs[fmt.Sprintf("%v/every16", d)] = s
	}
	return specs
}

// The number outstanding of the open model has mean N and, at most, variance N at any tick; its autocovariance at a
// distance x is N·P(residual > x), so the variance of the mean over t ticks is at most 2·N·E[residual]/t.
func TestPoissonHoldsNByLittlesLaw(t *testing.T) {
	for name, s := range steadySpecs(3000, Poisson) {
		t.Run(name, func(t *testing.T) {
			trace := traced(t, s)
			N, every := float64(s.N), max(1, s.Every)
			sum, samples := 0.0, 0.0
			for tick, n := range outstanding(trace) {
				if schemes.Tick(tick)%every == 0 {
					require.InDelta(t, N, n, 5*math.Sqrt(N), "outstanding after tick %d", tick)
					sum += float64(n)
					samples++
				}
			}
			sd := math.Sqrt(2 * N * residual(s) / float64(s.Ticks))
			assert.InDelta(t, N, sum/samples, min(4*sd, 5*math.Sqrt(N)))
			assert.Less(t, float64(trace.Timers), N+6*math.Sqrt(N), "numbers are used again")
		})
	}
}

// From the first ticks on, lifetimes begin at the rate that lasts: what is outstanding at tick 0 has the residual
// distribution, for no other gives a constant rate. The numbers are independent, so the variance of the total is N
// times that between numbers, which the sample has.
func TestHoldIsStationaryFromTheStart(t *testing.T) {
	const parts = 25
	for name, s := range steadySpecs(20_000, Hold) {
		trace := traced(t, s)
		every := max(1, s.Every)
		width := s.Ticks / every / parts * every
		counts := make([][parts]float64, s.N)
		for _, op := range trace.Ops[trace.Prefill:] {
			if part := (op.Tick - 1) / width; op.Kind != Stop && part < parts {
				counts[op.Timer][part]++
			}
		}
		for part := range parts {
			sum, squares := 0.0, 0.0
			for _, c := range counts {
				sum += c[part]
				squares += c[part] * c[part]
			}
			N := float64(s.N)
			sd := math.Sqrt(squares - sum*sum/N)
			assert.InDelta(t, s.Rate()*float64(width), sum, 4*sd+1e-6*sum, "%s, part %d", name, part)
		}
	}
}
