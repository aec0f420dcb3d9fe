package run

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// What cannot run is skipped, with the reason, and the rest is measured.
func TestSkips(t *testing.T) {
	middle, slow := workload.Spec{N: 10, T: 100, Ticks: 500}, workload.Spec{N: 5000, T: 2000, Dist: workload.Exp, Ticks: 100}
	hash := NewSubject(seven[5], 1024, 2)
	large := NewSubject(seven[5], 1<<17, 1)
	bytes := large.Info.Bytes(middle.N, large.Config(middle.N))
	require.Greater(t, bytes, int64(3<<20), "the client's own few bytes are below a MB")
	for _, test := range []struct {
		spec     workload.Spec
		limits   Limits
		subjects []Subject
		want     map[string]string
	}{
		{middle, roomy, []Subject{NewSubject(seven[3], 99, 1), NewSubject(seven[5], 99, 1), NewSubject(seven[6], 18, 2)}, map[string]string{
			"simplewheel":  `^range: the longest interval is 100 ticks, the range 1 to 99$`,
			"hierarchical": `^range: the longest interval is 100 ticks, the range 1 to 81$`,
		}},
		{middle, roomy, []Subject{NewSubject(seven[3], 100, 1), NewSubject(seven[6], 20, 2)}, nil},
		{middle, roomy, []Subject{NewSubject(seven[5], -1, 1), NewSubject(seven[0], 1, 1)},
			map[string]string{"hashunsorted": "^config: .*" + schemes.ErrConfig.Error()}},
		// The ordered list is slow to fill, the unordered one slow to tick.
		{slow, Limits{Run: 700 * time.Microsecond, Memory: roomy.Memory},
			[]Subject{NewSubject(seven[0], 1024, 2), NewSubject(seven[1], 1024, 2), hash, NewSubject(seven[6], 1024, 2), Controls(hash)[0]},
			map[string]string{
				"unordered": `^slow: predicted to take 1\.\d+ ms a run \(limit 700 µs\)$`,
				"ordered":   `^slow: predicted to take 27\.5 ms a run \(limit 700 µs\)$`,
			}},
		{middle, Limits{Run: roomy.Run, Memory: 1 << 20}, []Subject{NewSubject(seven[0], 1000, 1), large},
			map[string]string{"hashunsorted": fmt.Sprintf(`^large: predicted to take %d MB \(limit 1\)$`, bytes>>20)}},
		// Wheels of given radices take their own slots, not M.
		{middle, Limits{Run: roomy.Run, Memory: 1 << 20}, []Subject{{Label: "hierarchical", Info: seven[6], Levels: []int{1 << 20, 1 << 20}}},
			map[string]string{"hierarchical": `^large: `}},
		{workload.Spec{N: 1, T: 1000, Ticks: 1}, roomy, []Subject{NewSubject(seven[0], 1, 1)},
			map[string]string{"unordered": `^nothing: no timer ends within the run$`}},
	} {
		s := newSink(0)
		p := Plan{Groups: []Group{{Lifetimes, test.spec, test.subjects, 0}}, Rounds: 1, Limits: test.limits}
		require.NoError(t, p.Run(t.Context(), s, quiet))
		require.Empty(t, s.failed)
		for name, why := range s.skipped {
			key := results.ParseKey(name)
			assert.Equal(t, "Lifetime", key.Op)
			assert.Empty(t, of(s.names(), key.Scheme), "skipped, so not measured")
			assert.Contains(t, test.want, key.Scheme)
			assert.Regexp(t, test.want[key.Scheme], string(why.Kind)+": "+why.Text)
		}
		assert.Len(t, s.skipped, len(test.want))
		left := len(test.subjects) - len(test.want)
		assert.Len(t, s.results, left+min(left, 1), "and the noise probe")
	}
}

