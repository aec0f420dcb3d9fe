package results

import (
	"math"
	"testing"

	"timerlab/harness/results/units"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSummarizeKnownSeries(t *testing.T) {
	in := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}
	got := Summarize(in)
	assert.Equal(t, 5.5, got.Median)
	assert.Equal(t, 10, got.N)
	assert.Equal(t, 2.0, got.Lo, "the second and ninth of 10 hold 97.9 percent")
	assert.Equal(t, 9.0, got.Hi)
	assert.Equal(t, []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}, in, "the order of the rounds is kept")

	assert.Equal(t, Estimate{3, 3, 3, 6}, Summarize([]float64{3, 3, 3, 3, 3, 3}))
	for n := range in { // the interval of few is not finite
		assert.Equal(t, n+1 >= LeastRounds, Summarize(in[:n+1]).Bounded(), "%d samples", n+1)
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
		assert.Equal(t, Estimate{3, 3, 3, n}, got, "a takes three times as long in every round")
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

// A count that is left out is 0; a cell that was not measured has none.
func TestCount(t *testing.T) {
	table := loaded(t, write(t, nil, func(r *Raw) { require.NoError(t, r.Result(result("Start/scheme=a", 1, 3))) }))
	visits, err := table.Count(ParseKey("Start/scheme=a"), units.VisitsPerOp)
	require.NoError(t, err)
	assert.Equal(t, 3.0, visits)
	migrations, err := table.Count(ParseKey("Start/scheme=a"), units.MigrationsPerOp)
	require.NoError(t, err)
	assert.Zero(t, migrations)
	_, err = table.Count(ParseKey("Start/scheme=b"), units.VisitsPerOp)
	assert.ErrorIs(t, err, ErrNoSamples)
}

// What goes on with a file asks what it has. A cell that failed is done for good: none
// of its samples counts, and making them again would put two of a round into the file.
func TestHas(t *testing.T) {
	table := loaded(t, file(t, `# round 0
BenchmarkHold/scheme=a/n=1k/T=10 1 5 ns/op
BenchmarkHold/scheme=b/n=1k/T=10 1 5 ns/op
# round 1
BenchmarkHold/scheme=a/n=1k/T=10 1 5 ns/op
BenchmarkStart/scheme=d/n=1k/T=10 1 5 ns/op
BenchmarkPerTick/scheme=e/n=1k/T=10 1 5 ns/op
# error Hold/scheme=b/n=1k/T=10: late
# skipped Operations/scheme=f/n=1k/T=10 slow: too long
`))
	for _, c := range []struct {
		name  string
		round int
		want  bool
	}{
		{"Hold/scheme=a/n=1k/T=10", 0, true}, {"Hold/scheme=a/n=1k/T=10", 1, true}, {"Hold/scheme=a/n=1k/T=10", 2, false},
		{"Hold/scheme=b/n=1k/T=10", 0, true}, {"Hold/scheme=b/n=1k/T=10", 7, true}, {"Hold/scheme=c/n=1k/T=10", 0, false},
		{"Operations/scheme=g/n=1k/T=10", 1, false},
		{"Operations/scheme=d/n=1k/T=10", 1, false}, {"Operations/scheme=e/n=1k/T=10", 1, true}, {"Operations/scheme=e/n=1k/T=10", 0, false},
	} {
		require.Equal(t, c.want, table.Has(c.name, c.round), "%s in round %d", c.name, c.round)
	}
	assert.True(t, table.Skipped("Operations/scheme=f/n=1k/T=10"))
	assert.False(t, table.Skipped("Hold/scheme=b/n=1k/T=10"), "it failed")
}
