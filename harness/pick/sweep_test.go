package pick

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"timerlab/harness/workload"

	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// There are forty workloads or more, all can run, and a limit leaves someone.
func TestCases(t *testing.T) {
	all := Cases(20, 1)
	assert.GreaterOrEqual(t, len(all), 40)
	again := Cases(20, 1)
	limited := 0
	for i, c := range all {
		w := c.Workload()
		_, err := w.Length()
		require.NoError(t, err, c.Name)
		in, out := Candidates(w, c.Limits)
		assert.NotEmpty(t, in, c.Name)
		assert.Equal(t, w.Numbers, again[i].Workload().Numbers, c.Name)
		if c.Limits.Memory > 0 {
			limited++
			assert.NotEmpty(t, out, c.Name)
		}
	}
	assert.GreaterOrEqual(t, limited, 5)
}

// A sweep continues with what its file has, and only on the same terms. A file that is no sweep
// is left alone.
func TestSweepFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep")
	s, err := ContinueSweep(path, 1, time.Second, time.Minute)
	require.NoError(t, err)
	assert.Empty(t, s.Verdicts)
	s.Verdicts = []Verdict{{Name: "a", Ratio: 1.02}}
	require.NoError(t, saveJSON(path, s))
	again, err := ContinueSweep(path, 1, time.Second, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, s, again)
	require.NoError(t, again.Judge(context.Background(), path, []Case{{Preset: workload.Preset{Name: "a"}}}, nil, nil), "it has been judged")

	elsewhere := s
	elsewhere.Machine = append(results.Machine{{"cpu", "another"}}, s.Machine[3:]...)
	require.NoError(t, saveJSON(path+"2", elsewhere))
	for _, other := range []struct {
		path          string
		seed          uint64
		budget, truth time.Duration
	}{{path, 2, time.Second, time.Minute}, {path, 1, time.Minute, time.Minute}, {path + "2", 1, time.Second, time.Minute}, {path, 1, time.Second, time.Hour}} {
		_, err = ContinueSweep(other.path, other.seed, other.budget, other.truth)
		assert.ErrorIs(t, err, ErrTerms)
	}
	for _, text := range []string{"what?\n", "{}\n", ""} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err = ContinueSweep(path, 1, time.Second, time.Minute)
		assert.ErrorContains(t, err, path)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
}

// A judgement compares what the pick names with all that ran, also if it is far slower than
// the best.
func TestJudge(t *testing.T) {
	d := workload.Demand{N: 300, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,200ms")}}}
	c := Case{Preset: workload.Preset{Name: "small", Demand: d, Slots: 256}, Limits: Limits{Only: []string{"hashunsorted", "hierarchical"}}}
	v, err := c.Judge(context.Background(), nil, Terms{Budget: 2 * time.Second, Truth: time.Second, Seed: 1}, func(int, int, string) {})
	require.NoError(t, err)
	assert.NotEmpty(t, v.Picked)
	assert.NotEmpty(t, v.Best)
	assert.Positive(t, v.Ratio)
	assert.Positive(t, v.Bytes)

	slow := hashunsorted.Info
	slow.Name = "slow"
	slow.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return &dawdler{s.(scheme), 2 * time.Microsecond}, err
	}
	picked, other := run.Subject{Info: &slow, Slots: 256}, run.Subject{Info: &hashunsorted.Info, Slots: 256}
	truth, err := c.race(context.Background(), Race{Workload: c.Workload(), Budget: time.Minute, Seed: 1, Keep: []string{picked.String()}, Thorough: time.Second}, []run.Subject{other, picked}, func(int, int, string) {})
	require.NoError(t, err)
	v = Verdict{Picked: picked.String()}
	require.NoError(t, v.compare(truth, []Result{{Subject: other}, {Subject: picked}}))
	assert.Equal(t, other.String(), v.Best)
	assert.Greater(t, v.Ratio, 2.0)
	assert.Equal(t, v.Ratio, v.WorstTied)
	assert.ErrorContains(t, (&Verdict{Picked: "nobody"}).compare(truth, nil), "nobody was not measured")

	lost := hashunsorted.Info
	lost.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return &loser{s.(scheme), 0}, err
	}
	_, err = c.race(context.Background(), Race{Workload: c.Workload(), Budget: time.Minute, Seed: 1}, []run.Subject{{Info: &lost, Slots: 256}}, func(int, int, string) {})
	assert.Error(t, err, "a wrong outcome")
}

// Where the rounds do not tell on which side of the bound a pick is, that is the verdict.
func TestGrade(t *testing.T) {
	named := func(slots int, more ...float64) Result {
		r := Result{Subject: run.Subject{Info: &hashunsorted.Info, Slots: slots}}
		for range 8 {
			r.lives = append(r.lives, more...)
		}
		return r
	}
	for slots, c := range map[int]struct {
		lives []float64
		grade string
	}{512: {[]float64{105, 105}, "within"}, 1024: {[]float64{120, 120}, "beyond"}, 2048: {[]float64{104, 104, 120, 120}, "undecided"}, 4096: {[]float64{104, 104, 104, 104, 120, 120}, "undecided"}} {
		best, picked := named(256, make([]float64, len(c.lives))...), named(slots, c.lives...)
		for i := range best.lives {
			best.lives[i] = 100
		}
		v := Verdict{Picked: picked.Subject.String()}
		require.NoError(t, v.compare(Outcome{Results: []Result{best, picked}}, nil))
		assert.Equal(t, c.grade, v.Grade(1.1), "%+v", v)
		assert.LessOrEqual(t, v.Low, v.Ratio)
		assert.GreaterOrEqual(t, v.High, v.Ratio)
	}
	assert.Equal(t, "undecided", Verdict{Ratio: 1}.Grade(1.1))
}

// The best is chosen on every other round and compared with on the rest: luck in some rounds
// does not make a good pick look bad.
func TestLuckIsNoTruth(t *testing.T) {
	named := func(slots int, lives ...float64) Result {
		return Result{Subject: run.Subject{Info: &hashunsorted.Info, Slots: slots}, lives: lives}
	}
	steady, lucky, once := named(256, 100, 100, 200, 200, 100), named(512, 80, 104, 160, 208, 80), named(1024, 300)
	v := Verdict{Picked: steady.Subject.String()}
	require.NoError(t, v.compare(Outcome{Results: []Result{lucky, steady, once}, Rounds: 5}, []Result{steady, lucky, once}))
	assert.Equal(t, lucky.Subject.String(), v.Best)
	assert.InDelta(t, 1/1.04, v.Ratio, 1e-9)
	assert.Zero(t, v.High, "two rounds have no interval")
	assert.Equal(t, 1.0, v.WorstTied, "the third was never in a round with the best's rest")
	v = Verdict{Picked: once.Subject.String()}
	assert.ErrorContains(t, v.compare(Outcome{Results: []Result{steady, once}, Rounds: 5}, nil), "was not measured to the end")
}
