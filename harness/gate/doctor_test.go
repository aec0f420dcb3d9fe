package gate

import (
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

// A machine that is not quiet gets its verdict and a page too.
func TestDiagnose(t *testing.T) {
	noisy := good().with(twin, func(c *rawCell) { c.ns *= 1.07 }).table(t)
	const can = "This machine can carry a verdict on 10 %."
	for _, test := range []struct {
		runs     []*results.Table
		governor string
		says     string
	}{
		{repeated(t, 3, 0.02), "performance", can},
		{repeated(t, 2, 0), "powersave", can},
		{[]*results.Table{noisy, noisy}, "performance",
			"This machine cannot carry a verdict on 10 %: noise band: a scheme under two names in one run: 7.33 % (≤ 5 %)."},
		{repeated(t, 3, 0.5), "performance", "a fixed loop in two runs: 50 % (≤ 10 %)"},
	} {
		d := Diagnose(test.runs, test.governor)
		assert.Equal(t, test.says == can, d.OK(), "%v", d.Fails)
		assert.Contains(t, d.Page("").Findings, test.says)
		for _, format := range []report.Format{report.Text, report.JSON} {
			var out strings.Builder
			require.NoError(t, d.Page("").Write(&out, format))
			assert.Contains(t, out.String(), "frequency governor")
			assert.Equal(t, test.governor == "powersave", strings.Contains(out.String(), "set it to performance"))
		}
	}
}
