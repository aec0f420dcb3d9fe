package harness_test

import (
	"testing"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"

	"github.com/stretchr/testify/assert"
)

// Every scheme can run the first workload, at some size.
func TestEverySchemeHasABenchmark(t *testing.T) {
	w := benchWorkloads[0]
	w.spec.N, w.spec.Ticks = benchSizes[0].n, benchSizes[0].ticks
	trace := traceOf(t, w.spec)
	for _, info := range withNull() {
		e := run.NewSubject(info, w.slots, w.levels)
		assert.False(t, tooSlowToRun(e, trace), info.Name)
	}
}

// Pages know the null scheme by the name that rows have.
func TestNameOfTheNullScheme(t *testing.T) {
	assert.Equal(t, results.NullScheme, harness.Null.Name)
}
