package pick

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"context"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/workload/demand"
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

// A sweep goes on after what is there, without a line that was cut off.
func TestSweepFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep")
	s, f, err := OpenSweep(path)
	require.NoError(t, err)
	assert.False(t, s.Has("a"))
	require.NoError(t, json.NewEncoder(f).Encode(Verdict{Name: "a", Ratio: 1.02}))
	_, err = f.WriteString(`{"Name":"b","Ra`)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	s, f, err = OpenSweep(path)
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

	s.Machine[2][1] = "another processor"
	line, err := json.Marshal(s.Machine)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(line, '\n'), 0o644))
	_, _, err = OpenSweep(path)
	assert.ErrorIs(t, err, ErrOther)
	require.NoError(t, os.WriteFile(path, []byte("what?\n"), 0o644))
	_, _, err = OpenSweep(path)
	assert.ErrorContains(t, err, "line 1")
}

// A judgement compares what the pick names with all that ran.
func TestJudge(t *testing.T) {
	d := demand.Demand{N: 300, Tick: time.Millisecond, Classes: []demand.Class{{Share: 1, Interval: dist(t, "uniform:1ms,200ms")}}}
	c := Case{Name: "small", Demand: demand.Preset{Demand: d}, Limits: Limits{Only: []string{"hashunsorted", "hierarchical"}, Slots: 256}}
	v, err := c.Judge(context.Background(), nil, 300*time.Millisecond, 1, func(int, int, string) {})
	require.NoError(t, err)
	assert.NotEmpty(t, v.Picked)
	assert.NotEmpty(t, v.Best)
	assert.GreaterOrEqual(t, v.Ratio, 1.0)
	assert.GreaterOrEqual(t, v.WorstTied, v.Ratio)
	assert.Positive(t, v.Bytes)
	in, _ := Candidates(c.Workload(), c.Limits)
	assert.Equal(t, len(in), v.Candidates)
}
