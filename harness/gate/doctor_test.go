package gate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// repeated is a table of runs of the same code, of which every second takes longer by a share.
func repeated(t *testing.T, n int, spread float64) *results.Table {
	t.Helper()
	r, samples := good(), 0
	r.rounds = n * results.LeastRounds
	r.cells = append(r.cells, rawCell{"Spin", 2, ""})
	r.noise = func() float64 {
		run := samples / (len(r.cells) * results.LeastRounds)
		samples++
		return 1 + spread*float64(run%2)
	}
	return r.table(t)
}

// A machine that is not quiet gets its verdict and a page too.
func TestDiagnose(t *testing.T) {
	noisy := good().with(twin, func(c *rawCell) { c.ns *= 1.07 }).table(t)
	const can = "This machine can carry a verdict on 10 %."
	for _, test := range []struct {
		table    *results.Table
		governor string
		says     string
	}{
		{repeated(t, 3, 0.02), "performance", can},
		{repeated(t, 2, 0), "powersave", can},
		{noisy, "performance",
			"This machine cannot carry a verdict on 10 %: noise band: a scheme under two names in one run: 7.33 % (≤ 5 %)."},
		{repeated(t, 3, 0.5), "performance", "a fixed loop in two runs: 50 % (≤ 10 %)"},
	} {
		d := Diagnose(test.table, test.governor, "3 %")
		assert.Equal(t, test.says == can, d.OK(), "%v", d.Fails)
		assert.Contains(t, d.Page("").Findings, test.says)
		for _, format := range []report.Format{report.Text, report.JSON} {
			var out strings.Builder
			require.NoError(t, d.Page("").Write(&out, format))
			assert.Contains(t, out.String(), "frequency governor")
			assert.Contains(t, out.String(), "steal time")
			assert.Equal(t, test.governor == "powersave", strings.Contains(out.String(), "set it to performance"))
		}
	}
}
