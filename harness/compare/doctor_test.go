package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// repeated returns runs of the same code, of which every second takes longer by a share.
func repeated(t *testing.T, n int, spread float64) (runs []*results.Table) {
	t.Helper()
	for i := range n {
		factor := 1 + spread*float64(i%2)
		r := good()
		r.rounds = 10
		r.cells = append(r.cells, rawCell{"Spin", 2, ""})
		for i := range r.cells {
			r = r.with(i, func(c *rawCell) { c.ns *= factor })
		}
		runs = append(runs, r.table(t))
	}
	return runs
}

func quietHost() Host {
	return Host{Clock: run.ClockQuality{Cost: 20 * time.Nanosecond, Resolution: 10 * time.Nanosecond}, Source: "tsc",
		Governor: "performance", Pages: "always [madvise] never", Steal: 0}
}

func TestDiagnose(t *testing.T) {
	for _, test := range []struct {
		name   string
		spread float64
		ok     bool
		says   string
	}{
		{"quiet", 0.02, true, "can carry a verdict"},
		{"runs differ by half", 0.5, false, "does not compare, of 28: 57.1 %"},
		{"runs differ by a tenth", 0.095, false, "smallest slowdown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := Diagnose(repeated(t, 8, test.spread), quietHost())
			require.NoError(t, err)
			assert.Equal(t, test.ok, d.OK(), "%+v", d.Findings)
			assert.Contains(t, d.Sentence(), test.says)
			assert.Equal(t, 1, strings.Count(d.Sentence(), ". ")+1, "one sentence")
			var out strings.Builder
			require.NoError(t, d.Page("").Write(&out, report.Text))
			assert.Contains(t, out.String(), "clock")
		})
	}
}

// The smallest slowdown is above what the gate allows, and a larger one is seen as well.
func TestAlarmsGrowWithTheSlowdown(t *testing.T) {
	d := &Diagnosis{}
	pairs, err := d.pairs(repeated(t, 6, 0.05))
	require.NoError(t, err)
	last := 0.0
	for _, factor := range []float64{1, 1.1, 1.15, 1.2, 1.5} {
		now := alarmShare(pairs, factor)
		assert.GreaterOrEqual(t, now, last)
		last = now
	}
	assert.Zero(t, alarmShare(pairs, 1))
	assert.Equal(t, 1.0, last)
}

func TestDiagnoseRefuses(t *testing.T) {
	d, err := Diagnose(repeated(t, 3, 0), quietHost())
	require.NoError(t, err)
	assert.False(t, d.OK())
	few := good()
	few.rounds = 5
	_, err = Diagnose([]*results.Table{few.table(t), few.table(t), few.table(t), few.table(t)}, quietHost())
	assert.ErrorContains(t, err, "no two runs with an A/A pair")
	other := good()
	other.machine = "cores: 3\n"
	d, err = Diagnose([]*results.Table{good().table(t), good().table(t), other.table(t), good().table(t)}, quietHost())
	require.NoError(t, err)
	assert.Contains(t, d.Sentence(), "two runs that the gate does not compare, of 6: 50 %")
}

func TestHostAdvises(t *testing.T) {
	worst := Host{Clock: run.ClockQuality{Cost: 2 * time.Microsecond}, Governor: "powersave", Pages: "always madvise [never]",
		Steal: 0.2}
	advised := 0
	for _, f := range worst.findings() {
		assert.False(t, f.Fails)
		if f.Advice != "" {
			advised++
		}
	}
	assert.Equal(t, 4, advised)
	for _, f := range quietHost().findings() {
		assert.Empty(t, f.Advice, f.Property)
	}
}

// A system without proc and sys, as in a sandbox, has no value, and that is no failure.
func TestObserveWithoutProc(t *testing.T) {
	h := Observe(t.TempDir())()
	assert.Equal(t, "unknown", h.Source)
	assert.Equal(t, -1.0, h.Steal)
	for _, f := range h.findings() {
		if f.Property == "time stolen by the hypervisor" {
			assert.Equal(t, "unknown", f.Found)
			assert.Empty(t, f.Advice)
		}
	}
}

func TestObserveSteal(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "proc"), 0o755))
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, "proc/stat"), []byte(text), 0o644))
	}
	write("cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 1 2 3\n")
	end := Observe(root)
	write("cpu  150 0 0 140 0 0 0 10 0 0\n")
	assert.InDelta(t, 0.1, end().Steal, 1e-9)
	for _, text := range []string{"", "cpu", "cpu a b c d e f g h i\n", "intr 1 2 3 4 5 6 7 8 9\n"} {
		write(text)
		assert.NotPanics(t, func() { end() }, text)
	}
}
