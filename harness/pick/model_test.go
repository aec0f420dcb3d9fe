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

// Prices that made the timings are found again, whatever they are.
func TestFitFindsPrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want Steps
		for k := range want {
			want[k] = rapid.SampledFrom([]float64{0, 1, 7.5, 120}).Draw(t, "price")
		}
		want[expiries] += 5 // so that no timing is 0
		var rows []row
		for range 40 {
			r := row{steps: Steps{expiries: rapid.Float64Range(0.1, 1).Draw(t, "expiries")}}
			for k := stops; k < kinds; k++ {
				r.steps[k] = rapid.Float64Range(0, 3).Draw(t, "steps")
			}
			for k := range want {
				r.ns += want[k] * r.steps[k]
			}
			rows = append(rows, r)
		}
		got, err := fit(rows)
		require.NoError(t, err)
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

// Where the best prices would be below 0, the least error above is a price of 0: no small
// change of the prices makes it less.
func TestFitIsNeverNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []row
		for range 20 {
			r := row{ns: rapid.Float64Range(10, 500).Draw(t, "ns")}
			for k := range r.steps {
				r.steps[k] = rapid.Float64Range(0, 2).Draw(t, "steps")
			}
			rows = append(rows, r)
		}
		got, err := fit(rows)
		require.NoError(t, err)
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

func squares(rows []row, prices Steps) (sum float64) {
	for _, r := range rows {
		e := -1.0
		for k := range prices {
			e += prices[k] * r.steps[k] / r.ns
		}
		sum += e * e
	}
	return sum
}

// A tick's price is that of the smaller working set, also where the timings hardly tell.
func TestPriceOfATick(t *testing.T) {
	var rows []row
	for _, n := range []float64{1, 2, 4} {
		rows = append(rows, row{Steps{expiries: 1, ticks: n}, 40 + 5*n}, row{Steps{stops: 1, ticks: n}, 30 + 5*n})
	}
	for _, known := range []float64{5, 3} {
		p, err := priceOf(rows, []Price{{Steps: Steps{ticks: known}}})
		require.NoError(t, err)
		assert.Equal(t, known, p.Steps[ticks])
		assert.GreaterOrEqual(t, p.Steps[expiries], 40-1e-6)
		if known == 5 {
			assert.InDelta(t, 40, p.Steps[expiries], 1e-6, "what the ticks took is not the expiries'")
			assert.InDelta(t, 0, p.Error, 1e-9)
		}
	}
	alone, err := priceOf(rows, nil)
	require.NoError(t, err)
	assert.InDelta(t, 5, alone.Steps[ticks], 1e-6)
}

// Wheels do not migrate evenly, so that the parts of a calibration's run tell what they did.
func TestPartsAreCounted(t *testing.T) {
	lives := spreadOver(3000, func(j schemes.Tick) schemes.Tick { return j }, false)
	for i := range lives {
		lives[i].Share = 1 / float64(len(lives))
	}
	w := NewWorkload(500, lives)
	x := training{"", w, 1500, true}
	trace, err := workload.Mixture{N: w.N, Lives: w.Lives, Ticks: x.ticks, Seed: 1}.Trace()
	require.NoError(t, err)
	rows, err := x.run(Candidate{Info: &hierarchical.Info, Levels: []int{1024, 4}}, trace)
	require.NoError(t, err)
	require.Len(t, rows, parts)
	assert.Zero(t, rows[0].steps[moves], "the lowest wheel has not come round")
	assert.Positive(t, rows[2].steps[moves])
}

// What a run had of migrations is not counted as missing in it.
func TestUnseen(t *testing.T) {
	w := preset(t, "hold")
	m := testModel()
	c := Candidate{Info: &hierarchical.Chunked, Levels: []int{256, 256, 2}}
	none := m.Unseen(Result{Candidate: c}, w)
	require.Positive(t, none)
	half := m.Unseen(Result{Candidate: c, Counts: schemes.Counts{Migrations: uint64(500 * c.moves(w))}}, w)
	assert.InEpsilon(t, none/2, half, 0.01)
	assert.Zero(t, m.Unseen(Result{Candidate: c, Counts: schemes.Counts{Migrations: uint64(2000 * c.moves(w))}}, w))
	assert.Zero(t, m.Unseen(Result{Candidate: Candidate{Info: &ordered.Info}}, w), "of whom nothing is known")
}

