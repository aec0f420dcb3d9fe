package pick

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"timerlab/harness/workload"

	"timerlab/harness/results"

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
		_, err := Length(w)
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

// A sweep goes on after what is there, without a line that was cut off, and only on the
// same terms. What is no sweep is left alone.
func TestSweepFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep")
	terms := Terms{Machine: results.ThisMachine(), Seed: 1, Budget: time.Second, Truth: time.Minute}
	s, f, err := OpenSweep(path, terms)
	require.NoError(t, err)
	assert.False(t, s.Has("a"))
	require.NoError(t, json.NewEncoder(f).Encode(Verdict{Name: "a", Ratio: 1.02}))
	_, err = f.WriteString(`{"Name":"b","Ra`)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	s, f, err = OpenSweep(path, terms)
	require.NoError(t, err)
	assert.True(t, s.Has("a"))
	assert.False(t, s.Has("b"))
	require.NoError(t, json.NewEncoder(f).Encode(Verdict{Name: "b", Ratio: 1}))
	require.NoError(t, f.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	s, err = ReadSweep(data)
	require.NoError(t, err)
	require.Len(t, s.Verdicts, 2)
	assert.Equal(t, 1.02, s.Verdicts[0].Ratio)

	elsewhere := append(results.Machine{{"cpu", "another"}}, terms.Machine[3:]...)
	for _, other := range []Terms{{terms.Machine, 2, time.Second, time.Minute}, {terms.Machine, 1, time.Minute, time.Minute}, {elsewhere, 1, time.Second, time.Minute}, {terms.Machine, 1, time.Second, time.Hour}} {
		_, _, err = OpenSweep(path, other)
		assert.ErrorIs(t, err, ErrOther)
	}
	for _, text := range []string{"what?\n", "{}\n", "a file of the user's without an end of line"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, _, err = OpenSweep(path, terms)
		assert.ErrorContains(t, err, "line 1")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
}

// A judgement compares what the pick names with all that ran, also if it is far slower than
// the best.
func TestJudge(t *testing.T) {
	d := workload.Demand{N: 300, Tick: time.Millisecond, Classes: []workload.Class{{Share: 1, Interval: dist(t, "uniform:1ms,200ms")}}}
	c := Case{Name: "small", Demand: workload.Preset{Demand: d}, Limits: Limits{Only: []string{"hashunsorted", "hierarchical"}, Slots: 256}}
	v, err := c.Judge(context.Background(), nil, Terms{Budget: 300 * time.Millisecond, Truth: time.Second, Seed: 1}, func(int, int, string) {})
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
	picked, other := Candidate{Info: &slow, Slots: 256}, Candidate{Info: &hashunsorted.Info, Slots: 256}
	truth, err := c.race(context.Background(), Race{Workload: c.Workload(), Budget: time.Minute, Seed: 1, Keep: []string{picked.String()}, Thorough: time.Second}, []Candidate{other, picked}, func(int, int, string) {})
	require.NoError(t, err)
	v = Verdict{Picked: picked.String()}
	require.NoError(t, v.compare(truth, []Result{{Candidate: other}, {Candidate: picked}}))
	assert.Equal(t, other.String(), v.Best)
	assert.Greater(t, v.Ratio, 2.0)
	assert.Equal(t, v.Ratio, v.WorstTied)
	assert.ErrorContains(t, (&Verdict{Picked: "nobody"}).compare(truth, nil), "nobody was not measured")

	lost := hashunsorted.Info
	lost.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return &loser{s.(scheme), 0}, err
	}
	_, err = c.race(context.Background(), Race{Workload: c.Workload(), Budget: time.Second, Seed: 1}, []Candidate{{Info: &lost, Slots: 256}}, func(int, int, string) {})
	assert.Error(t, err, "a wrong outcome")
}

// Where the rounds do not tell on which side of the bound a pick is, that is the verdict.
func TestGrade(t *testing.T) {
	named := func(slots int, more ...float64) Result {
		r := Result{Candidate: Candidate{Info: &hashunsorted.Info, Slots: slots}}
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
		v := Verdict{Picked: picked.Candidate.String()}
		require.NoError(t, v.compare(Outcome{Results: []Result{best, picked}}, nil))
		assert.Equal(t, c.grade, v.Grade(1.1), "%+v", v)
		assert.LessOrEqual(t, v.Lo, v.Ratio)
		assert.GreaterOrEqual(t, v.Hi, v.Ratio)
	}
	assert.Equal(t, "undecided", Verdict{Ratio: 1}.Grade(1.1))
}

// The best is chosen on every other round and compared with on the rest: luck in some rounds
// does not make a good pick look bad.
func TestLuckIsNoTruth(t *testing.T) {
	named := func(slots int, lives ...float64) Result {
		return Result{Candidate: Candidate{Info: &hashunsorted.Info, Slots: slots}, lives: lives}
	}
	steady, lucky, once := named(256, 100, 100, 200, 200, 100), named(512, 80, 104, 160, 208, 80), named(1024, 300)
	v := Verdict{Picked: steady.Candidate.String()}
	require.NoError(t, v.compare(Outcome{Results: []Result{lucky, steady, once}, Rounds: 5}, []Result{steady, lucky, once}))
	assert.Equal(t, lucky.Candidate.String(), v.Best)
	assert.InDelta(t, 1/1.04, v.Ratio, 1e-9)
	assert.Zero(t, v.Hi, "two rounds have no interval")
	assert.Equal(t, 1.0, v.WorstTied, "the third was never in a round with the best's rest")
	v = Verdict{Picked: once.Candidate.String()}
	assert.ErrorContains(t, v.compare(Outcome{Results: []Result{steady, once}, Rounds: 5}, nil), "was not measured to the end")
}
