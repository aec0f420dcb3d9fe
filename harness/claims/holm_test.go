package claims

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

func TestHolm(t *testing.T) {
	cutoff, count := holm([]float64{0.03, 0.001, 0.02, 0.016}) // limits 0.0125, 0.0167, 0.025, 0.05
	assert.Equal(t, 4, count)
	assert.Equal(t, 0.03, cutoff)
	cutoff, _ = holm([]float64{0.03, 0.001, 0.02, 0.017})
	assert.Equal(t, 0.001, cutoff, "the second is above its limit, and so all further ones stay open")
	cutoff, _ = holm([]float64{0.02, 0.9, 0.9})
	assert.Equal(t, -1., cutoff)
	_, count = holm(nil)
	assert.Zero(t, count)
}

// Of the first rounds t is 2.636, with five degrees of freedom.
func TestChance(t *testing.T) {
	rounds := []float64{1.10, 1.20, 0.95, 1.15, 1.05, 1.25}
	assert.InDelta(t, 0.0462, Point{Relation: AtLeast, Predicted: 1, rounds: rounds}.chance(), 0.0005)
	assert.Equal(t, 1., Point{Relation: AtMost, Predicted: 2, rounds: []float64{2, 2, 2}}.chance())
	assert.Equal(t, 0., Point{Relation: AtMost, Predicted: 1, rounds: []float64{2, 2, 2}}.chance())
	assert.Less(t, Point{Relation: AtMost, Predicted: 1, rounds: []float64{0, 0, 0.1, 0}}.chance(), 0.01, "with zeros")
}

// startsOf is a table of STARTs: of scheme 1 and of the heap at n = 100k, with the factors between
// them and between the A/A pair by round.
func startsOf(t *testing.T, heap, again []float64, extra string) *results.Table {
	t.Helper()
	var b strings.Builder
	for round := range heap {
		fmt.Fprintf(&b, "# round %d\n", round)
		for scheme, ns := range map[string]float64{"unordered": 30, "tree": 30 * heap[round], "hashunsorted": 20} {
			fmt.Fprintf(&b, "BenchmarkStart/scheme=%s/n=100k/M=16384/T=1k/dist=exp/stop=0 1 %g ns/op%s\n", scheme, ns, extra)
		}
		if again != nil {
			fmt.Fprintf(&b, "BenchmarkStart/scheme=hashunsorted-again/n=100k/M=16384/T=1k/dist=exp/stop=0 1 %g ns/op\n",
				20*again[round])
		}
	}
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

// A difference between two schemes decides only if it stands out against an A/A pair, if its laps
// are long enough, and if it survives the correction for how many differences there are.
func TestWhatDecides(t *testing.T) {
	c, err := Find("S1-3x") // unordered over tree is at least 1
	require.NoError(t, err)
	steady := []float64{1, 1.001, 0.999, 1, 1.001, 0.999, 1, 1.001, 0.999, 1}
	less, little := scaled(steady, 0.8), scaled(steady, 0.97)
	for _, test := range []struct {
		name        string
		heap, again []float64
		extra       string
		want        Verdict
		open        string
	}{
		{"a clear difference", less, steady, "", Holds, ""},
		{"the other way", scaled(steady, 1.3), steady, "", Fails, ""},
		{"a small difference, a quiet machine", little, steady, "", Holds, ""},
		{"a small difference, and the pair differs by more", little, scaled(steady, 1.05), "", Undecided, ""},
		{"no pair", less, nil, "", Undecided, "no A/A pair"},
		{"short laps", less, steady, " 500 short-lap-ns", Undecided, "laps below the clock's limit"},
		{"few rounds", less[:5], steady[:5], "", Undecided, ""},
		{"rounds that disagree", []float64{0.9, 1.1, 0.8, 1.2, 0.7, 0.9, 0.95, 0.85, 1.05, 0.9}, steady, "", Undecided,
			"not significant among 1 comparisons of times"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := c.judge(newMeasuredTimes(startsOf(t, test.heap, test.again, test.extra)))
			require.NoError(t, err)
			assert.Equal(t, test.want, r.Verdict, describe(r))
			require.Len(t, r.Points, 1)
			assert.Contains(t, r.Points[0].Open, test.open)
		})
	}
}

func scaled(values []float64, factor float64) (all []float64) {
	for _, v := range values {
		all = append(all, v*factor)
	}
	return all
}
