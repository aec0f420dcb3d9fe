package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestMedianAndStudentT(t *testing.T) {
	for want, values := range map[float64][]float64{3: {5, 1, 3}, 2: {1, 3}, 7: {7}, 1.5: {9, 1, 0, 2}} {
		assert.Equal(t, want, Median(values))
	}
	assert.True(t, math.IsNaN(Median(nil)))
	assert.Equal(t, 1.0, StudentT([]float64{0, 0}))
	assert.Zero(t, StudentT([]float64{-1, -1}))
	assert.InDelta(t, 0.05, StudentT([]float64{-2.68585, -1.68585, -0.68585}), 1e-5, "t = -2.920 of 2 degrees")
}

func TestHolm(t *testing.T) {
	for _, test := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.01}, []float64{0.01}},
		{[]float64{0.04, 0.01, 0.03}, []float64{0.06, 0.03, 0.06}},
		{[]float64{0.5, 0.9, 0.001}, []float64{1, 1, 0.003}},
	} {
		assert.InDeltaSlice(t, test.want, Holm(test.p), 1e-15)
	}
}

func TestBootstrap(t *testing.T) {
	mean := func(groups []float64) float64 { return stat.Mean(groups, nil) }
	assert.False(t, Bootstrap([]float64{3}, 100, mean).Bounded(), "an interval needs two groups")
	assert.Equal(t, Estimate{Median: 3, Lo: 3, Hi: 3, N: 2, Level: Confidence}, Bootstrap([]float64{3, 3}, 100, mean))
	random := rand.New(rand.NewPCG(1, 2))
	covered := 0
	const samples = 200
	for range samples {
		groups := make([]float64, 30)
		for i := range groups {
			groups[i] = random.NormFloat64()
		}
		e := Bootstrap(groups, 400, mean)
		assert.Equal(t, e, Bootstrap(groups, 400, mean))
		if e.Lo <= 0 && 0 <= e.Hi {
			covered++
		}
	}
	assert.InDelta(t, Confidence, float64(covered)/samples, 0.06)
}

func TestSummarizeKnownSeries(t *testing.T) {
	in := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}
	got := Summarize(in)
	assert.Equal(t, 5.5, got.Median)
	assert.Equal(t, 10, got.N)
	assert.Equal(t, 2.0, got.Lo, "the second and ninth of 10 hold 97.9 percent")
	assert.Equal(t, 9.0, got.Hi)
	assert.Equal(t, []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}, in, "the order of the rounds is kept")

	assert.Equal(t, Estimate{3, 3, 3, 6, 1 - 1.0/32}, Summarize([]float64{3, 3, 3, 3, 3, 3}))
	for n, level := range []float64{0, 0, 0, 0, 0, 0, 0.969, 0.984, 0.961, 0.961, 0.979} { // as harness/README has them
		e := Summarize(in[:n])
		assert.Equal(t, n >= LeastRounds, n > 0 && e.Bounded(), "%d samples", n)
		assert.InDelta(t, level, e.Level, 0.0005, "%d samples", n)
	}
}

// Runs of one round are paired by the round, not by how many came before, and where rounds are not
// named by their order.
func TestRatio(t *testing.T) {
	a, b := ParseKey("Start/scheme=a"), ParseKey("Start/scheme=b")
	for _, named := range []bool{true, false} {
		table := loaded(t, write(t, nil, func(r *Raw) {
			for round := range 10 {
				speed := math.Pow(2, float64(round))
				if named {
					require.NoError(t, r.Round(round))
				}
				if !named || round > 0 { // the first has none: a failed run would drop them all
					require.NoError(t, r.Result(result("Start/scheme=a", 3*speed, 0)))
				}
				require.NoError(t, r.Result(result("Start/scheme=b", speed, 0)))
			}
		}))
		got, err := table.Ratio(a, b, "ns/op")
		require.NoError(t, err)
		n := map[bool]int{true: 9, false: 10}[named] // a round that has one of the two does not count
		assert.Equal(t, Estimate{3, 3, 3, n, got.Level}, got, "a takes three times as long in every round")
		median, err := table.Median(b, "ns/op")
		require.NoError(t, err)
		assert.Equal(t, 24.0, median.Median)
		_, err = table.Ratio(a, b, "sec/op")
		assert.ErrorIs(t, err, ErrNoSamples)
		_, err = table.Ratio(a, Key{}, "ns/op")
		assert.ErrorIs(t, err, ErrNoSamples)
		_, err = table.Median(Key{}, "ns/op")
		assert.ErrorIs(t, err, ErrNoSamples)
	}
}

