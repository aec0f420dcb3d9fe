package choice_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	. "timerlab/harness/choice"
	"timerlab/harness/cost"
	"timerlab/harness/plan"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// world is what the schemes of a synthetic machine cost, in ns: a timer, and each wasted visit or migration.
type world struct {
	timer6, visit, timer7, migration float64
	slower                           func(label string, round int) float64                   // factor of a time, 0: lost; nil: 1
	also                             func(s workload.Spec, e run.Subject, round int) float64 // further ns; nil: none
	counted                          float64                                                 // share of the steady state's migrations; 0: all
	stale                            float64                                                 // migrations of stopped timers in arrays, as a share
}

var plain = world{timer6: 50, visit: 5, timer7: 52, migration: 12}

const rounds = 8

var grid = plan.Grid{
	N: 1000, Slots: []int{256, 1024}, Levels: []int{2, 4}, Turns: 1,
	Means: []schemes.Tick{64, 128, 256, 600, 1400, 4096},
}

// cases are all cells of a grid, those that give the costs of steps first.
func cases(g plan.Grid) []run.Group { return append(g.Steps().Groups(), g.Judging().Groups()...) }

// livesOf returns the lives of a workload, which several tests use.
func livesOf(spec workload.Spec) []workload.Life {
	spec.Ticks, spec.Seed = 0, 0
	if known[spec] == nil {
		known[spec] = spec.Lives()
	}
	return known[spec]
}

var known = map[workload.Spec][]workload.Life{}

// write writes what a machine of this world would measure: counts by the formulas, times by counts. It returns the file.
func (w world) write(t *testing.T, code string, groups []run.Group) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "code: schemes=%s\n", code)
	for round := range rounds {
		fmt.Fprintf(&b, "# round %d\n", round)
		drift := 1 + 0.2*math.Sin(float64(round)) // the machine's, in step for all
		for _, g := range groups {
			lives := livesOf(g.Spec)
			for _, e := range g.Subjects {
				ns, count := w.costs(lives, e)
				if w.slower != nil {
					ns *= w.slower(e.Label, round)
				}
				if ns == 0 {
					continue
				}
				if w.also != nil {
					ns += w.also(g.Spec, e, round)
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
		if slices.ContainsFunc(e.Levels, func(slots int) bool { return slots&(slots-1) != 0 }) {
			ns += 30 // divisions, which are no step's
		}
		if strings.Contains(e.Info.Name, "ahead") {
			return 2 * w.timer6, "0 migrations/op"
		}
		if e.Info.Name != "hierarchical" {
			migrations *= 1 + w.stale
		}
		return ns, fmt.Sprint(cmp.Or(w.counted, 1)*migrations, " migrations/op")
	}
	return 8, "0 visits/op"
}

// judge judges files, each measured with other code.
func judge(t *testing.T, w world, files ...[]run.Group) (*Choice, error) {
	t.Helper()
	var paths []string
	for i, groups := range files {
		paths = append(paths, w.write(t, fmt.Sprint("code", i), groups))
	}
	table, err := results.Load(paths...)
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
	odd.Slots = []int{256, 768, 1024, 3072} // 3,072 gives costs of steps, too
	c := judged(t, plain, cases(odd))
	assert.Contains(t, c.Refused[len(c.Refused)-1], "cells with wheels that are no powers of two")
	require.Len(t, c.Regimes, 1)
	r := c.Regimes[0]
	assert.InDelta(t, 5, r.C6.Median, 0.5)
	assert.InDelta(t, 12, r.C7.Median, 1.2)
	assert.InDelta(t, 12./5, r.Ratio.Median, 1e-6)
	assert.InDelta(t, 12./5, r.Ratio.Hi, 1e-6, "the drift cancels out")

	free := plain
	free.visit = -0.1
	c = judged(t, free, cases(grid))
	assert.Equal(t, math.Inf(1), c.Regimes[0].Ratio.Hi, "nothing bounds the ratio to a visit that costs nothing")
	assert.Zero(t, c.Scores[PaperBound].Named, "so the bound names no scheme")
	assert.Equal(t, c.Scores[Always7].Decided, c.Scores[Always7].Named)

	one := grid
	one.Levels = one.Levels[:1]
	r = judged(t, plain, cases(one)).Regimes[0]
	assert.Equal(t, [3]int{rounds, 0, 0}, [3]int{r.C6.N, r.C7.N, r.Ratio.N}, "one m at one M has no slope")
}

// What wide wheels and ticks cost is no step's. A round in which a step seems to cost less than nothing is as good as any.
func TestStepsAtOneM(t *testing.T) {
	w := plain
	w.also = func(s workload.Spec, e run.Subject, round int) float64 {
		wide, ticks := float64(e.Slots)/10, float64(s.T)/float64(s.N)
		switch {
		case e.Info.Number == 0: // the null scheme
			return 3 * ticks
		case e.Info.Number == 6:
			return wide + 4*ticks
		case round == 5:
			return wide - 8*float64(len(e.Levels)) // more levels seem cheaper
		}
		return wide
	}
	r := judged(t, w, cases(grid)).Regimes[0]
	assert.InDelta(t, 5, r.C6.Median, 0.5)
	assert.InDelta(t, 12, r.C7.Median, 1.2)
	assert.Equal(t, rounds, r.C7.N)
	assert.Negative(t, r.C7.Lo)
	assert.Negative(t, r.Ratio.Lo)
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
		assert.InDelta(t, cost.Wasted6(livesOf(cell.Spec), cell.Slots), cell.Visits, 1e-9, "the visit that expires a timer is no waste")
		assert.InDelta(t, cell.Migrations, cell.Migrated, 1e-9)
	}
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
		assert.Equal(t, len(cell.Levels) == 4, ok)
		if ok {
			assert.InEpsilon(t, cell.Seven.Median*cell.Ratio.Median, ahead.Seven.Median*ahead.Ratio.Median, 1e-9)
			assert.Less(t, ahead.Ratio.Median, cell.Ratio.Median, "it costs as much as two timers of scheme 6")
		}
	}
	assert.NotEmpty(t, c.Ahead)
}

