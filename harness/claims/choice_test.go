package claims

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// world is what the synthetic machine's schemes cost, in ns.
type world struct {
	six, seven Costs
	again      func(cell, round int) float64 // factor of the A/A pair's second; nil: 1
	lost       func(cell, round int) bool    // runs of scheme 6 without a result; nil: none
	swing      float64                       // of the machine's speed from round to round; 0: 0.2
}

var plain = world{
	six:   Costs{perTimer: 50, perStep: 5, perStop: -10, perTick: 3},
	seven: Costs{perTimer: 50, perStep: 12, perStop: -12, perTick: 4},
}

const rounds = 8

var grid = Grid{
	N: 1000, Slots: []int{256, 1024}, Levels: []int{2, 4}, Turns: 1,
	Means: []schemes.Tick{64, 128, 256, 400, 600, 900, 1400, 2048, 4096},
}

// worldCell is a cell as measureIn writes it.
type worldCell struct {
	name  string
	ns    float64
	count benchfmt.Value
	of    int // the case
	label string
}

func (w world) cells(cases []run.Group) []worldCell {
	var all []worldCell
	for i, c := range cases {
		lives := c.Spec.Lives()
		for _, e := range c.Subjects {
			if e.Info.Number != 0 {
				ns, count := w.costs(lives, c.Spec.N, e)
				all = append(all, worldCell{"Lifetime/" + run.Name(c.Spec, e), ns, count, i, e.Label})
			}
		}
	}
	return all
}

// measureIn returns the table that a machine of this world would write: the
// counts by the formulas, times by counts.
func measureIn(t *testing.T, w world, cases []run.Group) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, nil)
	require.NoError(t, err)
	all := w.cells(cases)
	for round := range rounds {
		require.NoError(t, raw.Round(round))
		for _, c := range all {
			ns := c.ns * (1 + cmp.Or(w.swing, 0.2)*math.Sin(float64(round))) // the machine's drift, in step for all
			if c.label == sixName+results.Again && w.again != nil {
				ns *= w.again(c.of, round)
			}
			if c.label == sixName && w.lost != nil && w.lost(c.of, round) {
				continue
			}
			require.NoError(t, raw.Result(results.Result{Name: c.name, Iters: 1, Values: []benchfmt.Value{{Value: ns, Unit: "ns/op"}, c.count}}))
		}
	}
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

// costs returns what a lifetime costs an entrant in this world, and the count of
// its steps.
func (w world) costs(lives []workload.Life, n int, e run.Subject) (ns float64, count benchfmt.Value) {
	if e.Info.Number == 6 {
		return w.six.of(loadOf(lives, n, cost.Wasted6(lives, e.Slots))), benchfmt.Value{Value: cost.Visits6(lives, e.Slots), Unit: results.VisitsPerOp}
	}
	migrations := cost.Migrations7(lives, e.Levels)
	return w.seven.of(loadOf(lives, n, migrations)), benchfmt.Value{Value: migrations, Unit: results.MigrationsPerOp}
}

// repeats skips a test that judges the grid in further worlds, which takes a second or more each.
func repeats(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("judges the grid again")
	}
}

func judged(t *testing.T, w world) *Choice {
	t.Helper()
	c, err := JudgeChoice(measureIn(t, w, append(grid.Fitting().Cases(), grid.Judging().Cases()...)))
	require.NoError(t, err)
	return c
}

var plainChoice *Choice

// judgedPlain returns a copy of what is judged in the plain world, once for all tests.
func judgedPlain(t *testing.T) *Choice {
	t.Helper()
	if plainChoice == nil {
		plainChoice = judged(t, plain)
	}
	c := *plainChoice
	return &c
}