// The operations of all workloads are in memory at once, and twice while they are
// made: that must not go beyond the limit either.
func TestWorkloadsTooLargeAreSkipped(t *testing.T) {
	caseOf := func(n int) Group {
		return Group{Lifetimes, workload.Spec{N: n, T: 10, Ticks: 100}, []Subject{NewSubject(seven[0], 1, 1)}, 0}
	}
	s := newSink(0)
	p := Plan{Groups: []Group{caseOf(1000), caseOf(900), caseOf(10_000)}, Rounds: 1, Limits: Limits{Run: time.Hour, Memory: 640 << 10}}
	why := results.Reason{Kind: results.TooLarge, Text: "the workload and those before it would take more than 0 MB"}
	require.NoError(t, p.Run(t.Context(), s, quiet))
	assert.Equal(t, map[string]results.Reason{
		"Lifetime/scheme=unordered/n=900/M=1/T=10/dist=const/stop=0": why,
		"Lifetime/scheme=unordered/n=10k/M=1/T=10/dist=const/stop=0": why,
	}, s.skipped)
	assert.Len(t, of(s.names(), "unordered"), 1)
}

// A scheme that is not one of the seven is tried: the paper's costs say nothing about it. The clock is
// the scheme's own, which takes 1 ms a tick or a start if it is slow.
func TestOtherSchemesAreTried(t *testing.T) {
	trace, err := workload.Spec{N: 200, T: 500, Ticks: 1000}.Trace()
	require.NoError(t, err)
	cpu := time.Duration(0)
	clock := func() time.Duration { return cpu }
	limits := Limits{Run: 50 * time.Millisecond, Memory: roomy.Memory, Clocks: Clocks{clock, clock}}
	for _, test := range []struct {
		start, tick time.Duration
		want        string
	}{
		{0, 0, "^$"},
		{0, 50 * time.Microsecond, "^$"},
		{0, time.Millisecond, `^abandoned after [\d.]+ ms \(limit 50 ms a run\) at tick [1-9]\d+ of 1000$`},
		{time.Millisecond, 0, `^abandoned after [\d.]+ ms \(limit 50 ms a run\) at tick 0 of 1000$`},
	} {
		info := wrapped("costly", func(s schemes.Scheme) schemes.Scheme { return &costly{s, &cpu, test.start, test.tick} })
		info.Number = 0
		cpu = 0
		assert.Regexp(t, test.want, limits.Skip(NewSubject(info, 1024, 1), trace).Text)
		assert.Less(t, cpu, limits.Run+128*time.Millisecond, "the clock is read between few operations")
	}
	large, err := workload.Spec{N: 20_000, T: 20_000, Ticks: 20_000}.Trace()
	require.NoError(t, err)
	assert.Contains(t, limits.Skip(NewSubject(seven[1], 1024, 1), large).Text, "predicted to take ", "one of the seven")
}

// costly is a scheme whose operations take some time on a clock.
type costly struct {
	schemes.Scheme
	cpu         *time.Duration
	start, tick time.Duration
}

func (c *costly) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	*c.cpu += c.start
	return c.Scheme.Start(interval, id)
}

func (c *costly) PerTick() int {
	*c.cpu += c.tick
	return c.Scheme.PerTick()
}

// A scheme that fails while it is tried is measured: its samples are the failures. What does not fit a Duration is the
// slowest of all, not the fastest.
func TestSkipOfExtremes(t *testing.T) {
	bad := lossy()
	bad.Number = 0
	trace, err := workload.Spec{N: 10, T: 10, Ticks: 100}.Trace()
	require.NoError(t, err)
	assert.Empty(t, roomy.Skip(NewSubject(bad, 64, 1), trace))
	trace = &workload.Trace{Spec: workload.Spec{N: 10_000_000, T: 1 << 30}, Ticks: schemes.Tick(1) << 40, Prefill: 10_000_000}
	e := NewSubject(seven[0], 1, 1)
	assert.NotEmpty(t, roomy.Skip(e, trace), "predicted %v", predict(e, trace))
}
