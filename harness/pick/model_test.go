package pick

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/tree"
)

// The unit costs that made the timings are found again, whatever they are.
func TestFitFindsUnitCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want Steps
		for k := range want {
			want[k] = rapid.SampledFrom([]float64{0, 1, 7.5, 120}).Draw(t, "cost")
		}
		want[stepExpire] += 5 // so that no timing is 0
		var rows []timing
		for range 40 {
			r := timing{steps: Steps{stepExpire: rapid.Float64Range(0.1, 1).Draw(t, "expiries")}}
			for k := stepStop; k < numSteps; k++ {
				r.steps[k] = rapid.Float64Range(0, 3).Draw(t, "steps")
			}
			for k := range want {
				r.ns += want[k] * r.steps[k]
			}
			rows = append(rows, r)
		}
		got := fit(rows)
		for _, r := range rows {
			sum := 0.0
			for k := range got {
				require.GreaterOrEqual(t, got[k], 0.0)
				sum += got[k] * r.steps[k]
			}
			require.InEpsilon(t, r.ns, sum, 1e-3)
		}
	})
}

// Where the best unit costs would be below 0, no small change of those found makes the error
// less.
func TestFitIsNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []timing
		for range 20 {
			r := timing{ns: rapid.Float64Range(10, 500).Draw(t, "ns")}
			for k := range r.steps {
				r.steps[k] = rapid.Float64Range(0, 2).Draw(t, "steps")
			}
			rows = append(rows, r)
		}
		got := fit(rows)
		least := squares(rows, got)
		for k := range got {
			require.GreaterOrEqual(t, got[k], 0.0)
			for _, step := range []float64{-1e-2, 1e-2} {
				other := got
				if other[k] = got[k] + step; other[k] >= 0 {
					require.GreaterOrEqual(t, squares(rows, other), least-1e-9)
				}
			}
		}
	})
}

func squares(rows []timing, costs Steps) (sum float64) {
	for _, r := range rows {
		e := -1.0
		for k := range costs {
			e += costs[k] * r.steps[k] / r.ns
		}
		sum += e * e
	}
	return sum
}

// The cost of a tick is that of the smaller working set, also where few timings depend on it.
func TestCostOfATick(t *testing.T) {
	var rows []timing
	for _, n := range []float64{1, 2, 4} {
		rows = append(rows, timing{Steps{stepExpire: 1, stepTick: n}, 40 + 5*n}, timing{Steps{stepStop: 1, stepTick: n}, 30 + 5*n})
	}
	for _, known := range []float64{5, 3} {
		p := unitCosts(rows, []UnitCosts{{Steps: Steps{stepTick: known}}})
		assert.Equal(t, known, p.Steps[stepTick])
		assert.GreaterOrEqual(t, p.Steps[stepExpire], 40-1e-6)
		if known == 5 {
			assert.InDelta(t, 40, p.Steps[stepExpire], 1e-6, "what the ticks took is not the expiries'")
			assert.InDelta(t, 0, p.Error, 1e-9)
		}
	}
	alone := unitCosts(rows, nil)
	assert.InDelta(t, 5, alone.Steps[stepTick], 1e-6)
}

// Wheels do not migrate evenly, so the migrations of each part of a run are counted.
func TestPartsAreCounted(t *testing.T) {
	lives := spreadLives(3000, 0, false, 1)
	w := NewWorkload(500, lives)
	x := training{"", w, 1500, true}
	trace, err := workload.Mixture{N: w.N, Lives: w.Lives, Ticks: x.ticks, Seed: 1}.Trace()
	require.NoError(t, err)
	rows, err := x.run(run.Subject{Info: &hierarchical.Info, Levels: []int{1024, 4}}, trace)
	require.NoError(t, err)
	require.Len(t, rows, timedParts)
	assert.Zero(t, rows[0].steps[stepMove], "the second wheel has not advanced")
	assert.Positive(t, rows[2].steps[stepMove])
}

