package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// repeated returns runs of the same code, of which every second takes longer by a share.
func repeated(t *testing.T, n int, spread float64) (runs []*results.Table) {
	t.Helper()
	for i := range n {
		r := good()
		r.cells = append(r.cells, rawCell{"Spin", 2, ""})
		for j := range r.cells {
			r = r.with(j, func(c *rawCell) { c.ns *= 1 + spread*float64(i%2) })
		}
		runs = append(runs, r.table(t))
	}
	return runs
}

// A machine that is not quiet, or so busy that no run ended, gets its verdict and a page too.
func TestDiagnose(t *testing.T) {
	noisy := good().with(twin, func(c *rawCell) { c.ns *= 1.07 }).table(t)
	for _, test := range []struct {
		name  string
		runs  []*results.Table
		steal float64
		says  string
	}{
		{"quiet", repeated(t, 3, 0.02), 0, "This machine can carry a verdict on 10 %."},
		{"a scheme differs from itself", []*results.Table{noisy, noisy}, 0,
			"This machine cannot carry a verdict on 10 %: noise band: a scheme under two names in one process: 7.33 % (≤ 5 %)."},
		{"processes differ by half", repeated(t, 3, 0.5), 0, "a fixed loop in two processes: 50 % (≤ 10 %)"},
		{"stolen time", repeated(t, 3, 0.02), 0.05, "time stolen by the hypervisor: 5 % (≤ 1 %)"},
		{"no run ended in time", nil, 0, "processes that measured in time: 0 of 3 (≥ 2)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := Diagnose(test.runs, 3, test.steal, "performance")
			assert.Equal(t, test.name == "quiet", d.OK(), "%+v", d.Findings)
			assert.Contains(t, d.Sentence(), test.says)
			for _, format := range []report.Format{report.Text, report.JSON} {
				var out strings.Builder
				require.NoError(t, d.Page("").Write(&out, format))
				assert.Contains(t, out.String(), "frequency governor")
			}
		})
	}
}

// A system without proc, as in a sandbox, says nothing of stolen time, and that is no failure.
func TestHost(t *testing.T) {
	d := Diagnose(repeated(t, 2, 0), 2, ObserveSteal(t.TempDir())(), "powersave")
	assert.True(t, d.OK())
	assert.Contains(t, d.Findings, Finding{Property: "time stolen by the hypervisor", Found: "unknown"})
	assert.Contains(t, d.Findings, Finding{Property: "frequency governor", Found: "powersave",
		Advice: "set it to performance while measuring"})
}

func TestObserveSteal(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "proc"), 0o755))
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, "proc/stat"), []byte(text), 0o644))
	}
	write("cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 1 2 3\n")
	end := ObserveSteal(root)
	write("cpu  150 0 0 140 0 0 0 10 0 0\n")
	assert.InDelta(t, 0.1, end(), 1e-9)
	for _, text := range []string{"", "cpu", "cpu a b c d e f g h i\n", "intr 1 2 3 4 5 6 7 8 9\n"} {
		write(text)
		assert.NotPanics(t, func() { end() }, text)
	}
}
