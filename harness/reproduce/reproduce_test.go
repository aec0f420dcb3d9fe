package reproduce

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

// tableOf loads the text of a file.
func tableOf(t *testing.T, text string) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

// The chance that a second median is in the first interval, by simulation with skewed values.
func TestInsideInterval(t *testing.T) {
	for _, test := range []struct {
		rounds [2]int
		want   float64
	}{
		{[2]int{6, 6}, 0.881}, {[2]int{7, 7}, 0.930}, {[2]int{10, 10}, 0.907}, {[2]int{12, 7}, 0.811},
		{[2]int{20, 20}, 0.851}, {[2]int{20, 5}, 0.666}, {[2]int{5, 5}, 1}, // five rounds have no finite interval
	} {
		assert.InDelta(t, test.want, insideInterval(test.rounds[0], test.rounds[1]), 0.01, test.rounds)
	}
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
		return tableOf(t, text)
	}
	return load(1, 1, "null tree wheel wheel-again"), load(factor, 2, "tree wheel wheel-again")
}

// A run on a machine that is slower throughout has other times and the same ratios. The subject whose code changed
// has another ratio.
func TestReproduce(t *testing.T) {
	first, second := twoRuns(t, 3)
	r := Compare(first, second)
	require.Len(t, r.Agreements, 2)
	a, b := r.Agreements[0], r.Agreements[1]
	assert.Equal(t, []int{3, 0, 3}, []int{a.Cells, a.Inside, len(a.Apart)})
	assert.InDelta(t, 0.907, a.Expected, 0.01)
	assert.InDelta(t, 3, a.Factor, 0.5)
	assert.Equal(t, 2, b.Cells, "wheel is what the others are divided by")
	require.Len(t, b.Apart, 1)
	assert.Equal(t, "Start/scheme=tree/n=1k / wheel", b.Apart[0].Cell)
	assert.InDelta(t, 2, b.Apart[0].Ratio(), 0.03)
	assert.Equal(t, []int{1, 3, 0}, []int{r.OneSided, r.Counts, r.Differing})
}

// A run agrees with itself, and runs of five rounds cannot be compared.
func TestReproduceItself(t *testing.T) {
	first, _ := twoRuns(t, 3)
	r := Compare(first, first)
	a := r.Agreements[0]
	assert.Equal(t, []int{4, 4, 0}, []int{a.Cells, a.Inside, len(a.Apart)})
	assert.InDelta(t, 1, a.Factor, 0)
	few := tableOf(t, strings.Repeat("Unit visits/op assume=exact\nBenchmarkStart/scheme=wheel/n=1k\t1\t5 ns/op\t2 visits/op\n", 5))
	r = Compare(few, few)
	assert.Equal(t, []int{1, 0}, []int{r.Counts, r.Differing})
	assert.False(t, r.OK())
}

// Schemes 6 and 7 are compared at equal slots. Cells on other operations are not compared, but counted.
func TestReproduceOfSchemes6And7(t *testing.T) {
	table := func(hash, visits string) *results.Table {
		text := "Unit visits/op assume=exact\n# stream Lifetime/n=1k " + hash + "\n"
		for round := range 6 {
			text += fmt.Sprintf("# round %d\nBenchmarkLifetime/scheme=hashunsorted/n=1k/M=64\t1\t%d ns/op\t%s visits/op\n",
				round, 10+round, visits)
			for _, scheme := range []string{"/n=1k/M=64/m=32x32", "/n=1k/M=128/m=64x64", "-ahead/n=1k/M=64/m=32x32"} {
				text += fmt.Sprintf("BenchmarkLifetime/scheme=hierarchical%s\t1\t%d ns/op\n", scheme, 20+round)
			}
		}
		return tableOf(t, text)
	}
	r := Compare(table("11", "2"), table("11", "3"))
	require.Len(t, r.Agreements, 2, "there is no A/A subject")
	assert.Equal(t, sevenOverSix, r.Agreements[1].Value)
	assert.Equal(t, 1, r.Agreements[1].Cells)
	assert.Equal(t, []int{1, 1}, []int{r.Counts, r.Differing})
	r = Compare(table("11", "2"), table("22", "3"))
	assert.Equal(t, []int{0, 4}, []int{r.Counts, r.Others})
}