// made returns A/A pairs of one process a round, whose second cells take longer by a shift. Besides their spread they have a
// drift or two states of the process, which a pair shares, or bursts, which make a tenth of the samples up to five times as long.
func made(random *rand.Rand, kind string, rounds, pairs int, spread, shift float64) *Table {
	t := newTable()
	for i := range 2 * pairs {
		k := Key{Op: "Lifetime", Scheme: "heap" + strings.Repeat(units.Again, i%2), N: strconv.Itoa(i / 2)}
		t.Keys, t.rows[k] = append(t.Keys, k), &row{samples: map[string]map[int]float64{"ns/op": {}}}
	}
	for round := range rounds {
		process := 1.0
		switch kind {
		case "drift":
			process = math.Exp(float64(round) / 10)
		case "two states":
			process += 0.3 * float64(random.IntN(2))
		}
		for i, k := range t.Keys {
			v := process * math.Exp(spread*random.NormFloat64()) * (1 + shift*float64(i%2))
			if kind == "bursts" && random.IntN(10) == 0 {
				v *= 1 + 4*random.Float64()
			}
			t.rows[k].samples["ns/op"][round] = v
		}
	}
	return t
}

// Intervals of cells, and of the geometric means of twelve, exclude 1 for equal cells as often as their level says,
// whatever disturbs them, and find a tenth. The page of the harness shows how often.
func TestIntervalsKeepTheirLevel(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 8 {
		rounds, kind := 7+i/4*3, []string{"nothing", "drift", "two states", "bursts"}[i%4]
		line := fmt.Sprintf("| %d | %s |", rounds, kind)
		for _, shift := range []float64{0, 0.1} {
			var cells, means Promise
			for range 400 {
				table := made(random, kind, rounds, 12, 0.03, shift)
				p := table.Promise(table.Controls(nil), "ns/op")
				cells = Promise{cells.Excluding + p.Excluding, cells.Pairs + p.Pairs, p.Level}
				e, err := table.GeometricMean(table.Controls(nil), "ns/op")
				require.NoError(t, err)
				if means.Pairs, means.Level = means.Pairs+1, e.Level; e.Excludes(1) {
					means.Excluding++
				}
			}
			for _, p := range []Promise{cells, means} {
				line += fmt.Sprintf(" %.1f |", 100*float64(p.Excluding)/float64(p.Pairs))
				b := distuv.Binomial{N: float64(p.Pairs), P: p.Misses()}
				if tail := min(b.CDF(float64(p.Excluding)), 1-b.CDF(float64(p.Excluding-1))); shift == 0 {
					assert.Greater(t, tail, 0.025, "%s: %+v is outside the binomial 95 %%", line, p)
				} else if kind != "bursts" {
					assert.Greater(t, p.Excluding, p.Pairs*9/10, line)
				}
			}
		}
		assert.True(t, strings.Contains(string(page), line), line)
	}
}

// A difference of the size of the resolution is decided in 80 of 100 cells, and with the number of rounds for a share the
// resolution is that share.
func TestResolution(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	resolution := func(rounds int) float64 {
		table := made(random, "drift", rounds, 400, 0.05, 0)
		return table.Resolution(table.Controls(nil), "ns/op")
	}
	for _, rounds := range []int{6, 7, 10} {
		table := made(random, "drift", rounds, 400, 0.05, resolution(rounds))
		p := table.Promise(table.Controls(nil), "ns/op")
		assert.InDelta(t, 0.8, float64(p.Excluding)/float64(p.Pairs), 0.08, "%d rounds", rounds)
	}
	assert.True(t, math.IsInf(resolution(LeastRounds-1), 1))
	roundsFor := func(spread float64) int {
		table := made(random, "drift", 18, 40, spread, 0)
		return table.RoundsFor(table.Controls(nil), "ns/op", 0.1, 20)
	}
	n := roundsFor(0.05)
	assert.True(t, resolution(n-2) > 0.09 && resolution(n) < 0.11, "%d rounds", n)
	assert.Equal(t, LeastRounds, roundsFor(0.005))
	assert.Zero(t, roundsFor(0.5))
}

func TestControls(t *testing.T) {
	table := made(rand.New(rand.NewPCG(1, 3)), "nothing", 7, 3, 0, 0.1)
	pairs := table.Controls(func(second Key) bool { return second.N != "0" })
	assert.Equal(t, []Pair{{table.Keys[3], table.Keys[2]}, {table.Keys[5], table.Keys[4]}}, pairs)
	delete(table.rows[pairs[0].Over].samples["ns/op"], 3)
	mean, err := table.GeometricMean(pairs, "ns/op")
	require.NoError(t, err)
	assert.Equal(t, 6, mean.N, "a round that lacks a cell does not count")
	assert.InDelta(t, 1.1, mean.Median, 1e-9)
	assert.True(t, mean.Excludes(1))
	assert.False(t, Estimate{Median: 5, Lo: 5, Hi: math.Inf(1), N: 5}.Excludes(1), "not finite")
}
