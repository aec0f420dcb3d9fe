package pick

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// There are 120 workloads or more, drawn by seed, all can run, and a limit leaves some candidates. The intervals of
// random phases are as their classes say, and so within the range of candidates.
func TestCases(t *testing.T) {
	all, again := Cases(100, 10_000_000, 1), Cases(100, 10_000_000, 1)
	assert.GreaterOrEqual(t, len(all), 120)
	limited, phased := 0, 0
	for i, c := range all {
		if i%3 > 0 && testing.Short() {
			continue
		}
		w := FromPreset(c.Preset)
		assert.NoError(t, c.Check(), c.Name)
		in, _ := candidates(w, c.Limits, 0)
		assert.NotEmpty(t, in, c.Name)
		assert.Equal(t, w.Numbers, FromPreset(again[i].Preset).Numbers, c.Name)
		more, _ := candidates(w, c.Limits, 1)
		assert.GreaterOrEqual(t, len(more), len(in), c.Name)
		limited += int(min(c.Limits.Memory, 1))
		if c.Phases == nil || i < len(Cases(0, 1, 1)) {
			continue
		}
		phased++
		c.N = min(c.N, 1000)
		w = FromPreset(c.Preset)
		stream, err := w.Stream(1)
		require.NoError(t, err)
		assert.LessOrEqual(t, stream.Fill().Longest, w.Longest, "%s: %s", c.Name, c.About)
		piece := stream.Next(4 * w.Longest)
		assert.LessOrEqual(t, piece.Longest, w.Longest, "%s: %s", c.Name, c.About)
		assert.InEpsilon(t, w.Rate*float64(piece.Ticks), float64(piece.Want.Expired), 0.3, "%s: %s", c.Name, c.About)
	}
	assert.GreaterOrEqual(t, limited, 5)
	assert.GreaterOrEqual(t, phased, 3)
}

// counted is a cost by counts alone, which are the same on every machine.
func counted(c schemes.Counts) float64 {
	return 3*float64(c.Links) + 2*float64(c.Visits+c.Compares) + 4*float64(c.Migrations) + 0.5*float64(c.EmptySlots)
}

// On workloads drawn by seed, every pick costs at most a tenth more than the best
// of all candidates, sizes that pick does not consider included.
func TestPicksAreGood(t *testing.T) {
	presets := len(Cases(0, 1, 1))
	judged, want := 0, 4
	if testing.Short() {
		want = 1
	}
	for _, c := range Cases(60, 3_000, 20)[presets:] {
		if w := FromPreset(c.Preset); judged == want || w.MeanStay > 10_000 {
			continue
		}
		judged++
		v, err := c.verdict(t.Context(), Judgement{Seed: 1, cost: counted}, none)
		require.NoError(t, err)
		assert.LessOrEqual(t, v.Ratio, 1.1, "%s: picked %s, the best is %s (%s)", c.Name, v.Picked, v.Best, c.About)
		assert.LessOrEqual(t, v.WorstTied, 1.1, c.Name)
		if c.Limits.Memory > 0 {
			assert.LessOrEqual(t, v.Bytes, c.Limits.Memory, c.Name)
		}
	}
	assert.Equal(t, want, judged)
}

