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
	unknown := ObserveSteal(t.TempDir())() // a system without proc, as in a sandbox
	const can = "This machine can carry a verdict on 10 %."
	for _, test := range []struct {
		runs     []*results.Table
		steal    float64
		governor string
		says     string
	}{
		{repeated(t, 3, 0.02), 0, "performance", can},
		{repeated(t, 2, 0), unknown, "powersave", can},
		{[]*results.Table{noisy, noisy}, 0, "performance",
			"This machine cannot carry a verdict on 10 %: noise band: a scheme under two names in one run: 7.33 % (≤ 5 %)."},
		{repeated(t, 3, 0.5), 0, "performance", "a fixed loop in two runs: 50 % (≤ 10 %)"},
		{repeated(t, 3, 0.02), 0.05, "performance", "time stolen by the hypervisor: 5 % (≤ 1 %)"},
		{nil, 0, "performance", "runs that ended in time: 0 of 3 (≥ 2)"},
	} {
		d := Diagnose(test.runs, 3, test.steal, test.governor)
		assert.Equal(t, test.says == can, d.OK(), "%v", d.Fails)
		assert.Contains(t, d.Page("").Findings, test.says)
		for _, format := range []report.Format{report.Text, report.JSON} {
			var out strings.Builder
			require.NoError(t, d.Page("").Write(&out, format))
			assert.Contains(t, out.String(), "frequency governor")
			assert.Equal(t, test.governor == "powersave", strings.Contains(out.String(), "set it to performance"))
			assert.Equal(t, test.steal < 0, strings.Contains(out.String(), "unknown"))
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
	end := ObserveSteal(root)
	write("cpu  150 0 0 140 0 0 0 10 0 0\n")
	assert.InDelta(t, 0.1, end(), 1e-9)
	for _, text := range []string{"", "cpu", "cpu a b c d e f g h i\n", "intr 1 2 3 4 5 6 7 8 9\n"} {
		write(text)
		assert.NotPanics(t, func() { end() }, text)
	}
}
