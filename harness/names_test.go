package harness_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/measure"
)

// names is a sink that keeps the names of lifetimes.
type names []string

func (n *names) Result(r measure.Result) error {
	if name, ok := strings.CutPrefix(r.Name, "Lifetime/"); ok {
		*n = append(*n, name)
	}
	return nil
}

func (n *names) Skip(name, _ string) error {
	*n = append(*n, strings.TrimPrefix(name, "Lifetime/"))
	return nil
}

func (n *names) Fail(_ string, err error) error { return err }

// The benchmarks here and package measure name a cell alike.
func TestNamesAreThoseOfMeasure(t *testing.T) {
	var plan measure.Plan
	plan.Rounds, plan.Limits = 1, measure.Limits{Run: time.Minute, Memory: math.MaxInt64}
	var want names
	for _, w := range benchWorkloads {
		c := measure.Case{Mode: measure.Lifetimes, Spec: w.spec}
		c.Spec.N, c.Spec.Ticks = 10, 4000
		for _, info := range withNull() {
			e := measure.NewEntrant(info, w.slots, w.levels)
			c.Entrants = append(c.Entrants, e)
			want = append(want, benchName(c.Spec, e))
		}
		plan.Cases = append(plan.Cases, c)
	}
	var got names
	require.NoError(t, plan.Run(t.Context(), &got, func(int, int, string) {}))
	assert.ElementsMatch(t, want, got)
}

// Every scheme can run the first workload, at some size.
func TestEverySchemeHasABenchmark(t *testing.T) {
	w := benchWorkloads[0]
	w.spec.N, w.spec.Ticks = benchSizes[0].n, benchSizes[0].ticks
	trace := traceOf(t, w.spec)
	for _, info := range withNull() {
		e := measure.NewEntrant(info, w.slots, w.levels)
		assert.False(t, outOfRange(e, trace) || tooSlowToRun(e, trace), info.Name)
	}
}
