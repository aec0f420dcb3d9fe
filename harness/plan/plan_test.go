package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Whole runs of one workload have one length, in every plan: a file holds one stream for each. The
// full plan compares schemes 6 and 7 at four n, in both forms, and what it costs is known.
func TestPlansOfSchemes6And7(t *testing.T) {
	for name, z := range map[string]Size{"smoke": Smoke, "quick": Quick, "machine": Machine, "full": Full} {
		streams := map[string]workload.Spec{}
		timers := map[int]bool{}
		lifetimes, chunked := 0.0, false
		for _, g := range z.Plan(1).Groups {
			stream := results.ParseKey(string(g.Mode) + "/" + run.Name(g.Spec, g.Subjects[0])).Stream()
			if known, ok := streams[stream]; ok {
				assert.Equal(t, known, g.Spec, "%s: %s", name, stream)
			}
			streams[stream] = g.Spec
			if g.Mode != run.Lifetimes {
				continue
			}
			for range g.Subjects {
				lifetimes += float64(g.Spec.N) * (1 + float64(g.Spec.Ticks)/float64(g.Spec.T))
			}
			if g.Subjects[0].Tag != "" {
				continue
			}
			timers[g.Spec.N] = true
			for _, s := range g.Subjects {
				chunked = chunked || s.Label == "hierarchical-chunked"
			}
		}
		lifetimes *= float64(z.rounds * z.passes)
		switch name {
		case "full":
			assert.Len(t, timers, 4)
			assert.Equal(t, 28, z.Plan(1).AllRounds(), "of claims")
			assert.True(t, chunked)
			assert.InEpsilon(t, 6e10, lifetimes, 0.25, "two hours with fills and ticks")
		case "machine":
			assert.InEpsilon(t, 5e9, lifetimes, 0.25, "20 minutes with fills and ticks")
		case "quick":
			assert.Less(t, lifetimes, 4.5e8, "45 s at 100 ns")
		}
	}
}

// Scheme 6 by key comes to the outcome of a trace, and refuses keys of timers that are gone.
func TestByKey(t *testing.T) {
	spec := workload.Spec{N: 100, T: 50, Dist: workload.Uniform, Stop: 0.5, StopAt: 0.5, Ticks: 500}
	trace, err := spec.Trace()
	require.NoError(t, err)
	s, err := byKeySubject(16).Info.New(schemes.Config{Slots: 16})
	require.NoError(t, err)
	d := drive.New(s, trace)
	require.NoError(t, d.Fill())
	require.NoError(t, d.Run(nil))
	require.NoError(t, d.Verify())
	h, err := s.Start(1, 1<<40)
	require.NoError(t, err)
	assert.True(t, s.Stop(h))
	assert.False(t, s.Stop(h))
	assert.False(t, s.Stop(0))
	_, err = s.Start(0, 1)
	assert.ErrorIs(t, err, schemes.ErrInterval)
}

// A batch of the cells for operations holds as many starts as its laps need, or n is so small that only ticks are read.
func TestLapsAreLong(t *testing.T) {
	for _, g := range claimCells([]int{1_000}, 5_000, 1) {
		if g.Mode == run.Lifetimes || g.Spec.N < 100 {
			continue
		}
		starts := float64(g.Spec.Every) * g.Spec.Rate()
		assert.GreaterOrEqual(t, starts, 0.5*lapStarts, "%+v", g.Spec)
		if g.Spec.Stop > 0 {
			trace, err := g.Spec.Trace()
			require.NoError(t, err)
			laps := float64(trace.Ticks / g.Spec.Every)
			assert.GreaterOrEqual(t, float64(trace.Count(workload.Stop))/laps, 0.9*lapStarts, "%+v", g.Spec)
			for _, s := range g.Subjects {
				assert.LessOrEqual(t, trace.Longest, s.Info.Range(s.Config(0)), s.Label)
			}
		}
	}
}