// Migrations that a run had are not counted as missing in it.
func TestUnmeasuredMigrations(t *testing.T) {
	w := preset(t, "hold")
	m := testModel()
	c := run.Subject{Info: &hierarchical.Chunked, Levels: []int{256, 256, 2}}
	none := m.unmeasuredMigrations(Result{Subject: c}, w)
	require.Positive(t, none)
	half := m.unmeasuredMigrations(Result{Subject: c, PerTimer: PerTimer{Migrations: moves(c, w) / 2}}, w)
	assert.InEpsilon(t, none/2, half, 0.01)
	assert.Zero(t, m.unmeasuredMigrations(Result{Subject: c, PerTimer: PerTimer{Migrations: 2 * moves(c, w)}}, w))
	assert.Zero(t, m.unmeasuredMigrations(Result{Subject: run.Subject{Info: &ordered.Info}}, w), "without a prediction")
}

// The moves of a life are those counted on the virtual clock, over whole revolutions.
func TestMovesAreCounted(t *testing.T) {
	d := workload.Demand{N: 400, Tick: time.Millisecond, Classes: []workload.Class{
		{Share: 1, Interval: dist(t, "uniform:1ms,3s")}, {Share: 1, Interval: dist(t, "uniform:1ms,1s"), Stop: workload.End{Share: 0.7, After: dist(t, "exp:200ms")}},
	}}
	w := NewWorkload(d.N, d.Lives())
	for _, c := range []run.Subject{
		{Info: &hashunsorted.Info, Slots: 256}, {Info: &hashunsorted.Info, Slots: 4096},
		{Info: &hierarchical.Info, Levels: []int{16, 16, 16}}, {Info: &hierarchical.Info, Levels: []int{64, 64}},
	} {
		trace, err := workload.Mixture{N: w.N, Lives: w.Lives, Ticks: 4096 * 4, Seed: 3}.Trace()
		require.NoError(t, err)
		s, err := c.Info.New(c.Config(w.N))
		require.NoError(t, err)
		drive := run.NewDrive(s, trace)
		require.NoError(t, drive.Fill())
		before := s.(schemes.Counter).Counts()
		require.NoError(t, drive.Run(nil))
		counts := s.(schemes.Counter).Counts().Sub(before)
		lives := float64(trace.Lifetimes())
		got := float64(counts.Migrations) / lives
		if c.Info.Kind == schemes.HashedWheel {
			got = (float64(counts.Visits) - float64(trace.Want.Expired)) / lives
		}
		assert.InDelta(t, moves(c, w), got, 0.03+0.05*got, "%v", c)
	}
}

func testModel() *CostModel {
	steps := func(each float64) Steps {
		return Steps{stepExpire: each, stepStop: each, stepRestart: each, stepMove: each / 2, stepTick: 2}
	}
	var timed [numSteps]bool
	for k := range timed {
		timed[k] = true
	}
	m := &CostModel{Schemes: map[string][]UnitCosts{}}
	for _, name := range []string{"hashunsorted-chunked", "hierarchical-chunked", "hashunsorted", "hierarchical", "simplewheel"} {
		m.Schemes[name] = []UnitCosts{{Bytes: 1e6, Steps: steps(20), Timed: timed}, {Bytes: 1e8, Steps: steps(60), Timed: timed}}
	}
	m.Schemes["tree-4ary"] = []UnitCosts{{Bytes: 1e6, Steps: steps(10), Timed: timed}, {Bytes: 1e8, Steps: steps(2000), Timed: timed}}
	return m
}

