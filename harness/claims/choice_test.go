package claims

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
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
	"timerlab/schemes/hashunsorted"
)

// world is what the synthetic machine's schemes cost, in ns.
type world struct {
	six, seven cost.Costs
	again      func(cell, round int) float64 // factor of the A/A pair's second; nil: 1
	lost       func(cell, round int) bool    // runs of scheme 6 without a result; nil: none
	short      float64                       // share of the steady state's migrations that are counted; 0: all
	stale      float64                       // migrations of stopped timers in arrays, as a share
	code       string                        // that the file records; "": none
	swing      float64                       // of the machine's speed from round to round; 0: 0.2
}

var plain = world{
	six: cost.Costs{cost.PerTimer: 50, cost.PerStep: 5, cost.PerStop: -10, cost.PerTick: 3, cost.PerMixed: 4,
		cost.PerBusy: 10, cost.PerHead: 2},
	seven: cost.Costs{cost.PerTimer: 50, cost.PerStep: 12, cost.PerStop: -12, cost.PerTick: 4, cost.PerBusy: 12},
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
			ns, count := w.costs(lives, c.Spec.N, e)
			all = append(all, worldCell{"Lifetime/" + run.Name(c.Spec, e), ns, count, i, e.Label})
		}
	}
	return all
}

// measureIn returns the table that a machine of this world would write: the
// counts by the formulas, times by counts.
func measureIn(t *testing.T, w world, cases []run.Group) *results.Table {
	t.Helper()
	table, err := results.Load(writeWorld(t, w, cases))
	require.NoError(t, err)
	return table
}

// writeWorld writes what measureIn returns, and returns the file.
func writeWorld(t *testing.T, w world, cases []run.Group) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	var keys results.Machine
	if w.code != "" {
		keys = keys.WithCode(results.Code{"schemes": w.code})
	}
	raw, err := results.CreateRaw(path, keys)
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
	return path
}

// harnessNanos is what a lifetime of the null scheme takes.
const harnessNanos = 8

// costs returns what a lifetime costs a subject in this world, and the count of
// its steps.
func (w world) costs(lives []workload.Life, n int, e run.Subject) (ns float64, count benchfmt.Value) {
	site := cost.SiteOf(&hashunsorted.Info, n, 32<<10)
	switch e.Info.Number {
	case 6:
		load := site.Load6(lives, e.Slots, cost.Wasted6(lives, e.Slots))
		return harnessNanos + w.six.Of(load), benchfmt.Value{Value: cost.Visits6(lives, e.Slots), Unit: results.VisitsPerOp}
	case 7:
		migrations := cost.Migrations7(lives, e.Levels)
		short := w.short
		if short == 0 {
			short = 1
		}
		ns := harnessNanos + w.seven.Of(site.Load7(lives, e.Levels, migrations))
		if e.Info.Name != sevenName {
			migrations *= 1 + w.stale
		}
		return ns, benchfmt.Value{Value: short * migrations, Unit: results.MigrationsPerOp}
	}
	return harnessNanos, benchfmt.Value{Unit: results.VisitsPerOp}
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
// exactly, the costs within the drift. So is every T*.
func TestFitRecoversTheCosts(t *testing.T) {
	repeats(t)
	c := judgedPlain(t)
	require.Len(t, c.Fits, 1)
	f := c.Fits[0]
	assert.InEpsilon(t, 12.0/5, f.Ratio.Median, 1e-6)
	assert.InEpsilon(t, 5, f.Costs6[cost.PerStep].Median, 0.2)
	assert.InEpsilon(t, 12, f.Costs7[cost.PerStep].Median, 0.2)
	assert.Less(t, f.Costs6[cost.PerStep].Lo, 5.0)
	assert.Greater(t, f.Costs6[cost.PerStep].Hi, 5.0)
	assert.Zero(t, f.Costs7[cost.PerOdd].Median, "no wheel had such radices")
	score := c.Scores[len(c.Scores)-1]
	assert.Equal(t, score.Decided, score.Right, "the model is the truth")
	a := c.Agree(func(Crossing) bool { return true })
	assert.Positive(t, a.Series)
	assert.Equal(t, a.Series, a.Within)
	assert.InDelta(t, 1, a.Factor, 0.02)
}

// A world whose odd radices cost extra: the fit finds them where they are.
func TestFitFindsOddRadices(t *testing.T) {
	repeats(t)
	w, odd := plain, grid
	w.seven[cost.PerOdd], w.seven[cost.PerOddStep] = 6, 3
	odd.Levels = []int{2, 3}
	c, err := JudgeChoice(measureIn(t, w, append(odd.Fitting().Cases(), odd.Judging().Cases()...)))
	require.NoError(t, err)
	assert.InEpsilon(t, 6, c.Fits[0].Costs7[cost.PerOdd].Median, 0.2)
	assert.InEpsilon(t, 3, c.Fits[0].Costs7[cost.PerOddStep].Median, 0.2)
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
	} {
		fitting := grid.Fitting()
		test.change(&fitting)
		_, err := JudgeChoice(measureIn(t, plain, append(fitting.Cases(), grid.Judging().Cases()...)))
		assert.ErrorIs(t, err, ErrNotMeasured)
		assert.ErrorContains(t, err, test.want)
	}
	fitting := grid.Fitting()
	fitting.Slots = []int{256, 258}
	c, err := JudgeChoice(measureIn(t, plain, append(fitting.Cases(), grid.Judging().Cases()...)))
	require.NoError(t, err)
	assert.ErrorIs(t, c.Fits[0].NoModel, ErrNotMeasured)
	assert.ErrorContains(t, c.Fits[0].NoModel, "would magnify noise")
}

