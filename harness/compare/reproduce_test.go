package compare

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/combin"

	"timerlab/harness/results"
)

// exactInside returns the probability that the median of an odd number n2 of values is between the l-th
// and the u-th of n1 values.
func exactInside(n1, n2, l, u int) float64 {
	choose := func(n, k int) float64 { return combin.GeneralizedBinomial(float64(n), float64(k)) }
	outside := 0.0
	for _, rank := range []int{l, n1 + 1 - u} {
		for j := n2/2 + 1; j <= n2; j++ {
			outside += choose(rank-1+j, j) * choose(n1-rank+n2-j, n2-j) / choose(n1+n2, n2)
		}
	}
	return 1 - outside
}

// The probabilities are those of simulated runs, of a skewed distribution.
func TestPerfectlyRepeatableRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = 100 + random.ExpFloat64()
		}
		return values
	}
	for _, n := range [][2]int{{6, 6}, {7, 7}, {10, 10}, {12, 6}, {15, 15}, {20, 20}, {20, 5}, {21, 21}} {
		const runs = 3000
		inside, apart := 0, 0
		for range runs {
			r := differ(draw(n[0]), draw(n[1]), false)
			if r.Base.Lo <= r.New.Median && r.New.Median <= r.Base.Hi {
				inside++
			}
			if r.Ratio.Lo > 1 || r.Ratio.Hi < 1 {
				apart++
			}
		}
		assert.InDelta(t, float64(inside)/runs, insideInterval(n[0], n[1]), 0.02, n)
		assert.InDelta(t, float64(apart)/runs, falseAlarms(n[0], n[1]), 0.015, n)
	}
	// The number of the 21 values below the sixth of 21 has the negative hypergeometric distribution: the
	// second median is outside if it is 11 or more, or if as many are above the sixteenth.
	assert.InDelta(t, exactInside(21, 21, 6, 16), insideInterval(21, 21), 0.01)
	assert.Equal(t, 1.0, insideInterval(5, 5), "five rounds have no finite interval")
}

// twoRuns are runs of three subjects in ten rounds: the second is faster by a factor throughout, has
// another speed of one subject, and lacks a cell.
func twoRuns(t *testing.T, factor float64) (first, second *results.Table) {
	t.Helper()
	load := func(factor, tree float64, cells string) *results.Table {
		random, text := rand.New(rand.NewPCG(uint64(factor*100), 1)), "Unit visits/op assume=exact\n"
		for round := range 10 {
			text += fmt.Sprintf("# round %d\nBenchmarkSpin\t1\t1 ns/op\n", round)
			speed := factor * (1 + random.Float64())
			for _, scheme := range strings.Fields(cells) {
				ns := 100 * speed * (1 + random.Float64()/100)
				if scheme == "tree" {
					ns *= tree
				}
				text += fmt.Sprintf("BenchmarkStart/scheme=%s/n=1k\t1\t%v ns/op\t%v visits/op\n", scheme, ns, len(scheme))
			}
		}
		path := filepath.Join(t.TempDir(), "raw.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		table, err := results.Load(path)
		require.NoError(t, err)
		return table
	}
	return load(1, 1, "null tree wheel wheel-again"), load(factor, 2, "tree wheel wheel-again")
}

// A run on a machine that is slower throughout has other times, and the same ratios. The
// subject whose code changed has another ratio.
func TestReproduce(t *testing.T) {
	first, second := twoRuns(t, 3)
	r := Reproduce("run", first, second)
	assert.Equal(t, 3, r.Times.Cells)
	assert.Zero(t, r.Times.Inside)
	assert.Zero(t, r.Times.Holds)
	assert.InDelta(t, 3*0.911, r.Times.Expected, 0.05)
	assert.InDelta(t, 3*0.957, r.Times.Holding, 0.01)
	assert.InDelta(t, 3, r.Times.Factor, 0.5)
	assert.Equal(t, 2, r.Ratios.Cells, "wheel is what the others are divided by")
	assert.Equal(t, 1, r.Ratios.Holds)
	require.Len(t, r.Ratios.Apart, 1)
	assert.Equal(t, "Start/scheme=tree/n=1k / wheel", r.Ratios.Apart[0].Name)
	assert.InDelta(t, 2, r.Ratios.Apart[0].Ratio.Median, 0.03)
	assert.Equal(t, 1, r.OneSided)
	assert.Equal(t, []int{3, 3}, []int{r.Counts, r.Same})

	page := ReproductionPage([]Reproduction{r}, "the command")
	assert.Contains(t, page.Findings, "run: of 3 second medians of times, 0 % are in the first 95 % interval (expected: 91")
	assert.Contains(t, page.Findings, "of 2 second medians of ratios, ")
	assert.Contains(t, page.Findings, "3 of 3 exact counts are identical.")
	assert.Contains(t, page.Markdown("."), "Start/scheme=tree/n=1k / wheel")
}

// A file agrees with itself, and five rounds say nothing.
func TestReproduceItself(t *testing.T) {
	first, _ := twoRuns(t, 3)
	r := Reproduce("run", first, first)
	assert.Equal(t, []int{4, 4, 4}, []int{r.Times.Cells, r.Times.Inside, r.Times.Holds})
	assert.Empty(t, r.Times.Apart)
	assert.Equal(t, 1.0, r.Ratios.Factor)
	few := agreement("time", []matched{{"a", []float64{1, 2, 3, 4, 5}, []float64{1}}})
	assert.Zero(t, few.Cells)
	assert.Contains(t, ReproductionPage([]Reproduction{{Name: "run"}}, "").Findings, "no cell of the first run has six rounds")
}