func TestPredict(t *testing.T) {
	w := preset(t, "hold")
	m := testModel()
	for n, want := range map[int]float64{1000: 10, 100_000_000: 2000} {
		w.N = n
		ns, ok := m.Predict(run.Subject{Info: &tree.Quaternary}, w)
		assert.True(t, ok)
		assert.InDelta(t, want+2/w.Rate, ns, 1e-9, "beyond the working sets unit costs stay")
	}
	w.N = 150_000
	held := float64(memory(run.Subject{Info: &tree.Quaternary}, w.N) + run.HandleBytes*150_000)
	ns, _ := m.Predict(run.Subject{Info: &tree.Quaternary}, w)
	assert.InDelta(t, 10+1990*math.Log10(held/1e6)/2+2/w.Rate, ns, 0.1, "between them, in the logarithm")
	_, ok := m.Predict(run.Subject{Info: &ordered.Info}, w)
	assert.False(t, ok)
	for i := range m.Schemes["hashunsorted"] {
		m.Schemes["hashunsorted"][i].Timed[stepMove] = false
	}
	_, ok = m.Predict(run.Subject{Info: &hashunsorted.Info, Slots: 1 << 20}, w)
	assert.True(t, ok, "it has no moves")
	_, ok = m.Predict(run.Subject{Info: &hashunsorted.Info, Slots: 256}, w)
	assert.False(t, ok, "what its moves cost is not known")
	_, ok = (*CostModel)(nil).Predict(run.Subject{Info: &tree.Quaternary}, w)
	assert.False(t, ok)
}

func TestPrune(t *testing.T) {
	w := preset(t, "tcp-rto")
	all, _ := Candidates(w, Limits{})
	in, out := testModel().Prune(all, w, Limits{})
	assert.Len(t, append(outOf(out), in...), len(all))
	m := testModel()
	first, ok := m.Predict(in[0], w)
	require.True(t, ok)
	for _, c := range in {
		if ns, ok := m.Predict(c, w); ok {
			assert.LessOrEqual(t, ns, pruneRatio*first)
		}
	}
	for _, c := range out {
		assert.Contains(t, c.Why, "predicted")
	}
	_, slow := m.Prune(all, w, Limits{Tail: time.Second})
	assert.NotEmpty(t, slow, "more than ten times as slow")
	w.N = 27_000 // here a tree is predicted to take eight times the best
	_, slow = m.Prune(all, w, Limits{})
	assert.NotEmpty(t, slow)
	_, slow = m.Prune(all, w, Limits{Tail: time.Second})
	assert.Empty(t, slow, "the slow one may be the only one to keep a limit")
	w.Script = &workload.Script{}
	_, slow = m.Prune(all, w, Limits{})
	assert.Empty(t, slow, "nothing is predicted of phases that are not left to chance")
	w.Script = nil
	in, out = (*CostModel)(nil).Prune(all, w, Limits{})
	assert.Equal(t, all, in, "those without a prediction may win")
	assert.Empty(t, out)
}

// recommended is a pick of this candidate with the test's model.
func recommended(picked Result, w Workload, modelError float64, l Limits) *Recommendation {
	r := &Recommendation{Workload: w, Limits: l, Model: Calibrated{CostModel: testModel()}}
	r.Outcome = Outcome{Results: []Result{picked}, ModelError: modelError}
	r.findBreakEven(picked.Subject)
	return r
}