// A round that lost a run is left out of the fit. By position, that cell's
// later rounds would be paired with the others' earlier ones, at another speed.
func TestFitPairsByRound(t *testing.T) {
	repeats(t)
	w := plain
	w.swing = 0.9
	w.lost = func(cell, round int) bool { return cell == 3 && round == 0 }
	f := judged(t, w).Fits[0]
	assert.Equal(t, rounds-1, f.Ratio.N)
	assert.InEpsilon(t, 12.0/5, f.Ratio.Lo, 1e-6)
	assert.InEpsilon(t, 12.0/5, f.Ratio.Hi, 1e-6)

	w.lost = func(cell, round int) bool { return cell == round%2 }
	f = judged(t, w).Fits[0]
	assert.ErrorIs(t, f.NoModel, ErrNotMeasured)
	assert.ErrorContains(t, f.NoModel, "no round has all cells")
}

// scoreNamed returns a rule's score.
func scoreNamed(t *testing.T, c *Choice, start string) Score {
	t.Helper()
	for _, s := range c.Scores {
		if strings.HasPrefix(s.Rule, start) {
			return s
		}
	}
	require.Fail(t, "no rule "+start)
	return Score{}
}

// Where only visits and migrations cost more than the other scheme pays, the counts rule names every
// winner. The paper's bound is right wherever it says 7, and says nothing elsewhere.
func TestTheCountsRuleIsRightInItsOwnWorld(t *testing.T) {
	w := plain
	w.six = cost.Costs{cost.PerTimer: 50, cost.PerStep: 5, cost.PerStop: -12, cost.PerTick: 4, cost.PerBusy: 12}
	c := judged(t, w)
	counts, bound, model := scoreNamed(t, c, "the counts rule"), scoreNamed(t, c, PapersBound), scoreNamed(t, c, "the model")
	assert.Equal(t, len(c.Cells), counts.Decided, "no noise, no tie")
	assert.Equal(t, counts.Decided, counts.Right)
	assert.Equal(t, counts.Decided, model.Right)
	assert.Positive(t, bound.Named)
	assert.Less(t, bound.Named, bound.Decided)
	assert.Equal(t, bound.Named, bound.Right)
	assert.Zero(t, bound.Worst.Median)
}

// Where ticks cost the schemes differently, counts of visits and migrations do not suffice.
func TestTheModelHasTheTicks(t *testing.T) {
	repeats(t)
	w := plain
	w.seven[cost.PerTick] = 20
	c := judged(t, w)
	model, counts := scoreNamed(t, c, "the model"), scoreNamed(t, c, "the counts rule")
	assert.Equal(t, model.Decided, model.Right)
	assert.Less(t, counts.Right, counts.Decided)
	assert.Positive(t, counts.Mean.Median)
	assert.GreaterOrEqual(t, counts.Worst.Median, counts.Mean.Median)
}

// A formula with schemes swapped turns the verdict: what the model names is then wrong.
func TestSwappedCostsTurnTheVerdict(t *testing.T) {
	c := judgedPlain(t)
	cells := slices.Clone(c.Cells)
	for i := range cells {
		cells[i].Model6, cells[i].Model7 = cells[i].Model7, cells[i].Model6
	}
	s := scoreOf(rule{"swapped", ChoiceCell.Model}, cells)
	assert.Zero(t, s.Right)
	assert.Equal(t, s.Decided, s.Named)
	assert.Positive(t, s.Worst.Median)
}