// A judgement continues with what its file has, and only on the same terms. Another file is left alone.
func TestJudgementFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "judgement")
	terms := Judgement{Machine: results.ThisMachine().WithCode(results.Code{"pick": "1"}), Seed: 1, Budget: time.Second}
	read := func() string {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(data)
	}
	s := terms
	s.cost = counted
	require.NoError(t, s.Continue(path))
	c := Case{Preset: demandOf(t, 300, "uniform:1ms,200ms"), Limits: Limits{Only: []string{"hashunsorted", "hierarchical"}}}
	bad := c
	c.Name, bad.Name, bad.Limits.Memory = "a", "bad", 1
	require.ErrorContains(t, s.Judge(t.Context(), path, []Case{bad, c}, none), "no candidate is left")
	require.Len(t, s.Verdicts, 1, "the next case is judged")
	v := s.Verdicts[0]
	assert.True(t, v.Picked != "" && v.Best != "" && v.Ratio > 0 && v.Bytes > 0, "%+v", v)
	later := terms
	later.Machine = append(slices.Clone(terms.Machine), [2]string{"commit", "another, of the same code"})
	require.NoError(t, later.Continue(path))
	assert.Equal(t, s.Verdicts, later.Verdicts)
	require.NoError(t, later.Judge(t.Context(), path, []Case{c}, nil), "it has been judged")

	assert.Contains(t, read(), results.ThisMachine()[0][1])
	other := filepath.Join(t.TempDir(), "other")
	require.NoError(t, os.WriteFile(other, []byte(`{"version": 3, "seed": 1, "machine": [["cpu", "another"]]}`), 0o644))
	changed := results.ThisMachine().WithCode(results.Code{"pick": "2"})
	for _, bad := range []struct {
		path string
		Judgement
	}{
		{path, Judgement{Machine: terms.Machine, Seed: 2, Budget: time.Second}},
		{path, Judgement{Machine: terms.Machine, Seed: 1, Budget: time.Minute}},
		{path, Judgement{Machine: changed, Seed: 1, Budget: time.Second}},
		{other, terms},
	} {
		assert.ErrorIs(t, bad.Continue(bad.path), ErrTerms)
	}
	for _, text := range []string{"what?\n", "{}\n", ""} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		assert.ErrorContains(t, terms.Continue(path), path)
		assert.Equal(t, text, read())
	}
}

// A pick is compared with what is best, however slow and large it is on other operations, and a wrong outcome is an error.
func TestJudgeKeepsThePick(t *testing.T) {
	picked, best := subjectsOf(variant("slow", fake{visits: 100, grows: 100}))[0], subjectsOf(&hashunsorted.Info)[0]
	race := Race{Workload: small(t), Limits: Limits{Memory: 300_000}, Budget: time.Minute, Depth: Duel, Cost: counted}
	duel, err := Case{}.race(t.Context(), race, []run.Subject{best, picked}, none)
	v := Verdict{Picked: picked.String(), Best: best.String(), Bytes: 1000}
	require.NoError(t, errors.Join(err, v.compare(duel, []Result{{Subject: best}, {Subject: picked}})))
	assert.Greater(t, v.Ratio, 1.5)
	assert.Equal(t, v.Ratio, v.WorstTied)
	assert.Greater(t, v.Bytes, race.Limits.Memory)
	assert.ErrorContains(t, (&Verdict{Picked: "another"}).compare(duel, nil), "another was not measured")

	_, err = Case{}.race(t.Context(), race, subjectsOf(variant("lost", fake{loses: 100})), none)
	assert.Error(t, err, "a wrong outcome")
}

// Where the rounds do not tell on which side of the bound a pick is, that is the verdict.
func TestGrade(t *testing.T) {
	for _, c := range []struct {
		grade  string
		rounds []float64 // of the pick, 16 times over; the best takes 100
	}{
		{"within", []float64{105}}, {"within", []float64{104, 104, 120}}, {"beyond", []float64{120}},
		{"undecided", []float64{104, 120}},
	} {
		picked := resultOf(512, "", slices.Repeat(c.rounds, 16)...)
		best := resultOf(256, "", slices.Repeat([]float64{100}, len(picked.rounds))...)
		v := Verdict{Picked: picked.Subject.String(), Best: best.Subject.String()}
		require.NoError(t, v.compare(Outcome{Results: []Result{best, picked}}, nil))
		assert.Equal(t, c.grade, v.grade(), "%+v", v)
		assert.IsNonDecreasing(t, []float64{v.Low, v.Ratio, v.High})
	}
	assert.Equal(t, "undecided", Verdict{Ratio: 1}.grade())
}

// The best is the fastest of the others that ran to the end.
func TestBestBut(t *testing.T) {
	var o Outcome
	for slots, e := range map[int]results.Estimate{64: {N: 9, Median: 1}, 128: {N: 9, Median: 0.97}, 256: {}, 512: {N: 3, Median: 0.5}} {
		r := resultOf(slots, map[int]string{512: "slow"}[slots])
		r.Ratio = e
		o.Results = append(o.Results, r)
	}
	assert.Equal(t, 128, o.bestBut("another").Slots)
	assert.Equal(t, 64, o.bestBut("hashunsorted M=128").Slots)
	assert.Nil(t, Outcome{}.bestBut("another"))
}