// Costs that follow the model are recovered, whatever the machine's drift: c7/c6
// exactly, the costs within the drift.
func TestFitRecoversTheCosts(t *testing.T) {
	repeats(t)
	c := judgedPlain(t)
	assert.InEpsilon(t, 12.0/5, c.Ratio.Median, 1e-6)
	assert.InEpsilon(t, 5, c.C6.Median, 0.2)
	assert.InEpsilon(t, 12, c.C7.Median, 0.2)
	assert.Less(t, c.C6.Lo, 5.0)
	assert.Greater(t, c.C6.Hi, 5.0)
}

// With one M or no stops the costs cannot be told apart, however often they are
// measured; that must not come out as a narrow interval.
func TestFitRefusesWhatItCannotTellApart(t *testing.T) {
	for _, test := range []struct {
		change func(*Grid)
		want   string
	}{
		{func(g *Grid) { g.Slots = []int{256} }, "M = 256 and stop = 0, 0.5@0.3 (use two or more"},
		{func(g *Grid) { g.Stops = g.Stops[:1] }, "M = 256, 1024 and stop = 0 (use two or more"},
		{func(g *Grid) { g.Slots = []int{256, 258} }, "would magnify noise"},
	} {
		fitting := grid.Fitting()
		test.change(&fitting)
		_, err := JudgeChoice(measureIn(t, plain, append(fitting.Cases(), grid.Judging().Cases()...)))
		assert.ErrorIs(t, err, ErrNotMeasured)
		assert.ErrorContains(t, err, test.want)
	}
}

// A round that lost a run is left out of the fit. Paired by position, that cell's
// later rounds would stand beside the others' earlier ones, at another speed.
func TestFitPairsByRound(t *testing.T) {
	repeats(t)
	w := plain
	w.swing = 0.9
	w.lost = func(cell, round int) bool { return cell == 3 && round == 0 }
	c := judged(t, w)
	assert.Equal(t, rounds-1, c.Ratio.N)
	assert.InEpsilon(t, 12.0/5, c.Ratio.Lo, 1e-6)
	assert.InEpsilon(t, 12.0/5, c.Ratio.Hi, 1e-6)

	w.lost = func(cell, round int) bool { return cell == round%2 }
	_, err := JudgeChoice(measureIn(t, w, append(grid.Fitting().Cases(), grid.Judging().Cases()...)))
	assert.ErrorIs(t, err, ErrNotMeasured)
	assert.ErrorContains(t, err, "no round has all cells")
}

// Where the refined formulas are the truth, and ticks and starts cost both
// schemes the same, the refined rule names every winner and its crossover is the
// measured one. The paper's rule puts it several times too far.
func TestTheRefinedRuleIsRightInItsOwnWorld(t *testing.T) {
	w := plain
	w.seven[perStop], w.seven[perTick] = w.six[perStop], w.six[perTick]
	c := judged(t, w)
	s := c.Score(func(ChoiceCell) bool { return true })
	assert.Equal(t, len(c.Cells), s.Decided, "no noise, no tie")
	assert.Equal(t, s.Decided, s.Refined)
	assert.Equal(t, s.Decided, s.Model)
	assert.Less(t, s.Paper, s.Decided)
	for _, x := range c.Crossovers {
		assert.Equal(t, cost.PaperCrossover(c.Ratio.Median, x.Slots, len(x.Levels)), x.Paper)
		if !math.IsNaN(x.Measured) {
			assert.InEpsilon(t, x.Refined, x.Measured, 0.1, "M = %d, %v, stop = %s", x.Slots, x.Levels, x.Stop)
			assert.Greater(t, x.Paper, x.Measured)
		}
	}
}

// Where ticks cost the schemes differently, only the fitted model knows.
func TestTheModelKnowsTheTicks(t *testing.T) {
	repeats(t)
	w := plain
	w.seven[perTick] = 20
	c := judged(t, w)
	s := c.Score(func(ChoiceCell) bool { return true })
	assert.Equal(t, s.Decided, s.Model)
	assert.Less(t, s.Refined, s.Decided)
	none := c.Score(func(ChoiceCell) bool { return false })
	assert.Zero(t, none)
}

