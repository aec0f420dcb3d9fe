package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/run"
	"timerlab/harness/workload"
)

// A file of run with several M can be judged: the workloads are the same for all M, though their wheels turn in
// different times.
func TestPlanOfSeveralSlots(t *testing.T) {
	r, err := parseRequest(strings.Fields("run -n 100 -M 64,524288 -m 1 -T 100 --schemes hashunsorted,hierarchical"))
	require.NoError(t, err)
	plan, err := r.ofShard()
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