// A scheme 6 that beats the bound turns the paper's sentence.
func TestTheBoundCanFail(t *testing.T) {
	c := judgedPlain(t)
	cells := slices.Clone(c.Cells)
	for i := range cells {
		cells[i].Winner, cells[i].Ratio = 6, results.Estimate{Median: 0.5, Lo: 0.4, Hi: 0.6, N: rounds}
	}
	s := scoreOf(rule{PapersBound, ChoiceCell.Bound}, cells)
	assert.Positive(t, s.Named)
	assert.Zero(t, s.Right)
	assert.InDelta(t, 1, s.Worst.Median, 1e-9, "7 costs twice as much")
}

// Cells whose runs did not reach the steady state are refused, and counted; those of files that record
// no code are from before there were such runs.
func TestShortRunsAreRefused(t *testing.T) {
	repeats(t)
	w := plain
	w.short = 0.9
	c := judged(t, w)
	assert.Positive(t, c.Short)
	assert.Empty(t, c.Refused)
	all := len(c.Cells)

	w.code = "0123456789ab"
	cases := append(grid.Fitting().Cases(), grid.Judging().Cases()...)
	c, err := JudgeChoice(measureIn(t, w, cases))
	require.NoError(t, err)
	assert.Len(t, c.Refused, c.Short)
	assert.Len(t, c.Cells, all-c.Short)
	assert.Contains(t, c.Refused[0], "migrations counted")
	for _, cell := range c.Cells {
		assert.Less(t, cell.Migrations, 0.1, "so few that a tenth of them is worth nothing")
	}
}

// Arrays that also migrate stopped timers are no sign of a short run: the linked form on the same
// workload is.
func TestStoppedTimersInArraysAreNoShortRun(t *testing.T) {
	w, both := plain, grid
	w.code, w.stale, both.Chunked = "0123", 0.4, true
	c, err := JudgeChoice(measureIn(t, w, append(both.Fitting().Cases(), both.Judging().Cases()...)))
	require.NoError(t, err)
	assert.Zero(t, c.Short)
	assert.Empty(t, c.Refused)
	assert.Len(t, c.Fits, 2)
}

// Cells of different code make no comparison: neither those that are fitted and judged, nor the two schemes.
func TestOtherCodeIsRefused(t *testing.T) {
	judge := func(parts ...[]run.Group) error {
		var paths []string
		for i, cases := range parts {
			w := plain
			w.code = fmt.Sprintf("code%d", i)
			paths = append(paths, writeWorld(t, w, cases))
		}
		table, err := results.Load(paths...)
		require.NoError(t, err)
		_, err = JudgeChoice(table)
		return err
	}
	assert.ErrorContains(t, judge(grid.Fitting().Cases(), grid.Judging().Cases()), "use files of one code")

	all := append(grid.Fitting().Cases(), grid.Judging().Cases()...)
	of := func(keep func(run.Subject) bool) (some []run.Group) {
		for _, g := range all {
			g.Subjects = slices.DeleteFunc(slices.Clone(g.Subjects), func(s run.Subject) bool { return !keep(s) })
			some = append(some, g)
		}
		return some
	}
	seven := func(s run.Subject) bool { return s.Info.Number == 7 }
	others := func(s run.Subject) bool { return !seven(s) }
	assert.ErrorContains(t, judge(of(seven), of(others)), "use files of one code")
	assert.NoError(t, judge(all))
}

// Two constants are found where the fitted cells change sides, and their interval is the gap.
func TestThreshold(t *testing.T) {
	of := func(T schemes.Tick, ratio float64) ChoiceCell {
		return ChoiceCell{Slots: 100, T: T, Ratio: results.Estimate{Median: ratio}}
	}
	e := threshold([]ChoiceCell{of(400, 2), of(10, 0.5), of(100, 0.9), of(1000, 3)})
	assert.Equal(t, []float64{1, 4}, []float64{e.Lo, e.Hi})
	assert.InDelta(t, 2, e.Median, 1e-9)
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
	w.six[cost.PerHead], w.six[cost.PerMixed] = 0, 0
	w.seven = w.six
	w.seven[cost.PerStep] = 60
	six, _ := wins(w)
	w.seven[cost.PerStep] = 0.01
	_, seven := wins(w)
	cells := len(judgedPlain(t).Cells)
	assert.Greater(t, six, cells/2)
	assert.Greater(t, seven, cells/2)
}