// The verdict turns with the costs: a scheme 7 whose migrations are dear loses
// cells, one whose migrations are free wins all that have visits to waste.
func TestTheVerdictTurnsWithTheCosts(t *testing.T) {
	repeats(t)
	wins := func(w world) (six, seven int) {
		for _, cell := range judged(t, w).Cells {
			switch cell.Winner {
			case 6:
				six++
			case 7:
				seven++
			}
		}
		return six, seven
	}
	w := plain
	w.seven = w.six
	w.seven[perStep] = 60
	six, _ := wins(w)
	w.seven[perStep] = 0.01
	_, seven := wins(w)
	cells := len(judgedPlain(t).Cells)
	assert.Greater(t, six, cells/2)
	assert.Greater(t, seven, cells/2)
}

// An A/A pair that differs widens the band within which there is no winner.
func TestNoise(t *testing.T) {
	repeats(t)
	c := judgedPlain(t)
	assert.Zero(t, c.Noise)
	noisy := plain
	noisy.again = func(cell, _ int) float64 { return 1 + 0.3*float64(cell%2) }
	c = judged(t, noisy)
	assert.InDelta(t, 0.3, c.Noise, 0.001)
	odd := plain
	odd.again = func(cell, _ int) float64 {
		if cell == 7 {
			return 3
		}
		return 1.01
	}
	assert.InDelta(t, 0.01, judged(t, odd).Noise, 0.001, "of 56 cells one that is far out, as one in 20 may be")
	for _, cell := range c.Cells {
		if math.Abs(math.Log(cell.Ratio.Median)) < math.Log(1.3) {
			assert.Equal(t, Tie, cell.Winner, "%+v", cell)
		}
	}
	assert.Equal(t, Tie, winner(results.Estimate{Median: 1.5, Lo: 0.9, Hi: 2}, 0), "the interval holds 1")
	assert.Equal(t, cost.Winner(7), winner(results.Estimate{Median: 1.5, Lo: 1.2, Hi: 2}, 0.1))
	assert.Equal(t, cost.Winner(6), winner(results.Estimate{Median: 0.5, Lo: 0.4, Hi: 0.6}, 0.1))
}

func TestNotMeasured(t *testing.T) {
	_, err := JudgeChoice(measureIn(t, plain, grid.Judging().Cases()))
	assert.ErrorIs(t, err, ErrNotMeasured, "nothing to fit on")
	_, err = JudgeChoice(measureIn(t, plain, grid.Fitting().Cases()))
	assert.ErrorIs(t, err, ErrNotMeasured, "nothing to judge")
	free := plain
	free.six[perStep] = -1
	_, err = JudgeChoice(measureIn(t, free, append(grid.Fitting().Cases(), grid.Judging().Cases()...)))
	assert.ErrorContains(t, err, "which is noise", "visits that cost less than nothing")
}

// Costs that were fitted at one n say nothing of another, so two n are refused;
// and no rule knows restarts or open arrivals.
func TestOneSizeIsJudged(t *testing.T) {
	repeats(t)
	cases := append(grid.Fitting().Cases(), grid.Judging().Cases()...)
	larger := grid
	larger.N = 100_000
	_, err := JudgeChoice(measureIn(t, plain, append(append(larger.Fitting().Cases(), larger.Judging().Cases()...), cases...)))
	assert.ErrorIs(t, err, ErrNotMeasured)
	assert.ErrorContains(t, err, "n = 100k, 1k")

	c, err := JudgeChoice(measureIn(t, plain, append(larger.Judging().Cases(), cases...)))
	require.NoError(t, err, "an n without a fit is no second grid")
	assert.Equal(t, judgedPlain(t).Cells, c.Cells)

	for i := range cases {
		cases[i].Spec.Arrivals = workload.Poisson
	}
	_, err = JudgeChoice(measureIn(t, plain, cases))
	assert.ErrorIs(t, err, ErrNotMeasured)
	assert.ErrorContains(t, err, "arrivals=hold")
}

