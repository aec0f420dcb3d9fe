package gate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

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

// Every property alone makes a machine unfit.
func TestDiagnose(t *testing.T) {
	noisy := good().with(control, func(c *rawCell) { c.ns *= 1.07 }).table(t)
	for _, test := range []struct {
		table *results.Table
		met   []bool
	}{
		{repeated(t, 3, 0.02), []bool{true, true, true}},
		{repeated(t, 2, 0), []bool{true, true, true}},
		{noisy, []bool{false, true, true}},
		{repeated(t, 3, 0.5), []bool{true, false, false}},
	} {
		d := Diagnose(test.table)
		var met []bool
		for _, p := range d {
			met = append(met, p.Met())
		}
		assert.Equal(t, test.met, met)
		assert.Equal(t, !slices.Contains(met, false), d.OK())
	}
}
