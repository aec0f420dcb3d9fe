package workload

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"timerlab/schemes"
)

// stays is the distribution of a Spec's lifetimes, worked out from its table of
// intervals by the rules that Spec states, in floating point.
type stays struct {
	turn  map[schemes.Tick]float64 // probability of a stay, rounded up to a multiple of Every
	stay  map[schemes.Tick]float64 // probability of a stay
	every schemes.Tick
}

func staysOf(s Spec) stays {
	d := stays{map[schemes.Tick]float64{}, map[schemes.Tick]float64{}, max(1, s.Every)}
	up := func(t schemes.Tick) schemes.Tick { return (t + d.every - 1) / d.every * d.every }
	add := func(t schemes.Tick, p float64) { d.stay[t] += p; d.turn[up(t)] += p }
	for _, j := range intervals(s) {
		early := func(at float64) schemes.Tick {
			if j == 1 {
				return j
			}
			return min(j, up(max(1, min(j-1, schemes.Tick(math.Floor(at*float64(j)+0.5))))))
		}
		add(j, (1-s.Stop-s.Restart)/points)
		add(early(s.StopAt), s.Stop/points)
		add(early(s.RestartAt), s.Restart/points)
	}
	return d
}

// mean returns the mean of a distribution.
func mean(p map[schemes.Tick]float64) float64 {
	sum := 0.0
	for t, p := range p {
		sum += float64(t) * p
	}
	return sum
}

// residual returns P(T >= r)/E[T], in units of every, for r = 0, every, ... up to
// most; what is beyond most is added to the last.
func (d stays) residual(p map[schemes.Tick]float64, every, most schemes.Tick) []float64 {
	beyond := make([]float64, most/every+2) // P(T >= r)
	for t, p := range p {
		beyond[min(t/every, most/every+1)] += p
	}
	for i := len(beyond) - 2; i >= 0; i-- {
		beyond[i] += beyond[i+1]
	}
	density, sum := make([]float64, most/every+1), 0.0
	for r := 1; r < len(density); r++ {
		density[r] = beyond[r] / (mean(p) / float64(every))
		sum += density[r]
	}
	density[len(density)-1] += 1 - sum
	return density
}

// fits compares counts with probabilities by Pearson's chi-square over about 40
// bins of equal probability, at the level of 1 in 10000.
func fits(t *testing.T, density []float64, counts []int) {
	total := 0
	for _, n := range counts {
		total += n
	}
	require.Greater(t, total, 2000)
	chi, bins, expected, seen := 0.0, 0, 0.0, 0
	for i, p := range density {
		expected += p * float64(total)
		seen += counts[i]
		if expected >= float64(total)/40 || i == len(density)-1 && expected > 5 {
			chi += math.Pow(float64(seen)-expected, 2) / expected
			bins++
			expected, seen = 0, 0
		}
	}
	require.Greater(t, bins, 3)
	assert.Less(t, chi, distuv.ChiSquared{K: float64(bins - 1)}.Quantile(0.9999), "chi-square of %d bins", bins)
}

// steadySpecs are workloads of every distribution, without and with stops and
// restarts, on any tick and on every 16th.
func steadySpecs(n int, a Arrivals) map[string]Spec {
	specs := map[string]Spec{}
	for _, d := range Dists() {
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

func TestStay(t *testing.T) {
	for name, s := range steadySpecs(10, Hold) {
		d := staysOf(s)
		assert.InEpsilon(t, mean(d.stay), stayOf(s), 1e-9, name)
		assert.InEpsilon(t, float64(s.N)/mean(d.turn), s.Rate(), 1e-9, name)
	}
}

// In the hold model the time until a number's lifetime is followed by the next,
// seen from tick 0, is the residual of its turn. What is beyond the run counts as
// its last tick.
func TestPrefillHasTheResidualDensity(t *testing.T) {
	for name, s := range steadySpecs(20_000, Hold) {
		t.Run(name, func(t *testing.T) {
			trace, err := s.Trace()
			require.NoError(t, err)
			every := max(1, s.Every)
			next := make([]schemes.Tick, s.N)
			for _, op := range trace.Ops[trace.Prefill:] {
				if op.Kind != Stop && next[op.Timer] == 0 {
					next[op.Timer] = op.Tick
				}
			}
			most := s.Ticks / every
			counts := make([]int, most+1)
			for _, tick := range next {
				if tick == 0 {
					tick = s.Ticks
				}
				counts[tick/every]++
			}
			fits(t, staysOf(s).residual(staysOf(s).turn, every, most*every), counts)
		})
	}
}

// The number outstanding of the open model has mean N and, at most, variance N
// at any tick; its autocovariance at a distance x is N·P(residual > x), so the
// variance of the mean over t ticks is at most 2·N·E[residual]/t.
func TestPoissonHoldsNByLittlesLaw(t *testing.T) {
	for name, s := range steadySpecs(3000, Poisson) {
		t.Run(name, func(t *testing.T) {
			trace, err := s.Trace()
			require.NoError(t, err)
			N, every := float64(s.N), max(1, s.Every)
			sum, samples := 0.0, 0.0
			for tick, n := range outstanding(trace) {
				if schemes.Tick(tick)%every == 0 {
					require.InDelta(t, N, n, 5*math.Sqrt(N), "outstanding after tick %d", tick)
					sum += float64(n)
					samples++
				}
			}
			left, second := staysOf(s).turn, 0.0
			for turn, p := range left {
				second += float64(turn) * float64(turn+every) * p
			}
			residual := second / (2 * mean(left))
			sd := math.Sqrt(2 * N * residual / float64(s.Ticks))
			assert.InDelta(t, N, sum/samples, min(4*sd, 5*math.Sqrt(N)))
			assert.Less(t, float64(trace.Timers), N+6*math.Sqrt(N), "numbers are used again")
		})
	}
}

// Once all of the prefill is gone, n is a Poisson number: its variance is its
// mean. A sample variance of k has relative variance 2/k.
func TestPoissonNumberHasPoissonVariance(t *testing.T) {
	const runs, N = 400, 100.0
	sum, squares := 0.0, 0.0
	for seed := range uint64(runs) {
		trace, err := Spec{N: int(N), T: 50, Dist: Uniform(), Arrivals: Poisson, Ticks: 120, Seed: seed}.Trace()
		require.NoError(t, err)
		n := float64(trace.Want.Outstanding)
		sum += n
		squares += (n - N) * (n - N)
	}
	assert.InDelta(t, N, sum/runs, 4*math.Sqrt(N/runs))
	assert.InDelta(t, N, squares/runs, 4*N*math.Sqrt(2.0/runs))
}

// From the first ticks on, lifetimes begin at the rate that lasts. The numbers
// are independent, so the variance of the total is N times that between numbers,
// which the sample tells.
func TestHoldIsStationaryFromTheStart(t *testing.T) {
	const parts = 5
	for name, s := range steadySpecs(20_000, Hold) {
		trace, err := s.Trace()
		require.NoError(t, err)
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