// A burst and A/A pairs that differ widely, or none, refuse nothing: zones have their answer, and their pairs show it.
func TestZonesInABurst(t *testing.T) {
	both, pairs := grid, 4.
	both.Chunked = math.Inf(1)
	w := plain
	w.slower = func(label string, round int) float64 {
		switch again := strings.HasSuffix(label, units.Again); {
		case again && strings.Contains(label, "chunked"):
			return pairs
		case round/2 == 1 && strings.HasPrefix(label, "hashunsorted") && !again:
			return 3
		}
		return 1
	}
	c := judged(t, w, cases(both))
	var far, six []float64 // logarithms of ratios: where J > 2 M, and where the rule says 6
	for _, cell := range c.Cells {
		assert.Equal(t, cell.Ratio.Lo <= 1 && cell.Ratio.Hi >= 1, cell.Winner == Tie)
		if cell.InM() > 2 {
			far = append(far, math.Log(cell.Ratio.Median))
		}
		if cell.ByRule() == 6 {
			six = append(six, math.Log(cell.Ratio.Median))
		}
	}
	assert.InEpsilon(t, math.Exp(floats.Sum(six)/float64(len(c.Cells))), c.OverSeven.Median, 1e-9)
	zones := c.Zones()
	require.Len(t, zones, 4, "no M is above 8 n")
	for _, z := range zones {
		assert.InEpsilon(t, 3*z.Ratio.Median, z.Ratio.Hi, 1e-9, z.Name)
		assert.InEpsilon(t, z.Control.Median/3, z.Control.Lo, 1e-9, z.Name)
	}
	assert.Equal(t, []Winner{7, Tie}, []Winner{zones[0].Winner, zones[2].Winner}, "three times hides what 6 saves")
	assert.InEpsilon(t, math.Exp(floats.Sum(far)/float64(len(far))), zones[0].Ratio.Median, 1e-9)
	assert.Equal(t, [2]int{zones[2].Cells, 0}, [2]int{zones[2].SixByCounts, zones[3].SixByCounts}, "lists, arrays")
	assert.InDelta(t, 1, zones[2].Control.Median, 1e-9, "its own pairs")
	assert.InDelta(t, 4, zones[3].Control.Median, 1e-9)

	pairs = 0
	zones = judged(t, w, cases(both)).Zones()
	assert.Equal(t, []int{rounds, 0}, []int{zones[3].Ratio.N, zones[3].Control.N}, "without pairs")
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
	both.Chunked, w.counted, w.stale = math.Inf(1), 0, 0.4
	c = judged(t, w, cases(both))
	assert.Empty(t, c.Refused)
	assert.Len(t, c.Regimes, 2)
}

// Cells of different code make no comparison, nor does a file without the cells of both kinds, or an n without cells that
// are judged.
func TestWhatIsNotJudged(t *testing.T) {
	_, err := judge(t, plain, grid.Steps().Groups(), grid.Judging().Groups())
	assert.ErrorContains(t, err, "use files of one code")
	for _, groups := range [][]run.Group{grid.Judging().Groups(), grid.Steps().Groups()} {
		_, err = judge(t, plain, groups)
		assert.ErrorIs(t, err, ErrNoGrid)
	}
	open := cases(grid)
	for i := range open {
		open[i].Spec.Arrivals = workload.Poisson
	}
	_, err = judge(t, plain, open)
	assert.ErrorContains(t, err, "arrivals=hold")

	larger := grid
	larger.N = 100_000
	c := judged(t, plain, append(cases(larger), cases(grid)...))
	require.Len(t, c.Regimes, 2)
	assert.Equal(t, []int{1_000, 100_000}, []int{c.Regimes[0].N, c.Regimes[1].N})
	assert.Len(t, judged(t, plain, append(larger.Steps().Groups(), cases(grid)...)).Regimes, 1)

	groups := cases(grid)
	lost := &groups[len(grid.Steps().Groups())+2]
	lost.Subjects = slices.DeleteFunc(lost.Subjects, func(s run.Subject) bool { return s.Label == "hashunsorted" })
	assert.Len(t, judged(t, plain, groups).Cells, len(judged(t, plain, cases(grid)).Cells)-len(grid.Levels),
		"scheme 7 has no opponent there")
}