// An A/A pair that differs widens the band within which there is no winner.
func TestNoise(t *testing.T) {
	repeats(t)
	c := judgedPlain(t)
	assert.Zero(t, c.Fits[0].Noise)
	noisy := plain
	noisy.again = func(cell, _ int) float64 { return 1 + 0.3*float64(cell%2) }
	c = judged(t, noisy)
	assert.InDelta(t, 0.3, c.Fits[0].Noise, 0.001)
	odd := plain
	odd.again = func(cell, _ int) float64 {
		if cell == 7 {
			return 3
		}
		return 1.01
	}
	assert.InDelta(t, 0.01, judged(t, odd).Fits[0].Noise, 0.001, "of 56 cells one that is far out, as one in 20 may be")
	for _, cell := range c.Cells {
		if math.Abs(math.Log(cell.Ratio.Median)) < math.Log(1.3) {
			assert.Equal(t, Tie, cell.Winner, "%+v", cell)
		}
	}
	assert.Equal(t, Tie, winner(results.Estimate{Median: 1.5, Lo: 0.9, Hi: 2}, 0), "the interval holds 1")
	assert.Equal(t, Winner(7), winner(results.Estimate{Median: 1.5, Lo: 1.2, Hi: 2}, 0.1))
	assert.Equal(t, Winner(6), winner(results.Estimate{Median: 0.5, Lo: 0.4, Hi: 0.6}, 0.1))
}

func TestNotMeasured(t *testing.T) {
	_, err := JudgeChoice(measureIn(t, plain, grid.Judging().Cases()))
	assert.ErrorIs(t, err, ErrNotMeasured, "nothing to fit on")
	_, err = JudgeChoice(measureIn(t, plain, grid.Fitting().Cases()))
	assert.ErrorIs(t, err, ErrNotMeasured, "nothing to judge")
}

// Where the fit is noise, no rule that needs it names a scheme; what was measured is judged as ever.
func TestNoModel(t *testing.T) {
	repeats(t)
	free := plain
	free.six[cost.PerStep], free.seven[cost.PerTimer] = -1, 49
	c := judged(t, free)
	assert.ErrorContains(t, c.Fits[0].NoModel, "which is noise", "visits that cost less than nothing")
	assert.Empty(t, c.Modelled())
	assert.Len(t, c.Cells, len(judgedPlain(t).Cells))
	for _, cell := range c.Cells {
		assert.NotEqual(t, Tie, cell.Winner, "%+v", cell.Ratio)
		assert.Equal(t, winner(cell.Ratio, 0), cell.Winner)
		assert.True(t, math.IsNaN(cell.Model6) && math.IsNaN(cell.Model7))
	}
	assert.Len(t, c.Crossovers, len(judgedPlain(t).Crossovers))
	for _, x := range c.Crossovers {
		assert.True(t, math.IsNaN(x.Model.Median))
	}
	for _, s := range c.Scores {
		named := len(c.Cells)
		if s.Rule == PapersBound || strings.HasPrefix(s.Rule, "the ") {
			named = 0
		}
		assert.Equal(t, named, s.Named, s.Rule)
	}
}

// Each n is judged by a fit of its own; an n without one is not judged, and no rule covers restarts
// and open arrivals.
func TestEveryNHasItsOwnFit(t *testing.T) {
	repeats(t)
	cases := append(grid.Fitting().Cases(), grid.Judging().Cases()...)
	larger := grid
	larger.N = 100_000
	both := append(append(larger.Fitting().Cases(), larger.Judging().Cases()...), cases...)
	c, err := JudgeChoice(measureIn(t, plain, both))
	require.NoError(t, err)
	require.Len(t, c.Fits, 2)
	assert.Equal(t, []int{1_000, 100_000}, []int{c.Fits[0].N, c.Fits[1].N})
	for _, cell := range c.Cells {
		assert.Contains(t, c.Fits, cell.Fit)
	}
	assert.Len(t, c.Cells, 2*len(judgedPlain(t).Cells))

	c, err = JudgeChoice(measureIn(t, plain, append(larger.Judging().Cases(), cases...)))
	require.NoError(t, err, "an n without a fit is no second grid")
	require.Len(t, c.Fits, 1)
	assert.Len(t, c.Cells, len(judgedPlain(t).Cells))

	for i := range cases {
		cases[i].Spec.Arrivals = workload.Poisson
	}
	_, err = JudgeChoice(measureIn(t, plain, cases))
	assert.ErrorIs(t, err, ErrNotMeasured)
	assert.ErrorContains(t, err, "arrivals=hold")
}

