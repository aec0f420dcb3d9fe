package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

// sampleClaims is a study with two claims, one of which fails, on times of trees.
func sampleClaims(t *testing.T) *Study {
	t.Helper()
	var list []claims.Claim
	for _, id := range []string{"A-3x", "S2-2", "R-6"} {
		c, err := claims.Find(id)
		require.NoError(t, err)
		list = append(list, c)
	}
	results, err := claims.JudgeAll(t.Context(), list, nil, func(int) {})
	require.NoError(t, err)
	drawings, err := claims.Drawings(t.Context(), results)
	require.NoError(t, err)
	study := NewStudy(treesTable(t))
	study.Claims, study.Drawings = results, drawings
	return study
}

// treesTable has lifetimes of a heap and of wheels at two n.
func treesTable(t *testing.T) *results.Table {
	t.Helper()
	var lines []string
	for i, n := range []string{"1k", "10k"} {
		lines = append(lines,
			fmt.Sprintf("BenchmarkLifetime/scheme=tree/n=%s/M=16384/T=4k/dist=loguniform/stop=0/set=claims 1 %d ns/op", n, 200+i),
			fmt.Sprintf("BenchmarkLifetime/scheme=hierarchical/n=%s/M=1024/m=256x256x256x256/T=4k/dist=loguniform/stop=0/set=claims 1 %d ns/op", n, 80+i))
	}
	return tableOf(t, 1, lines...)
}

func TestClaimsPage(t *testing.T) {
	study := sampleClaims(t)
	page := study.ClaimsPage("go run ./cmd/bench report raw.txt")
	shown := page.Figures()
	require.Len(t, shown, 1)
	assert.Equal(t, "passed", shown[0].Name)
	text := page.Markdown(".")
	containsAll(t, text,
		"Of 1 claim of ours, 1 hold; refuted here: 0; undecided: 0. Judged: 1 exactly.",
		"Of 2 claims of the paper, 0 hold; refuted here: 1; undecided: 0; not measured: 1. Judged: 1 exactly, 1 by time.",
		"## Claims of ours", "| A-3x | HOLDS | Interrupts saturate",
		"| S2-2 | **FAILS** | Searched from the head", "<br>*instead: 1/2 if exponential", "(1 of 3) | = 0.6667 ± 0.005 | 0.50",
		"| R-6 | NOT MEASURED | For a general timer module scheme 6 or scheme 7 is recommended.<br>*missing: times: give raw files* | - | - | - |",
		"[claims.csv](claims.csv)", "](figures/passed.svg)", "    go run ./cmd/bench report raw.txt\n",
		"- 25 statements hold by construction, and are tests: M-10, S1-1",
		"- B-2, B-5, B-6, B-8, B-9: what BSD's kernels did before and since")
	for digest, want := range map[string]string{claims.Digest(): "has not changed since the times", "": "do not record", "other": "younger than they are"} {
		study.Table.Machine = map[string]string{"claims": digest}
		assert.Contains(t, study.ClaimsPage("again").Markdown("."), want, digest)
	}
	require.Len(t, page.Lists, 1)
	lines := strings.Split(csvOf(t, page.Lists[0]), "\n")
	assert.Regexp(t, "^# Made by timerlab; do not edit. Every comparison of every claim: ", lines[0])
	assert.Equal(t, "claim,verdict,comparison,relation,predicted,slack,measured,low,high,decides,tolerance", lines[1])
	assert.Regexp(t, `^S2-2,FAILS,"timers passed .*",=,0.666\d*,0.005\d*,0.50\d*,0.49\d*,0.5\d*,FAILS,"interval: `, lines[8])
	assert.Contains(t, study.Page("again").Findings, "refuted here: 1")
	_, err := SaveFigures(t.TempDir(), "svg", shown)
	require.NoError(t, err)
}

// The page of all claims is short enough to read.
func TestClaimsPageIsShort(t *testing.T) {
	study := NewStudy(treesTable(t))
	for _, c := range claims.All {
		r := claims.Result{Claim: c, Verdict: claims.Fails, Points: []*claims.Point{{Relation: claims.AtLeast, Predicted: 0.1234,
			Measured: claims.Value{Mean: 0.4567, Lo: 0.4321, Hi: 0.4789}}}}
		study.Claims = append(study.Claims, r)
	}
	assert.Less(t, len(study.ClaimsPage("again").Markdown(".")), 45_000)
}

// A page says why a claim about times is undecided, and how many comparisons there are at which level.
func TestClaimsPageSaysWhyUndecided(t *testing.T) {
	study := NewStudy(treesTable(t))
	for _, level := range []float64{0.984, 0.979} {
		study.Claims = append(study.Claims, claims.Result{Claim: claims.All[0], Verdict: claims.Undecided, Points: []*claims.Point{
			{Relation: claims.AtLeast, Predicted: 1, Measured: claims.Value{Mean: 1.1, Lo: 0.9, Hi: 1.2}, Level: level}}})
	}
	containsAll(t, study.ClaimsPage("again").Markdown("."), "2 comparisons, at a level of 97.9 % to 98.4 %. What refutes",
		"<br>*undecided: the interval lies on both sides of the bound* |")
}

// Every figure that a claim names is among the fixture's.
func TestClaimsNameFiguresThatExist(t *testing.T) {
	for _, c := range claims.All {
		if c.Figure != "" {
			assert.FileExists(t, "../testdata/results/machine/figures/"+c.Figure+".svg", c.ID)
		}
	}
}

// What only claims read is in no curve, no table and no comparison of START.
func TestClaimsCellsStayApart(t *testing.T) {
	var lines []string
	for _, n := range []string{"100", "1k"} {
		for scheme, levels := range map[string]string{"hashunsorted": "", "hierarchical": "/m=8x8"} {
			lines = append(lines, fmt.Sprintf("BenchmarkStart/scheme=%s/n=%s/M=16%s/T=1k/dist=loguniform/stop=0/set=claims 1 20 ns/op", scheme, n, levels))
		}
	}
	page := NewStudy(tableOf(t, 1, lines...)).Page("again")
	assert.Empty(t, page.Figures())
	assert.NotContains(t, page.Markdown("."), "loguniform")
}