// The tree is cheap while it is in the cache: fewer timers make it win.
func TestBreakEven(t *testing.T) {
	w := NewWorkload(300_000, workload.Demand{N: 1, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,400ms")}}}.Lives())
	picked := Result{Subject: run.Subject{Info: &hashunsorted.Chunked, Slots: 512}}
	picked.Life.Median, picked.Predicted = 50, 25 // twice as slow as was predicted
	only := Limits{Only: []string{"hashunsorted-chunked", "tree-4ary"}}
	r := recommended(picked, w, 0, only)
	require.True(t, r.Known)
	byAxis := map[string]BreakEven{}
	for _, b := range r.BreakEven {
		if b.Factor < 1 {
			byAxis[b.Axis] = b
		}
	}
	require.Contains(t, byAxis, "n")
	assert.Equal(t, "tree-4ary", byAxis["n"].Better.Info.Name)
	assert.Less(t, byAxis["n"].Ratio, 1-goodMargin)
	assert.Greater(t, byAxis["n"].Factor, 1./1024)
	assert.InEpsilon(t, 300_000*byAxis["n"].Factor, byAxis["n"].Value, 1e-4)

	unsure := recommended(picked, w, 0.45, only)
	require.True(t, unsure.Known)
	require.NotEmpty(t, unsure.BreakEven)
	for _, b := range unsure.BreakEven {
		assert.Less(t, b.Ratio, 1-0.45, "%+v", b)
	}

	full := recommended(picked, w, 0, Limits{Memory: 20_000_000, Only: []string{"hashunsorted-chunked"}})
	last := full.BreakEven[len(full.BreakEven)-1]
	assert.Equal(t, "n", last.Axis)
	assert.Greater(t, last.Factor, 1.0)
	assert.Contains(t, last.Unfit, "the limit is", "memory ends somewhere")
}

// Along M, a hashed wheel with few slots visits much.
func TestSlotRanges(t *testing.T) {
	w := NewWorkload(10_000, workload.Demand{N: 1, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,20s")}}}.Lives())
	picked := Result{Subject: run.Subject{Info: &hashunsorted.Chunked, Slots: 1 << 15}}
	r := recommended(picked, w, 0, Limits{})
	require.True(t, r.Known)
	require.NotEmpty(t, r.SlotRanges)
	assert.Equal(t, "hashunsorted-chunked", r.SlotRanges[0].Scheme)
	assert.Greater(t, r.SlotRanges[0].From, 1000)
	assert.LessOrEqual(t, r.SlotRanges[0].From, 1<<15)
	assert.True(t, r.SlotRanges[0].To == 0 || r.SlotRanges[0].To >= 1<<15)

	assert.False(t, recommended(picked, w, 0.9, Limits{}).Known, "a model that is nearly twice off knows nothing")
	assert.False(t, recommended(Result{Subject: run.Subject{Info: &ordered.Info}}, w, 0, Limits{}).Known)
}

func TestScaled(t *testing.T) {
	w := preset(t, "tcp-rto").Spanning(5_000_000)
	s := w.scaled(0.001, 10)
	assert.Equal(t, 1_000_000, s.N)
	assert.EqualValues(t, 5_000, s.Longest)
	assert.InDelta(t, w.Stopped, s.Stopped, 1e-9, "no stop becomes an expiry")
	assert.InDelta(t, w.Expired, s.Expired, 1e-9)
}

func TestThinned(t *testing.T) {
	p, err := workload.FindPreset("tcp-all")
	require.NoError(t, err)
	w := FromPreset(p)
	require.Greater(t, len(w.Lives), maxLives)
	thin := w.thinned()
	assert.LessOrEqual(t, len(thin.Lives), maxLives+1)
	assert.InDelta(t, 1, cost.Weight(thin.Lives), 1e-9)
	assert.InEpsilon(t, cost.MeanStay(w.Lives), cost.MeanStay(thin.Lives), 0.1)
}

// A small calibration has all unit costs, and they explain the timings to a factor.
func TestCalibration(t *testing.T) {
	m, err := Calibration{Sets: []float64{50_000, 200_000}, Lives: 2_000}.Run(context.Background(), func(int, int, string) {})
	require.NoError(t, err)
	w := preset(t, "rpc-relay")
	for _, info := range (Limits{}).Eligible() {
		if info.Kind == schemes.List {
			require.Empty(t, m.Schemes[info.Name])
			continue
		}
		require.Len(t, m.Schemes[info.Name], 2, info.Name)
		for _, p := range m.Schemes[info.Name] {
			assert.Less(t, p.Error, 5.0, info.Name)
			for _, k := range []step{stepExpire, stepStop, stepRestart} {
				assert.True(t, p.Timed[k], "%s, %s", info.Name, stepNames[k])
			}
			assert.Positive(t, p.Steps[stepExpire]+p.Steps[stepStop]+p.Steps[stepRestart], info.Name)
		}
	}
	ns, ok := m.Predict(run.Subject{Info: &hierarchical.Chunked, Levels: []int{64, 64}}, w)
	assert.True(t, ok)
	assert.Positive(t, ns)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Calibration{Sets: []float64{50_000}, Lives: 2_000}.Run(ctx, func(int, int, string) {})
	assert.ErrorIs(t, err, context.Canceled)

	path := filepath.Join(t.TempDir(), "folder", "calibration.json")
	require.NoError(t, SaveModel(path, m))
	again, err := LoadModel(path)
	require.NoError(t, err)
	assert.Equal(t, m, again.CostModel)
	assert.WithinDuration(t, time.Now(), again.Saved, time.Minute)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing half written")
}

func TestLoadModelRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calibration.json")
	kinds := `"Steps":["expiries","stops","restarts","moves","ticks","batches","spread"]`
	for _, text := range []string{
		"", "{}", `{"Model":{"Schemes":{}}}`, "no json", `{"Model":{"Schemes":{"x":[{"Bytes":5}]}}}`,
		`{` + kinds + `,"Model":{"Schemes":{"x":[]}}}`, `{` + kinds + `,"Model":{"Schemes":{"x":[{"Bytes":5},{"Bytes":5}]}}}`,
		`{` + kinds + `,"Model":{"Schemes":{"x":[{"Bytes":0}]}}}`, `{` + kinds + `,"Model":{"Schemes":{"x":[{"Bytes":5,"Steps":[1,-1]}]}}}`,
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := LoadModel(path)
		assert.ErrorContains(t, err, path, text)
	}
}

func inMiB(bytes []float64) (mib []float64) {
	for _, b := range bytes {
		mib = append(mib, b/(1<<20))
	}
	return mib
}

func TestWorkingSets(t *testing.T) {
	for _, caches := range [][2]int{{0, 0}, {1 << 20, 32 << 20}, {512 << 10, 8 << 20}, {12 << 20, 0}, {2 << 20, 300 << 20}, {16 << 20, 16 << 20}, {1 << 30, math.MaxInt32}, {1, 2}} {
		s := workingSets(caches[0], caches[1])
		assert.Less(t, 4*s[0], s[1]*1.001, caches)
		assert.Less(t, 4*s[1], s[2]*1.001, caches)
		assert.LessOrEqual(t, s[2], float64(64<<20), caches)
	}
	assert.InDeltaSlice(t, []float64{0.5, 4.899, 48}, inMiB(workingSets(1<<20, 32<<20)), 0.001)
}

// If timers may be late, a scheme that rounds up enters if its sizes keep the limit, and never one
// that is early.
func TestLateness(t *testing.T) {
	w := preset(t, "hold")
	none, _ := Candidates(w, Limits{})
	for _, c := range none {
		assert.NotEqual(t, &hierarchical.NoMigrate, c.Info)
	}
	for late, want := range map[float64]bool{0.0001: false, 1: true} {
		in, out := Candidates(w, Limits{Late: late})
		found := false
		for _, c := range in {
			found = found || c.Info == &hierarchical.NoMigrate
		}
		assert.Equal(t, want, found, "late by %v", late)
		if !want {
			assert.True(t, strings.Contains(out[0].Why, " late"), out[0].Why)
		}
	}
	assert.Contains(t, tooLate(run.Subject{Info: &hierarchical.NoMigrateDown, Levels: []int{16, 16, 16, 16, 16}}, w, 1), "early")
}

func TestFormula(t *testing.T) {
	sorted, all := run.Subject{Info: &hashsorted.Info, Slots: 256}, preset(t, "tcp-rto")
	spread := moves(sorted, all)
	all.Script = &workload.Script{}
	assert.InEpsilon(t, 256*(spread-1), moves(sorted, all)-1, 1e-9, "with fixed phases all may share a slot")
	w := preset(t, "tcp-rto")
	slots := func(m int) float64 {
		return stepsOf(run.Subject{Info: &hashunsorted.Chunked, Slots: m}, w)[stepSpread]
	}
	assert.Zero(t, slots(1<<10))
	assert.Positive(t, slots(1<<19))
	assert.InDelta(t, 1, slots(1<<20)-slots(1<<19), 0.01)
	assert.False(t, math.IsNaN(moves(run.Subject{Info: &hierarchical.NoMigrate, Levels: []int{16, 16}}, w)))
}
