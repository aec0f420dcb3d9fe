package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
)

// Whole runs of one workload have one length, in every plan: a file holds one stream for each. The
// full plan compares schemes 6 and 7 at four n, in both forms, and what it costs is known.
func TestPlansOfSchemes6And7(t *testing.T) {
	for name, z := range map[string]size{"smoke": smoke, "quick": quick, "full": full} {
		lengths := map[workload.Spec]schemes.Tick{}
		timers := map[int]bool{}
		lifetimes, chunked := 0.0, false
		for _, g := range z.plan(1).Groups {
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

// Wheels that divide and wheels that do not have as many slots, in groups of their own.
func TestPlanOfDividingWheels(t *testing.T) {
	groups := 0
	for _, g := range full.plan(1).Groups {
		var levels []string
		for _, s := range g.Subjects {
			if s.Tag == "/set=dividing" && s.Info == &hierarchical.Info {
				levels = append(levels, workload.Levels(s.Levels).String())
				assert.Equal(t, 144, s.TotalSlots())
			}
		}
		if levels != nil {
			groups++
			assert.Equal(t, []string{"60x60x24", "64x64x16"}, levels)
		}
	}
	assert.Equal(t, 4, groups, "operations and lifetimes, at two T")
}

// A file of run with several M can be judged: the workloads are the same for all M, though their wheels turn in
// different times.
func TestPlanOfSeveralSlots(t *testing.T) {
	g, cmd := &grid{}, &cobra.Command{}
	g.flags(cmd)
	require.NoError(t, cmd.ParseFlags(strings.Fields("-n 100 -M 64,524288 -m 1 -T 100 --schemes hashunsorted,hierarchical")))
	plan, err := g.plan()
	require.NoError(t, err)
	byMode := map[run.Mode]workload.Spec{}
	for _, group := range plan.Groups {
		if spec, ok := byMode[group.Mode]; ok {
			assert.Equal(t, spec, group.Spec)
		}
		byMode[group.Mode] = group.Spec
	}
	assert.Len(t, plan.Groups, 2*len(byMode))
}
