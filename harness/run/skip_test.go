package run

import (
	"fmt"
	"testing"
	"time"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// skipping runs one case under these limits and returns what was skipped, by
// scheme, and what was measured.
func skipping(t *testing.T, spec workload.Spec, limits Limits, subjects ...Subject) (map[string]string, *sink) {
	t.Helper()
	s := newSink()
	p := Plan{Groups: []Group{{Lifetimes, spec, subjects}}, Rounds: 1, Limits: limits}
	require.NoError(t, p.Run(t.Context(), s, quiet))
	require.Empty(t, s.failed)
	why := map[string]string{}
	for name, text := range s.skipped {
		assert.Empty(t, of(s.names(), results.ParseKey(name).Scheme), "skipped, so not measured")
		assert.Equal(t, "Lifetime", results.ParseKey(name).Op)
		why[results.ParseKey(name).Scheme] = text
	}
	assert.Len(t, s.results, 1+len(subjects)-len(why))
	return why, s
}

func TestWorkloadBeyondTheRangeIsSkipped(t *testing.T) {
	spec := workload.Spec{N: 10, T: 100, Ticks: 500}
	why, _ := skipping(t, spec, roomy,
		NewSubject(harness.Schemes[3], 99, 1), NewSubject(harness.Schemes[5], 99, 1), NewSubject(harness.Schemes[6], 18, 2))
	assert.Equal(t, map[string]string{
		"simplewheel":  "the longest interval is 100 ticks, the range 1 to 99",
		"hierarchical": "the longest interval is 100 ticks, the range 1 to 81",
	}, why)
	why, _ = skipping(t, spec, roomy, NewSubject(harness.Schemes[3], 100, 1), NewSubject(harness.Schemes[6], 20, 2))
	assert.Empty(t, why)
}

// The ordered list is slow to fill, the unordered one slow to tick.
func TestRunsPredictedTooSlowAreSkipped(t *testing.T) {
	spec := workload.Spec{N: 5000, T: 2000, Dist: workload.Exp(), Ticks: 100}
	limits := Limits{Run: 700 * time.Microsecond, Memory: roomy.Memory}
	var subjects []Subject
	for _, i := range []int{0, 1, 5, 6} {
		subjects = append(subjects, NewSubject(harness.Schemes[i], 1024, 2))
	}
	subjects = append(subjects, Controls(subjects[2])[0])
	why, _ := skipping(t, spec, limits, subjects...)
	assert.Len(t, why, 2)
	assert.Regexp(t, `^predicted to take 1ms a run \(limit 700µs\)$`, why["unordered"])
	assert.Regexp(t, `^predicted to take \d+ms a run \(limit 700µs\)$`, why["ordered"])
}

func TestRunsPredictedTooLargeAreSkipped(t *testing.T) {
	spec := workload.Spec{N: 100, T: 10, Ticks: 10}
	limits := Limits{Run: roomy.Run, Memory: 1 << 20}
	large := NewSubject(harness.Schemes[5], 1<<17, 1)
	why, _ := skipping(t, spec, limits, NewSubject(harness.Schemes[0], 1000, 1), large)
	bytes := large.Info.Bytes(spec.N, large.Config(spec.N))
	require.Greater(t, bytes, int64(3<<20), "the client's own few bytes are below a MB")
	want := fmt.Sprintf("predicted to take %d MB (limit 1)", bytes>>20)
	assert.Equal(t, map[string]string{"hashunsorted": want}, why)
}

// The operations of all workloads are in memory at once, and twice while they are
// made: that must not go beyond the limit either.
func TestWorkloadsTooLargeAreSkipped(t *testing.T) {
	caseOf := func(n int) Group {
		return Group{Lifetimes, workload.Spec{N: n, T: 10, Ticks: 100}, []Subject{NewSubject(harness.Schemes[0], 1, 1)}}
	}
	s := newSink()
	p := Plan{Groups: []Group{caseOf(1000), caseOf(900), caseOf(10_000)}, Rounds: 1, Limits: Limits{Run: time.Hour, Memory: 640 << 10}}
	const why = "the workload and those before it would take more than 0 MB"
	require.NoError(t, p.Run(t.Context(), s, quiet))
	assert.Equal(t, map[string]string{
		"Lifetime/scheme=unordered/n=900/M=1/T=10/dist=const/stop=0": why,
		"Lifetime/scheme=unordered/n=10k/M=1/T=10/dist=const/stop=0": why,
	}, s.skipped)
	assert.Len(t, of(s.names(), "unordered"), 1)
}

// Wheels of given radices take their own slots, not those of M.
func TestMemoryOfLevelsIsPredicted(t *testing.T) {
	trace, err := workload.Spec{N: 10, T: 10, Ticks: 10}.Trace()
	require.NoError(t, err)
	e := Subject{Label: "hierarchical", Info: harness.Schemes[6], Levels: []int{1 << 20, 1 << 20}}
	assert.NotEmpty(t, Limits{Run: time.Hour, Memory: 1 << 20}.Skip(e, trace), "64 MB of slots where 1 MB is allowed")
}

func TestPredictionsGrowWithTheWork(t *testing.T) {
	for _, info := range harness.Schemes {
		e := NewSubject(info, 1024, 2)
		last := time.Duration(0)
		for _, n := range []int{10, 100, 1000, 10_000} {
			trace, err := workload.Spec{N: n, T: 100, Dist: workload.Uniform(), Ticks: 200}.Trace()
			require.NoError(t, err)
			took := predict(e, trace)
			assert.Greater(t, took, last, "%s with %d timers", info.Name, n)
			last = took
		}
	}
	trace, err := workload.Spec{N: 10, T: 100, Ticks: 100}.Trace()
	require.NoError(t, err)
	null := Controls(NewSubject(harness.Schemes[0], 1, 1))[0]
	assert.Positive(t, predict(null, trace), "an endless run of the null scheme is endless, too")
}

// A scheme that is not one of the seven is tried: the paper's costs say nothing about it.
func TestOtherSchemesAreTried(t *testing.T) {
	spec := workload.Spec{N: 20_000, T: 20_000, Ticks: 20_000}
	limits := Limits{Run: 50 * time.Millisecond, Memory: roomy.Memory}
	fast := *harness.Schemes[5]
	fast.Name, fast.Number, fast.Kind, fast.Sorted = "fast-list", 2, schemes.List, true
	foreign := fast
	foreign.Name, foreign.Number, foreign.Bytes = "foreign", 0, nil
	list := *harness.Schemes[1]
	list.Name, list.Number = "list", 0
	slow := *sleepy(time.Millisecond)
	slow.Name, slow.Number = "sleepy", 0
	why, _ := skipping(t, spec, limits, NewSubject(harness.Schemes[1], 1024, 1), NewSubject(&fast, 1024, 1),
		NewSubject(&foreign, 1024, 1), NewSubject(&slow, 1024, 1), NewSubject(&list, 1, 1))
	assert.Len(t, why, 3)
	assert.Contains(t, why["ordered"], "predicted to take ")
	assert.Regexp(t, `^abandoned after \d+ms at tick \d+ of 20000 \(limit 50ms a run\)$`, why["sleepy"])
	assert.Regexp(t, `^abandoned after \d+ms at tick 0 of 20000 `, why["list"], "in the prefill")
}

// A scheme that fails while it is tried is measured: its samples are the failures.
func TestATryLeavesErrorsToTheSamples(t *testing.T) {
	bad := lossy()
	bad.Number = 0
	trace, err := workload.Spec{N: 10, T: 10, Ticks: 100}.Trace()
	require.NoError(t, err)
	assert.Empty(t, roomy.Skip(NewSubject(bad, 64, 1), trace))
}

// What does not fit a Duration is the slowest of all, not the fastest.
func TestVeryLongPredictionsDoNotWrapAround(t *testing.T) {
	trace := &workload.Trace{Spec: workload.Spec{N: 10_000_000, T: 1 << 30}, Ticks: schemes.Tick(1) << 40, Prefill: 10_000_000}
	e := NewSubject(harness.Schemes[0], 1, 1)
	assert.NotEmpty(t, roomy.Skip(e, trace), "predicted %v", predict(e, trace))
}

// A run in which no timer ends has no time by timer.
func TestNoLifetimesMakeNoNumber(t *testing.T) {
	s := newSink()
	p := Plan{Groups: []Group{{Lifetimes, workload.Spec{N: 1, T: 1000, Ticks: 1}, []Subject{NewSubject(harness.Schemes[0], 1, 1)}}}, Rounds: 1, Limits: roomy}
	require.NoError(t, p.Run(t.Context(), s, quiet))
	for _, r := range s.results {
		for _, v := range r.Values {
			assert.False(t, v.Value != v.Value || v.Value > 1e15, "%s: %v %s", r.Name, v.Value, v.Unit)
		}
	}
}
