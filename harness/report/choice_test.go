package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/cost"
	"timerlab/harness/figures"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// judgedPage is a page of a machine on which a visit costs 5 ns and a migration
// 12, and START of scheme 7 a quarter more than that of scheme 6.
func judgedPage(t *testing.T) *Study {
	t.Helper()
	return judgedGrids(t, claims.Grid{N: 1000, Slots: []int{256, 1024}, Levels: []int{2}, Turns: 1, Means: []schemes.Tick{64, 256, 1024, 4096}})
}

// judgedGrids is judgedPage for some grids.
func judgedGrids(t *testing.T, grids ...claims.Grid) *Study {
	t.Helper()
	return judgedWith(t, 12, grids...)
}

// judgedWith is judgedGrids with the cost of a migration in ns.
func judgedWith(t *testing.T, perStep7 float64, grids ...claims.Grid) *Study {
	t.Helper()
	var groups []run.Group
	for _, grid := range grids {
		groups = append(append(groups, grid.Fitting().Cases()...), grid.Judging().Cases()...)
	}
	six := cost.Costs{cost.PerTimer: 50, cost.PerStop: -10, cost.PerStep: 5, cost.PerMixed: 6, cost.PerBusy: 20, cost.PerTick: 3, cost.PerHead: 2}
	seven := cost.Costs{cost.PerTimer: 52, cost.PerStop: -11, cost.PerStep: perStep7, cost.PerBusy: 22, cost.PerTick: 1}
	var lines []string
	for _, c := range groups {
		lives := c.Spec.Lives()
		site := cost.SiteOf(&hashunsorted.Info, c.Spec.N, 32<<10)
		for _, e := range c.Subjects {
			switch e.Info.Kind {
			default:
				lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 8 ns/op", run.Name(c.Spec, e)))
			case schemes.HashedWheel:
				lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 %.9f ns/op %.9f visits/op", run.Name(c.Spec, e), 8+six.Of(site.Load6(lives, e.Slots, cost.Wasted6(lives, e.Slots))), cost.Visits6(lives, e.Slots)))
			case schemes.Hierarchy:
				migrations := cost.Migrations7(lives, e.Levels)
				lines = append(lines, fmt.Sprintf("BenchmarkLifetime/%s 10 %.9f ns/op %.9f migrations/op", run.Name(c.Spec, e), 8+seven.Of(site.Load7(lives, e.Levels, migrations)), migrations))
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

// The answer is at most ten lines long, and has intervals.
func TestDecisionTable(t *testing.T) {
	p := judgedPage(t)
	lines := strings.Split(strings.TrimSpace(decisionTable(p.Table, p.choice).Markdown()), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "|") })
	assert.LessOrEqual(t, len(lines), 11, "ten and the rule below the head")
	for _, line := range lines[2:] {
		assert.Regexp(t, `\d .* to .*\d|\d of \d`, line)
	}
}

// What is not judged is named and counted, but does not fill the page.
func TestRefusedCellsAreCounted(t *testing.T) {
	c := judgedPage(t).choice
	c.Refused = []string{"a", "b", "c", "d", "e"}
	assert.Contains(t, choiceText(c), "- Not judged: c.\n- Not judged for similar reasons: 2 more.\n")
	c.Refused = c.Refused[:3]
	assert.NotContains(t, choiceText(c), "similar reasons")
}

// A fit that is noise takes the model from the page, not what was measured.
func TestPageWithoutModel(t *testing.T) {
	p := judgedWith(t, -1, claims.Grid{N: 1000, Slots: []int{256, 1024}, Levels: []int{2}, Turns: 1, Means: []schemes.Tick{64, 256, 1024, 4096}})
	require.ErrorContains(t, p.choice.Fits[0].NoModel, "c7 = 0.00 ns, which is noise")
	text := p.Page("again").Markdown(".")
	for _, want := range []string{"## Scheme 6 or scheme 7?", "c7/c6 = ? (no model: choice between 6 and 7: the fit gives c6", "nothing else is known", "No fit gives a model.", "## Where schemes 6 and 7 cost the same"} {
		assert.Contains(t, text, want)
	}
	for _, no := range []string{"NaN", "the paper's bound", "## The model"} {
		assert.NotContains(t, strings.ReplaceAll(text, claims.PapersBound, ""), no)
	}
	for _, section := range choiceSections(p.Table, p.choice, "") {
		_, err := SaveFigures(t.TempDir(), "svg", section.Figures)
		require.NoError(t, err)
		for _, f := range section.Figures {
			assert.NotContains(t, f.Frame.Title, "of 0", f.Name)
			if m, ok := f.Figure.(figures.WinnerMap); ok {
				assert.Empty(t, m.Bound, "no line of the legend that the map does not have")
			}
		}
	}
}

// The model is judged on the cells of the fits that have one.
func TestModelOfSomeFits(t *testing.T) {
	p := judgedPage(t)
	model := &p.choice.Scores[len(p.choice.Scores)-1]
	require.Equal(t, "the model", model.Rule)
	model.Right, model.Named = 3, 4
	assert.Contains(t, choiceFinding(p.choice), "names the cheaper one in 3 of 4 decided cells")
}

// Where the noise decides all cells there is no number to give.
func TestNothingIsDecided(t *testing.T) {
	p := judgedPage(t)
	for i := range p.choice.Scores {
		p.choice.Scores[i] = claims.Score{Rule: p.choice.Scores[i].Rule}
	}
	assert.Contains(t, decisionTable(p.Table, p.choice).Markdown(), "no cell is outside the noise")
	assert.Contains(t, choiceFinding(p.choice), "no cell is decided")
}

// Several n and forms have a column, a row and a figure each, and every figure can be drawn.
func TestSeveralFormsAndN(t *testing.T) {
	grid := claims.Grid{N: 1000, Slots: []int{256, 1024}, Levels: []int{2}, Turns: 1, Means: []schemes.Tick{64, 256, 1024, 4096}, Chunked: true}
	larger := grid
	larger.N = 10_000
	p := judgedGrids(t, grid, larger)
	require.Len(t, p.choice.Fits, 4)
	var text string
	var all []Named
	for _, section := range choiceSections(p.Table, p.choice, "") {
		text += (&Page{Sections: []Section{section}}).Markdown(".")
		all = append(all, section.Figures...)
	}
	for _, want := range []string{"chunked slots\n", "n = 1k, scheme 6", "n = 10k, scheme 7", "by n and form"} {
		assert.Contains(t, text, want)
	}
	names := map[string]bool{}
	for _, f := range all {
		assert.False(t, names[f.Name], f.Name)
		names[f.Name] = true
	}
	assert.Len(t, all, 4*2*2+2+1, "maps by stops and choice, T* by stops, the model")
	paths, err := SaveFigures(t.TempDir(), "svg", all)
	require.NoError(t, err)
	assert.Len(t, paths, len(all))
}

// The figures show what the verdict found, each number in its place.
func TestChoiceFiguresShowTheVerdict(t *testing.T) {
	c := judgedPage(t).choice
	k := choiceParts(c)[0]
	require.Equal(t, "linked slots, n = 1k, exp intervals, no stops", k.String())
	for _, chosen := range []claims.Winner{6, 7} {
		f := k.regretMap(chosen, "")
		s := (&claims.Choice{Cells: k.cells}).Always(chosen, func(claims.ChoiceCell) bool { return true })
		require.Less(t, s.Right, s.Named)
		assert.Equal(t, fmt.Sprintf("Always choosing scheme %d, no stops: right in %d of %d cells, at worst it costs %s", chosen, s.Right,
			s.Named, worstOf(s)), f.Title)
		assert.Equal(t, []string{"256, m = 2", "1024, m = 2"}, f.Rows)
		assert.Equal(t, []float64{64, 256, 1024, 4096}, f.T)
		for i, x := range k.crossovers {
			assert.Equal(t, k.Ratio.Median*float64(2*x.Slots), f.Bound[i])
		}
		short, long := f.Cells[0][0], f.Cells[0][3]
		assert.Equal(t, []figures.Winner{figures.Six, figures.Seven}, []figures.Winner{short.Winner, long.Winner})
		wrong, right := short, long
		if chosen == 6 {
			wrong, right = long, short
		}
		assert.Greater(t, wrong.Ratio, 1.0, "what the choice costs")
		assert.Zero(t, right.Ratio, "nothing to regret")
	}
	f := breakEvenFigure(choiceParts(c), "0", "")
	assert.Contains(t, f.Title, "no stops; the model is within 20 % in 2 of 2")
	require.Len(t, f.Panels, 1)
	model, measured := f.Panels[0].Series[0], f.Panels[0].Series[1]
	for i, x := range k.crossovers {
		slots := float64(x.Slots)
		assert.Equal(t, []float64{slots, x.Model.Median / slots}, []float64{model.Points[i].X, model.Points[i].Y})
		assert.Equal(t, figures.Point{X: slots, Y: x.Measured / slots, Lo: x.Lo / slots, Hi: x.Hi / slots}, measured.Points[i])
	}
	panel := modelFigure(c, "").Panels[0]
	for i, cell := range c.Cells {
		assert.Equal(t, figures.Point{X: cell.Six.Median, Y: 100 * (cell.Model6/cell.Six.Median - 1)}, panel.Series[1].Points[i])
		assert.Equal(t, figures.Point{X: cell.Seven.Median, Y: 100 * (cell.Model7/cell.Seven.Median - 1)}, panel.Series[2].Points[i])
	}
}