// A crossover lies where the medians cross 1, between where the ends of their
// intervals do; beyond the grid the note says on which side.
func TestCrossing(t *testing.T) {
	fit := &Fit{}
	of := func(T schemes.Tick, lo, median, hi float64) ChoiceCell {
		return ChoiceCell{Fit: fit, Slots: 64, Levels: []int{32, 32}, T: T, Stop: "0", Ratio: results.Estimate{Median: median, Lo: lo, Hi: hi}}
	}
	x := crossingOf([]ChoiceCell{of(100, 0.25, 0.5, 0.8), of(200, 0.4, 0.5, 1.25), of(400, 0.8, 2, 4), of(800, 1.25, 3, 4)})
	assert.InDelta(t, 200*math.Sqrt2, x.Measured, 1e-9)
	assert.InDelta(t, 100*math.Sqrt2, x.Lo, 1e-9, "the ratio may rise above 1 as early as its upper end does")
	assert.InDelta(t, 400*math.Sqrt2, x.Hi, 1e-9)
	assert.Empty(t, x.Note)
	assert.Equal(t, "above 200", crossingOf([]ChoiceCell{of(100, 0.1, 0.2, 0.3), of(200, 0.1, 0.2, 0.3)}).Note)
	assert.Equal(t, "below 100", crossingOf([]ChoiceCell{of(100, 1.1, 1.2, 1.3), of(200, 1.1, 1.2, 1.3)}).Note)
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
		six, err := table.Median(SixOf(k), nsPerOp)
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

// A grid fits and judges on different intervals, T, stops and seeds, and what it judges reaches its
// steady state.
func TestFittingAndJudgingDiffer(t *testing.T) {
	fit, judge := grid.Fitting(), grid.Judging()
	assert.NotEqual(t, fit.Dist, judge.Dist)
	assert.NotEqual(t, fit.Seed, judge.Seed)
	for _, T := range fit.Means {
		assert.NotContains(t, judge.Means, T)
	}
	hierarchies := 0
	for _, c := range judge.Cases() {
		assert.GreaterOrEqual(t, c.Spec.Ticks, c.Spec.T*10, "ten thousand lifetimes")
		assert.LessOrEqual(t, c.Spec.Ticks, c.Spec.T*32)
		for _, s := range c.Subjects {
			if len(s.Levels) > 0 {
				hierarchies++
				assert.True(t, steadyIn(cost.Descents7(c.Spec.Lives(), s.Levels), c.Spec.Ticks), run.Name(c.Spec, s))
			}
		}
	}
	assert.Greater(t, hierarchies, 40, "of 72")
	both := grid
	both.Chunked, both.Levels = true, []int{2}
	group := both.Fitting().Cases()[0]
	var labels []string
	for _, s := range group.Subjects {
		labels = append(labels, s.Label)
	}
	assert.Equal(t, []string{"null", "hashunsorted-again", "hashunsorted", "hierarchical", "hashunsorted-chunked-again",
		"hashunsorted-chunked", "hierarchical-chunked"}, labels)
}

// Cells of the same workload have one length, whatever their M: their operations are one stream.
func TestSparse(t *testing.T) {
	sizes := []int{4, 4, 6, 4, 3}
	rows := pairwise(sizes, 1)
	assert.Less(t, len(rows), 4*4*6*4*3/10)
	assert.Equal(t, rows, pairwise(sizes, 1))
	assert.NotEqual(t, rows, pairwise(sizes, 2))
	for f, size := range sizes {
		for o := range f {
			pairs := map[[2]int]bool{}
			for _, row := range rows {
				pairs[[2]int{row[f], row[o]}] = true
			}
			assert.Len(t, pairs, size*sizes[o], "factors %d and %d", f, o)
		}
	}
	s := Sparse{
		Grids: []Grid{grid, {N: 2000, Levels: grid.Levels, Turns: 1}}, Slots: grid.Slots, Parts: []float64{0.5, 2},
		Stops: []Stops{{}, {0.9, 0.05}}, Dists: []workload.Dist{workload.Exp(), workload.Const()},
	}
	lengths := map[workload.Spec]schemes.Tick{}
	for _, c := range s.Cases(1) {
		spec := c.Spec
		spec.Ticks = 0
		if known, ok := lengths[spec]; ok {
			assert.Equal(t, known, c.Spec.Ticks)
		}
		lengths[spec] = c.Spec.Ticks
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