// The moves of a life are those counted on the virtual clock: for wheels over whole turns,
// for lists at their n.
func TestMovesAreCounted(t *testing.T) {
	d := workload.Demand{N: 400, Tick: time.Millisecond, Classes: []workload.Class{
		{Share: 1, Interval: dist(t, "uniform:1ms,3s")}, {Share: 1, Interval: dist(t, "uniform:1ms,1s"), Stop: workload.End{Share: 0.7, After: dist(t, "exp:200ms")}},
	}}
	w := NewWorkload(d.N, d.Lives())
	for _, c := range []Candidate{
		{Info: &hashunsorted.Info, Slots: 256}, {Info: &hashunsorted.Info, Slots: 4096},
		{Info: &hierarchical.Info, Levels: []int{16, 16, 16}}, {Info: &hierarchical.Info, Levels: []int{64, 64}},
		{Info: &ordered.Info}, {Info: &ordered.Rear},
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
		got := map[int]float64{2: float64(counts.Compares), 6: float64(counts.Visits) - float64(trace.Want.Expired), 7: float64(counts.Migrations)}[c.Info.Number] / lives
		assert.InDelta(t, c.moves(w), got, 0.03+0.05*got, "%v", c)
	}
}

func testModel() *Model {
	steps := func(each float64) Steps {
		return Steps{expiries: each, stops: each, restarts: each, moves: each / 2, ticks: 2}
	}
	var timed [kinds]bool
	for k := range timed {
		timed[k] = true
	}
	m := &Model{Schemes: map[string][]Price{}}
	for _, name := range []string{"hashunsorted-chunked", "hierarchical-chunked", "hashunsorted", "hierarchical", "simplewheel"} {
		m.Schemes[name] = []Price{{Bytes: 1e6, Steps: steps(20), Timed: timed}, {Bytes: 1e8, Steps: steps(60), Timed: timed}}
	}
	m.Schemes["tree-4ary"] = []Price{{Bytes: 1e6, Steps: steps(10), Timed: timed}, {Bytes: 1e8, Steps: steps(2000), Timed: timed}}
	return m
}

func TestPredict(t *testing.T) {
	w := preset(t, "hold")
	m := testModel()
	for n, want := range map[int]float64{1000: 10, 100_000_000: 2000} {
		w.N = n
		ns, ok := m.Predict(Candidate{Info: &tree.Quaternary}, w)
		assert.True(t, ok)
		assert.InDelta(t, want+2/w.Rate, ns, 1e-9, "beyond the working sets prices stay")
	}
	w.N = 10_000_000 / (48 + run.HandleBytes)
	ns, _ := m.Predict(Candidate{Info: &tree.Quaternary}, w)
	assert.InDelta(t, 1005+2/w.Rate, ns, 0.1, "half way between them, in the logarithm")
	_, ok := m.Predict(Candidate{Info: &ordered.Info}, w)
	assert.False(t, ok)
	for i := range m.Schemes["hashunsorted"] {
		m.Schemes["hashunsorted"][i].Timed[moves] = false
	}
	_, ok = m.Predict(Candidate{Info: &hashunsorted.Info, Slots: 1 << 20}, w)
	assert.True(t, ok, "it has no moves")
	_, ok = m.Predict(Candidate{Info: &hashunsorted.Info, Slots: 256}, w)
	assert.False(t, ok, "what its moves cost is not known")
	_, ok = (*Model)(nil).Predict(Candidate{Info: &tree.Quaternary}, w)
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
			assert.LessOrEqual(t, ns, unlikely*first)
		}
	}
	for _, c := range out {
		assert.Contains(t, c.Why, "predicted")
	}
	_, slow := m.Prune(all, w, Limits{Tail: time.Second})
	assert.NotEmpty(t, slow, "more than ten times as slow")
	w.N = 1_500_000 / (48 + run.HandleBytes) // here a tree is predicted to take eight times the best
	_, slow = m.Prune(all, w, Limits{})
	assert.NotEmpty(t, slow)
	_, slow = m.Prune(all, w, Limits{Tail: time.Second})
	assert.Empty(t, slow, "the slow one may be the only one to keep a limit")
	w.Script = &workload.Script{}
	_, slow = m.Prune(all, w, Limits{})
	assert.Empty(t, slow, "nothing is predicted of phases that are not left to chance")
	w.Script = nil
	in, out = (*Model)(nil).Prune(all, w, Limits{})
	assert.Equal(t, all, in, "of whom nothing is known may win")
	assert.Empty(t, out)
}

