package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/schemes"
)

var updateChoice = flag.Bool("update-choice", false, "rewrite testdata/choice.md")

// judgedPage is a page of a machine on which a visit costs 5 ns and a migration
// 12, and START of scheme 7 a quarter more than that of scheme 6.
func judgedPage(t *testing.T) *Study {
	t.Helper()
	grid := claims.Grid{N: 1000, Slots: []int{256, 1024}, Levels: []int{2}, Turns: 1, Means: []schemes.Tick{64, 256, 1024, 4096}}
	var lines []string
	for _, c := range append(grid.Fitting().Cases(), grid.Judging().Cases()...) {
		lives := c.Spec.Lives()
		other := -10*(1-cost.Expiring(lives)) + 3*cost.MeanStay(lives)/float64(c.Spec.N)
		for _, e := range c.Subjects {
			switch e.Info.Kind {
			case schemes.HashedWheel:
				lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 %.9f ns/op %.9f visits/op", run.Name(c.Spec, e), 50+5*cost.Wasted6(lives, e.Slots)+other, cost.Visits6(lives, e.Slots)))
			case schemes.Hierarchy:
				migrations := cost.Migrations7(lives, e.Levels)
				lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 %.9f ns/op %.9f migrations/op", run.Name(c.Spec, e), 50+12*migrations+other, migrations))
			}
		}
	}
	const keys = "/n=1k/M=256%s/T=1k/dist=exp/stop=0 10 %d ns/op"
	for scheme, ns := range map[string]int{"hashunsorted": 20, "hashunsorted-again": 21} {
		lines = append(lines, "BenchmarkStart/scheme="+scheme+fmt.Sprintf(keys, "", ns))
	}
	lines = append(lines, "BenchmarkStart/scheme=hierarchical"+fmt.Sprintf(keys, "/m=128x128", 25))
	p := NewStudy(tableOf(t, 6, lines...))
	require.NoError(t, p.whyChoice)
	return p
}

// What the page says of a known machine: go test -run TestChoiceText -update-choice.
func TestChoiceText(t *testing.T) {
	p := judgedPage(t)
	sections := choiceSections(p.choice, "")
	text := sections[0].markdown() + sections[1].markdown() + cellsSection(p.choice).markdown() + startSection(p.starts).markdown()
	golden := filepath.Join("testdata", "choice.md")
	if *updateChoice {
		require.NoError(t, os.WriteFile(golden, []byte(text), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), text)
}

// The figures show what the verdict found, each number in its place.
func TestChoiceFiguresShowTheVerdict(t *testing.T) {
	c := judgedPage(t).choice
	k := choiceParts(c)[0]
	require.Equal(t, "m = 2, no stops", k.String())
	assert.Equal(t, "Scheme 6 is cheaper up to T = 2.1 to 2.2 M; the paper's rule says 4.8 M", k.crossoverTitle())
	s := k.Score(everyCell)
	require.NotEqual(t, s.Paper, s.Refined)
	winners := k.winnerFigure("")
	assert.Equal(t, fmt.Sprintf("The paper's rule names the winner in %d of %d cells, the refined rule in %d", s.Paper, s.Decided, s.Refined), winners.Title)
	assert.Equal(t, []float64{256, 1024}, winners.M)
	assert.Equal(t, []float64{64, 256, 1024, 4096}, winners.T)
	panels := k.crossoverFigure("").Panels
	require.Len(t, panels, 2)
	for i, x := range k.Crossovers {
		assert.Equal(t, []float64{x.Paper, x.Refined}, []float64{winners.Paper[i], winners.Refined[i]})
		var marks []float64
		for _, m := range panels[i].Marks {
			marks = append(marks, m.X, m.Lo, m.Hi)
		}
		assert.Equal(t, []float64{x.Measured, x.Lo, x.Hi, x.Refined, 0, 0, x.Paper, 0, 0}, marks)
	}
	six, seven := winners.Cells[0][0], winners.Cells[0][3]
	assert.Equal(t, figures.Six, six.Winner)
	assert.Equal(t, figures.Seven, seven.Winner)
	assert.Greater(t, six.Ratio, 1.0, "the loser's cost over the winner's")
	assert.Greater(t, seven.Ratio, 1.0)
	six6, seven7 := panels[0].Series[2], panels[0].Series[3]
	for j, p := range six6.Points {
		cell := c.Cells[j]
		assert.Equal(t, []float64{float64(cell.T), cell.Six.Median}, []float64{p.X, p.Y})
		assert.Equal(t, cell.Seven.Median, seven7.Points[j].Y)
		assert.Equal(t, cell.Model6, panels[0].Series[0].Points[j].Y)
	}
}