// Advice costs what a machine was made to say: lists are best below 50k timers, arrays from there; ahead of time costs a
// fifth more, scheme 6 as much as the best. A cell that is lucky in half of the rounds is no best.
func TestAdviceWhereSizesAreFree(t *testing.T) {
	w := plain
	w.also = func(s workload.Spec, e run.Subject, _ int) float64 {
		ns, _ := w.costs(livesOf(s), e)
		want := 100.
		switch chunked := strings.HasSuffix(e.Info.Name, "-chunked"); {
		case strings.Contains(e.Info.Name, "ahead"):
			want = 120
		case e.Info.Number == 7 && chunked != (s.N >= 50_000):
			want = 150
		case e.Info.Number == 7 && e.Levels[0] != 1024:
			want = 110
		}
		return want - ns
	}
	free := plan.Free{Timers: []int{1_000, 50_000, 100_000}, Workloads: 6, Drawn: 3, Means: []schemes.Tick{64, 256, 1024},
		Stops: []workload.Stops{{}, {Share: 0.5, At: 0.3}}, Dists: []workload.Dist{workload.Exp, workload.Const},
		Lowest: []int{64, 1024}, Levels: []int{3, 4}, SlotsATime: 4}
	table, err := results.Load(w.write(t, "code", free.Groups(1)))
	require.NoError(t, err)
	f := JudgeFree(table)
	require.NotNil(t, f)
	assert.Equal(t, []int{1_000, 50_000, 100_000}, f.Timers)
	assert.Len(t, f.Workloads, 18)
	n := func(from, to int) func(FreeWorkload) bool {
		return func(w FreeWorkload) bool { return from <= w.N && w.N <= to }
	}
	assert.InDelta(t, 0.2, f.Score(Ahead, Any).Mean.Median, 0.002)
	assert.InDelta(t, 0.5, f.Score(Lists, n(100_000, math.MaxInt)).Mean.Median, 0.002)
	assert.InDelta(t, 0, f.Score(Lists, n(0, 1_000)).Mean.Median, 0.002)
	assert.InDelta(t, 0.5, f.Score(Arrays, Any).Worst, 0.002)
	assert.Equal(t, 1_000, f.Score(Arrays, Any).At.N)
	for _, row := range []Advice{Arrays, Six, Lists} {
		in := func(w FreeWorkload) bool { return w.Row == row }
		require.NotZero(t, f.Score(Answer, in).Mean.N, row)
		assert.Equal(t, f.Score(row, in), f.Score(Answer, in), row)
	}
	w.slower = func(label string, round int) float64 {
		if label == "hashunsorted-chunked" {
			return []float64{0.5, 1.5}[round%2]
		}
		return 1
	}
	table, err = results.Load(w.write(t, "code", free.Groups(1)))
	require.NoError(t, err)
	assert.LessOrEqual(t, JudgeFree(table).Score(Lists, n(0, 1_000)).Worst, 0.002, "not the half in which the other was lucky")
	table, err = results.Load(plain.write(t, "code", cases(grid)))
	require.NoError(t, err)
	assert.Nil(t, JudgeFree(table))
}

// The answer takes arrays for very many timers, or many on each tick, unless most are stopped; scheme 6 for one interval.
func TestRow(t *testing.T) {
	for _, test := range []struct {
		n    int
		J    float64
		stop float64
		dist workload.Dist
		want Advice
	}{
		{10_000, 100, 0, workload.Exp, Lists},
		{49_999, 100, 0, workload.Exp, Lists}, {50_000, 999, 0, workload.Exp, Arrays}, {50_000, 1000, 0, workload.Exp, Lists},
		{50_000, 999, 0.9, workload.Exp, Lists}, {50_000, 999, 0.89, workload.Const, Arrays},
		{1_000_000, 1e6, 0, workload.Exp, Arrays}, {999_999, 1e6, 0, workload.Exp, Lists}, {1_000_000, 1e6, 0.9, workload.Exp, Lists},
		{1_024, 2_048, 0, workload.Const, Six}, {1_023, 2_048, 0, workload.Const, Lists}, {1_024, 2_048, 0, workload.Pareto, Lists},
		{1_000_000, 96, 0.99, workload.Const, Six},
	} {
		spec := workload.Spec{N: test.n, Dist: test.dist, Stop: test.stop}
		assert.Equal(t, test.want, Row(spec, test.J), "%+v", test)
	}
}
