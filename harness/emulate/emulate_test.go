package emulate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

func TestTotals(t *testing.T) {
	const report = "part: 1\n\nevents: Ir\nfn=(1) f\n3 77\n\ntotals: 8006200\npart: 2\ntotals: 0\nsummary: 5\n"
	assert.Equal(t, []float64{8006200, 0}, totals(report))
	assert.Empty(t, totals("==7== Collected : 5\n"))
}

func TestWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", "")
	assert.Contains(t, Missing(), "valgrind")
	_, err := Count(t.Context(), "scheme=x", "true")
	assert.ErrorContains(t, err, "scheme=x")
}

// Outside valgrind the program does the same, without counting.
func TestProgram(t *testing.T) {
	spec := workload.Spec{N: 300, T: 500, Dist: workload.Uniform, Seed: 1}
	for _, info := range []*schemes.Info{&hierarchical.Info, &drive.Null} {
		times, err := Program(run.NewSubject(info, 1024, 4), spec)
		require.NoError(t, err)
		require.Len(t, times, len(Ops))
		for i, least := range []int{least, least, least, 4000} {
			assert.GreaterOrEqual(t, times[i], least, Ops[i])
		}
	}
	spec.Stop, spec.StopAt = 0.5, 0.5
	_, err := Program(run.NewSubject(&hierarchical.Info, 1024, 4), spec)
	require.NoError(t, err, "only starts have intervals")
	_, err = Program(run.NewSubject(&hierarchical.Info, 16, 2), spec)
	assert.ErrorIs(t, err, schemes.ErrInterval)
}
