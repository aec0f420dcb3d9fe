package choice

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// world is what the schemes of a synthetic machine cost, in ns: a timer, and each wasted visit or migration.
type world struct {
	timer6, visit, timer7, migration float64
	again                            func(cell, round int) float64 // factor of the A/A pair's second; nil: 1
	lost                             func(cell int) bool           // cells of scheme 6 without a result; nil: none
	counted                          float64                       // share of the steady state's migrations; 0: all
	stale                            float64                       // migrations of stopped timers in arrays, as a share
	code                             string                        // that the file records; "": none
}

var plain = world{timer6: 50, visit: 5, timer7: 52, migration: 12}

const rounds = 8

var grid = Grid{
	N: 1000, Slots: []int{256, 1024}, Levels: []int{2, 4}, Turns: 1,
	Means: []schemes.Tick{64, 128, 256, 600, 1400, 4096},
}

// cases are all cells of a grid, those that give the costs of steps first.
func cases(g Grid) []run.Group { return append(g.Steps().Cases(), g.Judging().Cases()...) }

// known has the lives of workloads that several tests use.
var known = Choice{lives: map[workload.Spec][]workload.Life{}}

// write writes what a machine of this world would measure: counts by the formulas, times by counts. It returns the file.
func (w world) write(t *testing.T, groups []run.Group) string {
	t.Helper()
	var b strings.Builder
	if w.code != "" {
		fmt.Fprintf(&b, "code: schemes=%s\n", w.code)
	}
	for round := range rounds {
		fmt.Fprintf(&b, "# round %d\n", round)
		drift := 1 + 0.2*math.Sin(float64(round)) // the machine's, in step for all
		for i, g := range groups {
			lives := known.livesOf(g.Spec)
			for _, e := range g.Subjects {
				ns, count := w.costs(lives, e)
				switch {
				case e.Label == sixName+units.Again && w.again != nil:
					ns *= w.again(i, round)
				case e.Label == sixName && w.lost != nil && w.lost(i):
					continue
				}
				fmt.Fprintf(&b, "BenchmarkLifetime/%s 1 %v ns/op %s\n", run.Name(g.Spec, e), ns*drift, count)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	return path
}

func (w world) costs(lives []workload.Life, e run.Subject) (ns float64, count string) {
	switch e.Info.Number {
	case 6:
		return w.timer6 + w.visit*cost.Wasted6(lives, e.Slots), fmt.Sprint(cost.Visits6(lives, e.Slots), " visits/op")
	case 7:
		migrations := cost.Migrations7(lives, e.Levels)
		ns := w.timer7 + w.migration*migrations
		if odd(e.Levels) {
			ns += 30 // divisions, which are no step's
		}
		if e.Info.Ahead {
			return 2 * w.timer6, "0 migrations/op"
		}
		if e.Info.Name != sevenName {
			migrations *= 1 + w.stale
		}
		return ns, fmt.Sprint(cmp.Or(w.counted, 1)*migrations, " migrations/op")
	}
	return 8, "0 visits/op"
}

func judge(t *testing.T, w world, groups []run.Group) (*Choice, error) {
	t.Helper()
	table, err := results.Load(w.write(t, groups))
	require.NoError(t, err)
	return Judge(table)
}

func judged(t *testing.T, w world, groups []run.Group) *Choice {
	t.Helper()
	c, err := judge(t, w, groups)
	require.NoError(t, err)
	return c
}

// The costs of a step are recovered whatever the machine's drift, and wheels that divide do not disturb them.
func TestCostsOfSteps(t *testing.T) {
	odd := grid
	odd.Levels = []int{2, 3, 4}
	c := judged(t, plain, cases(odd))
	require.Len(t, c.Regimes, 1)
	r := c.Regimes[0]
	assert.InDelta(t, 5, r.C6.Median, 0.5)
	assert.InDelta(t, 12, r.C7.Median, 1.2)
	assert.InDelta(t, 12./5, r.Ratio.Median, 1e-6)
	assert.InDelta(t, 12./5, r.Ratio.Hi, 1e-6, "the drift cancels out")

	free := plain
	free.visit = 0
	c = judged(t, free, cases(grid))
	assert.Zero(t, c.Regimes[0].Ratio.N, "a visit that costs nothing has no ratio")
	assert.Zero(t, c.Scores[PaperBound].Named, "so the bound names no scheme")
	assert.Equal(t, c.Scores[Always7].Decided, c.Scores[Always7].Named)
}

// The verdict turns with the costs.
func TestTheVerdictTurnsWithTheCosts(t *testing.T) {
	w := world{timer6: 50, visit: 5, timer7: 50, migration: 60}
	dear := judged(t, w, cases(grid))
	w.migration = 0.01
	free := judged(t, w, cases(grid))
	assert.Greater(t, dear.Scores[Always6].Right, len(dear.Cells)/2)
	assert.Greater(t, free.Scores[Always7].Right, len(free.Cells)/2)
	for _, cell := range free.Cells {
		assert.InDelta(t, cost.Wasted6(known.livesOf(cell.Spec), cell.Slots), cell.Visits, 1e-9, "the visit that expires a timer is no waste")
		assert.InDelta(t, cell.Migrations, cell.Migrated, 1e-9)
	}
}

// A rule is scored by what it costs where it is wrong. The bound can fail.
func TestScores(t *testing.T) {
	r := &Regime{Ratio: results.Estimate{Median: 1, N: rounds}}
	of := func(T schemes.Tick, ratio float64, won Winner) Cell {
		c := Cell{Regime: r, Ratio: results.Estimate{Median: ratio, Lo: ratio * 0.9, Hi: ratio * 1.1, N: rounds}, Winner: won}
		c.Slots, c.Levels, c.Spec.T, c.Stop = 64, workload.Levels{32, 32}, T, "0"
		return c
	}
	cells := []Cell{of(60, 0.5, 6), of(100, 0.99, Tie), of(150, 2, 7), of(200, 0.8, 6)}
	bound := ScoreOf(Cell.Bound, cells)
	assert.Equal(t, [3]int{3, 2, 1}, [3]int{bound.Decided, bound.Named, bound.Right}, "m·M = 128; a tie is not decided")
	assert.InDelta(t, 0.25, bound.Worst.Median, 1e-9)
	assert.InDelta(t, 1/(0.8*1.1)-1, bound.Worst.Lo, 1e-9)
	longer := ScoreOf(rules[LongerThanM].says, cells)
	assert.Equal(t, [2]int{2, 1}, [2]int{longer.Named, longer.Right})
	six := ScoreOf(rules[Always6].says, cells)
	assert.InDelta(t, 1./3, six.Mean.Median, 1e-9, "twice as much in one of three")
	assert.False(t, six.Mean.Bounded(), "one group of cells says nothing of others")
	assert.Equal(t, schemes.Tick(150), six.At.Spec.T)
	stopped := of(150, 2, 7)
	stopped.Stop = "0.9@0.05"
	assert.Equal(t, 2, ScoreOf(rules[Always6].says, append(cells, stopped)).Mean.N, "a series has one share of stops")
	r.Ratio = results.Estimate{}
	assert.Equal(t, Tie, cells[2].Bound(), "without c7/c6")
}

// Cells of four wheels are there once more, with the time of the form that migrates ahead of time in as many slots.
func TestAhead(t *testing.T) {
	c := judged(t, plain, cases(grid))
	byKey := map[results.Key]Cell{}
	for _, cell := range c.Ahead {
		byKey[cell.Key] = cell
	}
	for _, cell := range c.Cells {
		ahead, ok := byKey[cell.Key]
		assert.Equal(t, len(cell.Levels) == aheadLevels, ok)
		if ok {
			assert.InEpsilon(t, cell.Seven.Median*cell.Ratio.Median, ahead.Seven.Median*ahead.Ratio.Median, 1e-9)
			assert.Less(t, ahead.Ratio.Median, cell.Ratio.Median, "it costs as much as two timers of scheme 6")
		}
	}
	assert.NotEmpty(t, c.Ahead)
}

// T* lies where the medians cross 1, between where the ends of their intervals do. Beyond the grid it is open.
func TestSeries(t *testing.T) {
	of := func(T schemes.Tick, lo, median, hi float64) Cell {
		c := Cell{Regime: &Regime{}, Ratio: results.Estimate{Median: median, Lo: lo, Hi: hi}}
		c.Slots, c.Spec.T, c.J = 64, T, float64(T)
		return c
	}
	s := seriesOf([]Cell{of(100, 0.25, 0.5, 0.8), of(200, 0.4, 0.5, 1.25), of(400, 0.8, 2, 4), of(800, 1.25, 3, 4)})
	assert.InDelta(t, 200*math.Sqrt2, s.Even.Median, 1e-9)
	assert.InDelta(t, 100*math.Sqrt2, s.Even.Lo, 1e-9, "the ratio may rise above 1 as early as its upper end does")
	assert.InDelta(t, 400*math.Sqrt2, s.Even.Hi, 1e-9)
	assert.Equal(t, Inside, s.End)
	above := seriesOf([]Cell{of(100, 0.1, 0.2, 0.3), of(200, 0.1, 0.2, 0.3)})
	assert.Equal(t, []any{Above, 200. / 64}, []any{above.End, above.InM().Median})
	below := seriesOf([]Cell{of(100, 1.1, 1.2, 1.3), of(200, 1.1, 1.2, 1.3)})
	assert.Equal(t, []any{Below, 100. / 64}, []any{below.End, below.InM().Median})
	assert.Equal(t, Below, seriesOf([]Cell{of(1, 0.8, 1.2, 1.3), of(2, 1.1, 1.2, 1.3)}).End)
}

// The rule asks for J, not T, and for the form. Its zones divide all cells.
func TestRule(t *testing.T) {
	c := &Choice{}
	for _, form := range []Form{Linked, Chunked} {
		for _, J := range []float64{32, 33, 128, 129} {
			for _, n := range []int{7, 8} {
				cell := Cell{Regime: &Regime{Form: form, N: n}, J: J, Winner: 7, Ratio: results.Estimate{Median: 2, Lo: 2, Hi: 2}}
				cell.Slots, cell.Spec.T = 64, 1
				assert.Equal(t, form == Linked && J == 32 && n == 8, cell.ByRule() == 6, cell)
				c.Cells = append(c.Cells, cell)
			}
		}
	}
	var named []int
	for _, z := range c.Zones() {
		named = append(named, z.Named)
		assert.Equal(t, z.Choose == 7, z.Right == z.Named, z.Name)
		assert.InDelta(t, map[Winner]float64{6: 1, 7: 0}[z.Choose], z.Mean.Median, 1e-9)
		assert.InDelta(t, map[Winner]float64{6: 0, 7: 1}[z.Choose], z.Other, 1e-9)
	}
	assert.Equal(t, []int{4, 8, 1, 3}, named)
}

// Where sizes are free, the best of all sizes is what a choice is compared with.
func TestFree(t *testing.T) {
	c := judged(t, plain, cases(grid))
	free := c.Free()
	require.Greater(t, len(free), len(grid.Means), "with stops and without")
	for _, f := range free {
		assert.Equal(t, []int{1024, 4}, []int{f.Slots, len(f.Levels)})
		for _, cell := range c.Cells {
			if cell.Spec == f.Spec {
				assert.LessOrEqual(t, f.Six, cell.Six.Median)
				assert.LessOrEqual(t, f.Seven, cell.Seven.Median)
			}
		}
		assert.GreaterOrEqual(t, min(f.Regret(6), f.Regret(7)), 0.)
		assert.InDelta(t, f.Cell.Six.Median/f.Cell.Seven.Median, (1+f.Regret(6))/(1+f.Regret(7)), 1e-9)
	}
}

// An A/A pair that differs widens the band within which there is no winner, and one that differs much leaves no verdict.
func TestNoise(t *testing.T) {
	w := plain
	w.again = func(cell, _ int) float64 { return 1 + 0.1*float64(cell%2) }
	c := judged(t, w, cases(grid))
	assert.InDelta(t, 0.1, c.Regimes[0].Noise, 0.001)
	for _, cell := range c.Cells {
		assert.Equal(t, math.Abs(math.Log(cell.Ratio.Median)) < math.Log(1+cell.Noise), cell.Winner == Tie)
	}
	assert.Equal(t, Tie, winner(results.Estimate{Median: 1.5, Lo: 0.9, Hi: 2}, 0), "the interval holds 1")

	w.again = func(cell, _ int) float64 { return 1 + 0.3*float64(cell%2) }
	_, err := judge(t, w, cases(grid))
	assert.ErrorContains(t, err, "equal cells differ by up to 30 % (above 20 % nothing is compared)")
}

// Cells whose runs did not reach the steady state are refused. Arrays that also migrate stopped timers are no sign of
// that: the linked form on the same workload is.
func TestShortRunsAreRefused(t *testing.T) {
	w := plain
	w.counted = 0.9
	c := judged(t, w, cases(grid))
	all := judged(t, plain, cases(grid))
	assert.NotEmpty(t, c.Refused)
	assert.Len(t, c.Cells, len(all.Cells)-len(c.Refused))
	assert.Contains(t, c.Refused[0], "migrations counted")

	both := grid
	both.Chunked, w.counted, w.stale = true, 0, 0.4
	c = judged(t, w, cases(both))
	assert.Empty(t, c.Refused)
	assert.Len(t, c.Regimes, 2)
}

// Cells of different code make no comparison, and an n without the cells of both kinds none either.
func TestWhatIsNotJudged(t *testing.T) {
	load := func(parts ...[]run.Group) error {
		var paths []string
		for i, groups := range parts {
			w := plain
			w.code = fmt.Sprintf("code%d", i)
			paths = append(paths, w.write(t, groups))
		}
		table, err := results.Load(paths...)
		require.NoError(t, err)
		_, err = Judge(table)
		return err
	}
	assert.ErrorContains(t, load(grid.Steps().Cases(), grid.Judging().Cases()), "use files of one code")
	for _, groups := range [][]run.Group{grid.Judging().Cases(), grid.Steps().Cases()} {
		assert.ErrorIs(t, load(groups), ErrNotMeasured)
	}
	open := cases(grid)
	for i := range open {
		open[i].Spec.Arrivals = workload.Poisson
	}
	assert.ErrorContains(t, load(open), "arrivals=hold")

	larger := grid
	larger.N = 100_000
	c := judged(t, plain, append(cases(larger), cases(grid)...))
	require.Len(t, c.Regimes, 2)
	assert.Equal(t, []int{1_000, 100_000}, []int{c.Regimes[0].N, c.Regimes[1].N})
	assert.Len(t, judged(t, plain, append(larger.Judging().Cases(), cases(grid)...)).Regimes, 1)

	w := plain
	lost := len(grid.Steps().Cases()) + 2
	w.lost = func(cell int) bool { return cell == lost }
	assert.Len(t, judged(t, w, cases(grid)).Cells, len(judged(t, plain, cases(grid)).Cells)-len(grid.Levels),
		"scheme 7 has no opponent there")
}

// A grid takes its two kinds of cells on different intervals, T, stops and seeds, and what it judges reaches its
// steady state.
func TestGrid(t *testing.T) {
	steps, judging := grid.Steps(), grid.Judging()
	assert.NotEqual(t, steps.Dist, judging.Dist)
	assert.NotEqual(t, steps.Seed, judging.Seed)
	hierarchies := 0
	for _, c := range judging.Cases() {
		assert.NotContains(t, steps.Means, c.Spec.T)
		assert.GreaterOrEqual(t, c.Spec.Ticks, c.Spec.T*10, "ten thousand lifetimes")
		assert.LessOrEqual(t, c.Spec.Ticks, c.Spec.T*32)
		for _, s := range c.Subjects {
			if len(s.Levels) > 0 && !s.Info.Ahead { // whose wheels turn in half the time
				hierarchies++
				assert.True(t, steadyIn(cost.Descents7(c.Spec.Lives(), s.Levels), c.Spec.Ticks), run.Name(c.Spec, s))
			}
		}
	}
	assert.Greater(t, hierarchies, 30, "of 48")
	both := grid
	both.Chunked, both.Levels = true, []int{2}
	var labels []string
	for _, s := range both.Steps().Cases()[0].Subjects {
		labels = append(labels, s.Label)
	}
	assert.Equal(t, []string{"null", "hashunsorted-again", "hashunsorted", "hierarchical", "hashunsorted-chunked-again",
		"hashunsorted-chunked", "hierarchical-chunked"}, labels)
}

// Every pair of values of two factors occurs, in far fewer cells than all. Cells of the same workload have one length,
// whatever their M: their operations are one stream.
func TestSparse(t *testing.T) {
	s := Sparse{
		Grids: []Grid{grid, {N: 2000, Levels: grid.Levels, Turns: 1}}, Slots: []int{64, 256, 1024},
		Parts: []float64{0.5, 1, 2, 8}, Stops: []workload.Stops{{}, {Share: 0.9, At: 0.05}},
		Dists: []workload.Dist{workload.Exp, workload.Const},
	}
	cases := s.Cases(1)
	assert.Less(t, len(cases), 2*3*4*2*2/3)
	assert.Equal(t, cases, s.Cases(1))
	assert.NotEqual(t, cases, s.Cases(2))
	pairs, lengths := map[string]bool{}, map[workload.Spec]schemes.Tick{}
	for _, c := range cases {
		slots := c.Subjects[0].Slots
		values := []string{fmt.Sprint("n", c.Spec.N), fmt.Sprint("M", slots), fmt.Sprint("T/M", float64(c.Spec.T)/float64(slots)),
			fmt.Sprint("stop", c.Spec.Stop), c.Spec.Dist.String()}
		for i := range values {
			for j := range i {
				pairs[values[j]+" "+values[i]] = true
			}
		}
		spec := c.Spec
		spec.Ticks = 0
		assert.Contains(t, []schemes.Tick{0, c.Spec.Ticks}, lengths[spec])
		lengths[spec] = c.Spec.Ticks
	}
	assert.Len(t, pairs, 2*3+2*4+2*2+2*2+3*4+3*2+3*2+4*2+4*2+2*2)
}