// The page prints one c7/c6, the median of the rounds' ratios, and every rule
// takes that one.
func TestRulesTakeTheRatioThatIsPrinted(t *testing.T) {
	c := judgedPlain(t)
	c.Ratio.Median = 4 // far from C7.Median / C6.Median
	series := c.Cells[:len(grid.Means)]
	x := c.crossing(series)
	assert.Equal(t, 4*2*256.0, x.Paper)
	assert.Equal(t, refinedCrossover(4, workload.Spec{N: 1, Dist: judgeDist}, x.Slots, x.Levels, levelRules[0], 4*series[len(series)-1].T), x.Refined)
	table := measureIn(t, plain, grid.Judging().Cases())
	for _, old := range c.Cells {
		k := results.ParseKey(fmt.Sprintf("Lifetime/scheme=hierarchical/n=1k/M=%d/m=%s/T=%s/dist=exp/stop=%s",
			old.Slots, results.Radices(old.Levels), results.FormatCount(uint64(old.T)), old.Stop))
		cell, err := c.judge(table, k)
		require.NoError(t, err)
		spec, _, err := parse(k)
		require.NoError(t, err)
		assert.Equal(t, cost.PaperRule(4, cost.MeanStay(spec.Lives()), old.Slots, len(old.Levels)), cell.Paper)
		assert.Equal(t, cost.RefinedRule(4, spec.Lives(), old.Slots, old.Levels), cell.Refined)
	}
}

// A crossover lies where the medians cross 1, between where the ends of their
// intervals do; beyond the grid it is told on which side.
func TestCrossing(t *testing.T) {
	of := func(T schemes.Tick, lo, median, hi float64) ChoiceCell {
		return ChoiceCell{Slots: 64, Levels: []int{32, 32}, T: T, Stop: "0", Ratio: results.Estimate{Median: median, Lo: lo, Hi: hi}}
	}
	c := &Choice{Ratio: results.Estimate{Median: 2}}
	x := c.crossing([]ChoiceCell{of(100, 0.25, 0.5, 0.8), of(200, 0.4, 0.5, 1.25), of(400, 0.8, 2, 4), of(800, 1.25, 3, 4)})
	assert.InDelta(t, 200*math.Sqrt2, x.Measured, 1e-9)
	assert.InDelta(t, 100*math.Sqrt2, x.Lo, 1e-9, "the ratio may rise above 1 as early as its upper end does")
	assert.InDelta(t, 400*math.Sqrt2, x.Hi, 1e-9)
	assert.Empty(t, x.Note)
	assert.Equal(t, "above 200", c.crossing([]ChoiceCell{of(100, 0.1, 0.2, 0.3), of(200, 0.1, 0.2, 0.3)}).Note)
	assert.Equal(t, "below 100", c.crossing([]ChoiceCell{of(100, 1.1, 1.2, 1.3), of(200, 1.1, 1.2, 1.3)}).Note)
}

// What a cell says of each scheme is that scheme's.
func TestCellsAreOfTheirSchemes(t *testing.T) {
	repeats(t)
	table := measureIn(t, plain, append(grid.Fitting().Cases(), grid.Judging().Cases()...))
	c, err := JudgeChoice(table)
	require.NoError(t, err)
	for _, cell := range c.Cells {
		k := results.ParseKey(fmt.Sprintf("Lifetime/scheme=hierarchical/n=1k/M=%d/m=%s/T=%s/dist=exp/stop=%s",
			cell.Slots, results.Radices(cell.Levels), results.FormatCount(uint64(cell.T)), cell.Stop))
		seven, err := table.Median(k, nsPerOp)
		require.NoError(t, err)
		six, err := table.Median(sixKey(k), nsPerOp)
		require.NoError(t, err)
		assert.Equal(t, []results.Estimate{six, seven}, []results.Estimate{cell.Six, cell.Seven})
		spec, _, err := parse(k)
		require.NoError(t, err)
		assert.InDelta(t, cost.Wasted6(spec.Lives(), cell.Slots), cell.Visits, 1e-9, "the visit that expires a timer is no waste")
		assert.InDelta(t, cost.Migrations7(spec.Lives(), cell.Levels), cell.Migrated, 1e-9)
	}
}