// The tree is cheap while it is in the cache: fewer timers make it win.
func TestFlips(t *testing.T) {
	w := NewWorkload(300_000, workload.Demand{N: 1, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,400ms")}}}.Lives())
	m := testModel()
	picked := Result{Candidate: Candidate{Info: &hashunsorted.Chunked, Slots: 512}}
	picked.Life.Median, picked.Predicted = 50, 25 // twice as slow as was predicted
	o := Outcome{Results: []Result{picked}}
	flips, known := m.Flips(picked, o, w, Limits{Only: []string{"hashunsorted-chunked", "tree-4ary"}})
	require.True(t, known)
	byAxis := map[string]Flip{}
	for _, f := range flips {
		if f.Factor < 1 {
			byAxis[f.Axis] = f
		}
	}
	require.Contains(t, byAxis, "n")
	assert.Equal(t, "tree-4ary", byAxis["n"].Better.Info.Name)
	assert.Less(t, byAxis["n"].Ratio, 1-tenth)
	assert.Greater(t, byAxis["n"].Factor, 1./1024)

	unsure, known := m.Flips(picked, Outcome{Results: []Result{picked}, Model: 0.45}, w, Limits{Only: []string{"hashunsorted-chunked", "tree-4ary"}})
	require.True(t, known)
	require.NotEmpty(t, unsure)
	for _, f := range unsure {
		if f.Axis != "M" {
			assert.Less(t, f.Ratio, 1-0.45, "%+v", f)
		}
	}

	full, _ := m.Flips(picked, o, w, Limits{Memory: 20_000_000, Only: []string{"hashunsorted-chunked"}})
	for _, f := range full {
		if f.Axis == "n" && f.Factor > 1 {
			assert.Contains(t, f.Why, "allowed")
			return
		}
	}
	t.Fatal("memory ends somewhere")
}

// Along M, a hashed wheel with few slots visits much.
func TestFlipsAlongM(t *testing.T) {
	w := NewWorkload(10_000, workload.Demand{N: 1, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,20s")}}}.Lives())
	picked := Result{Candidate: Candidate{Info: &hashunsorted.Chunked, Slots: 1 << 15}}
	var at []Flip
	flips, known := testModel().Flips(picked, Outcome{}, w, Limits{})
	require.True(t, known)
	_, known = testModel().Flips(picked, Outcome{Model: 0.9}, w, Limits{})
	require.False(t, known, "a model that is nearly twice off tells nothing")
	_, known = testModel().Flips(Result{Candidate: Candidate{Info: &ordered.Info}}, Outcome{}, w, Limits{})
	require.False(t, known)
	for _, f := range flips {
		if f.Axis == "M" {
			at = append(at, f)
		}
	}
	require.NotEmpty(t, at)
	assert.True(t, at[0].Good)
	assert.Greater(t, at[0].Factor, 1000.)
	assert.LessOrEqual(t, at[0].Factor, float64(1<<15))
}

func TestScaled(t *testing.T) {
	w := preset(t, "tcp-rto").Spanning(5_000_000)
	s := w.Scaled(0.001, 10)
	assert.Equal(t, 1_000_000, s.N)
	assert.EqualValues(t, 5_000, s.Longest)
	assert.InDelta(t, w.Stopped, s.Stopped, 1e-9, "no stop becomes an expiry")
	assert.InDelta(t, w.Expired, s.Expired, 1e-9)
}

func TestThinned(t *testing.T) {
	p, err := workload.FindPreset("tcp-all")
	require.NoError(t, err)
	w := of(p)
	require.Greater(t, len(w.Lives), thinLives)
	thin := w.thinned()
	assert.LessOrEqual(t, len(thin.Lives), thinLives+1)
	assert.InDelta(t, 1, cost.Weight(thin.Lives), 1e-9)
	assert.InEpsilon(t, cost.MeanStay(w.Lives), cost.MeanStay(thin.Lives), 0.1)
}

// A calibration, small: every price is there, and it explains the timings to a factor.
func TestCalibration(t *testing.T) {
	m, err := Calibration{Sets: []float64{50_000, 200_000}, Lives: 2_000}.Run(context.Background(), func(int, int, string) {})
	require.NoError(t, err)
	w := preset(t, "rpc-relay")
	for _, info := range eligible {
		if info.Number <= 2 {
			continue
		}
		require.Len(t, m.Schemes[info.Name], 2, info.Name)
		for _, p := range m.Schemes[info.Name] {
			assert.Less(t, p.Error, 5.0, info.Name)
			for _, k := range []kind{expiries, stops, restarts} {
				assert.True(t, p.Timed[k], "%s, %s", info.Name, kindNames[k])
			}
			assert.Positive(t, p.Steps[expiries]+p.Steps[stops]+p.Steps[restarts], info.Name)
		}
	}
	ns, ok := m.Predict(Candidate{Info: &hierarchical.Chunked, Levels: []int{64, 64}}, w)
	assert.True(t, ok)
	assert.Positive(t, ns)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Calibration{Sets: []float64{50_000}, Lives: 2_000}.Run(ctx, func(int, int, string) {})
	assert.ErrorIs(t, err, context.Canceled)

	path := filepath.Join(t.TempDir(), "folder", "prices.json")
	require.NoError(t, SaveModel(path, m))
	again, err := LoadModel(path)
	require.NoError(t, err)
	assert.Equal(t, m, again)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing half written")
}

func TestLoadModelRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prices.json")
	kinds := `"Kinds":["expiries","stops","restarts","moves","ticks","batches","spread"]`
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
	for _, caches := range [][2]int{{0, 0}, {1 << 20, 32 << 20}, {512 << 10, 8 << 20}, {12 << 20, 0}, {2 << 20, 300 << 20}, {16 << 20, 16 << 20}, {1 << 30, 2 << 30}, {1, 2}} {
		s := workingSets(caches[0], caches[1])
		assert.Less(t, 4*s[0], s[1]*1.001, caches)
		assert.Less(t, 4*s[1], s[2]*1.001, caches)
		assert.LessOrEqual(t, s[2], float64(64<<20), caches)
	}
	assert.InDeltaSlice(t, []float64{0.5, 4.899, 48}, inMiB(workingSets(1<<20, 32<<20)), 0.001)
}

// Who may be late at most by a tenth has a scheme that rounds, if the sizes allow it, and
// never one that is early.
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
			assert.True(t, strings.Contains(out[0].Why, " late, allowed "), out[0].Why)
		}
	}
	assert.Contains(t, lateness(Candidate{Info: &hierarchical.NoMigrateDown, Levels: []int{16, 16, 16, 16, 16}}, w, 1), "early")
}

func TestFormula(t *testing.T) {
	sorted, all := Candidate{Info: &hashsorted.Info, Slots: 256}, preset(t, "tcp-rto")
	spread := sorted.moves(all)
	all.Script = &workload.Script{}
	assert.InEpsilon(t, 256*(spread-1), sorted.moves(all)-1, 1e-9, "where phases are not left to chance all may share a slot")
	w := preset(t, "tcp-rto")
	assert.Zero(t, Candidate{Info: &hashunsorted.Chunked, Slots: 1 << 10}.spread())
	assert.InDelta(t, 4, Candidate{Info: &hashunsorted.Chunked, Slots: 1 << 19}.spread(), 1e-9)
	assert.False(t, math.IsNaN(Candidate{Info: &hierarchical.NoMigrate, Levels: []int{16, 16}}.moves(w)))
}
