package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Whole runs of one workload have one length, in every plan: a file holds one stream for each. The
// full plan compares schemes 6 and 7 at four n, in both forms, and what it costs is known.
func TestPlansOfSchemes6And7(t *testing.T) {
	for name, z := range map[string]Size{"smoke": Smoke, "quick": Quick, "full": Full} {
		lengths := map[workload.Spec]schemes.Tick{}
		timers := map[int]bool{}
		lifetimes, chunked := 0.0, false
		for _, g := range z.Plan(1).Groups {
			if g.Mode != run.Lifetimes || g.Subjects[0].Tag != "" {
				continue
			}
			spec := g.Spec
			spec.Ticks = 0
			if known, ok := lengths[spec]; ok {
				assert.Equal(t, known, g.Spec.Ticks, "%s: %+v", name, spec)
			}
			lengths[spec] = g.Spec.Ticks
			timers[spec.N] = true
			for _, s := range g.Subjects {
				chunked = chunked || s.Label == "hierarchical-chunked"
				lifetimes += float64(spec.N) * (1 + float64(g.Spec.Ticks)/float64(spec.T))
			}
		}
		lifetimes *= float64(z.rounds)
		switch name {
		case "full":
			assert.Len(t, timers, 4)
			assert.True(t, chunked)
			assert.InEpsilon(t, 6e10, lifetimes, 0.25, "two hours with fills and ticks")
		case "quick":
			assert.Less(t, lifetimes, 3e8, "half a minute at 100 ns")
		}
	}
}