// Cells that cannot be judged are counted, not passed over: a crossover may lie in
// them.
func TestCellsWithoutATimeAreCounted(t *testing.T) {
	repeats(t)
	assert.Zero(t, judgedPlain(t).Without)
	w := plain
	lost := len(grid.Fitting().Cases()) + 2
	w.lost = func(cell, _ int) bool { return cell == lost }
	c := judged(t, w)
	assert.Equal(t, len(grid.Levels), c.Without, "scheme 7 has no opponent there")
	assert.Len(t, c.Cells, len(judgedPlain(t).Cells)-c.Without)
}

// A name that no workload and no wheels can have is an error, not a panic in a
// formula.
func TestParseRefusesImpossibleNames(t *testing.T) {
	good := "Lifetime/scheme=hierarchical/n=1k/M=64/m=32x32/T=10/dist=exp/stop=0"
	_, _, err := parse(results.ParseKey(good))
	require.NoError(t, err)
	for from, to := range map[string]string{"M=64": "M=0", "/m=32x32": "", "n=1k": "n=0", "T=10/": "T=0/"} {
		name := strings.Replace(good, from, to, 1)
		require.NotEqual(t, good, name)
		_, _, err := parse(results.ParseKey(name))
		assert.ErrorContains(t, err, "benchmark "+name, to)
	}
}

// A grid fits and judges on different intervals, T, stops and seeds.
func TestFittingAndJudgingDiffer(t *testing.T) {
	fit, judge := grid.Fitting(), grid.Judging()
	assert.NotEqual(t, fit.Dist, judge.Dist)
	assert.NotEqual(t, fit.Seed, judge.Seed)
	for _, T := range fit.Means {
		assert.NotContains(t, judge.Means, T)
	}
	for _, c := range append(fit.Cases(), judge.Cases()...) {
		for _, m := range grid.Levels {
			for _, slots := range grid.Slots {
				assert.Zero(t, c.Spec.Ticks%schemes.Tick(slots/m), "a run is whole turns")
			}
		}
		assert.Len(t, c.Subjects, 3+len(grid.Levels), "scheme 6 and 7, the null scheme and the A/A pair")
	}
}

func TestStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, nil)
	require.NoError(t, err)
	for round := range rounds {
		require.NoError(t, raw.Round(round))
		for _, row := range []struct {
			n, scheme string
			ns        float64
		}{
			{"1k", "hashunsorted", 20}, {"1k", "hashunsorted-again", 20.2}, {"1k", "hierarchical", 25},
			{"100", "hashunsorted", 20}, {"100", "hashunsorted-again", 26}, {"100", "hierarchical", 25},
			{"10k", "hashunsorted", 20}, {"10k", "hashunsorted-again", 20}, {"10k", "hierarchical", 15},
		} {
			name := fmt.Sprintf("Start/scheme=%s/n=%s/M=64/T=10/dist=exp/stop=0", row.scheme, row.n)
			r := results.Result{Name: name, Iters: 1, Values: []benchfmt.Value{{Value: row.ns, Unit: "ns/op"}}}
			require.NoError(t, raw.Result(r))
		}
	}
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	starts := Starts(table)
	require.Len(t, starts, 3)
	assert.Equal(t, []float64{20, 25, 1.25}, []float64{starts[1].Six.Median, starts[1].Seven.Median, starts[1].Ratio.Median})
	assert.Equal(t, []string{"100", "1k", "10k"}, []string{starts[0].Key.N, starts[1].Key.N, starts[2].Key.N})
	assert.Equal(t, []string{"undecided", "costs more", "costs less"}, []string{starts[0].Verdict(), starts[1].Verdict(), starts[2].Verdict()})
}
