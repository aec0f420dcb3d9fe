package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/emulate"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

func TestInstructionsAreEqualInTwoRuns(t *testing.T) {
	if why := emulate.Missing(); why != "" {
		t.Skip(why)
	}
	var tables [2]*results.Table
	for i := range tables {
		dir := t.TempDir()
		exits(t, 0, "run", "--instructions", "-n", "100", "-T", "200", "--schemes", "hierarchical", "--out", dir)
		tables[i] = load(t, raw(t, dir))
		out, _ := exits(t, 0, "report", raw(t, dir), "--out", t.TempDir())
		assert.Contains(t, out, "empty tick", "the table of instructions")
	}
	counted := 0
	for _, k := range tables[0].Keys {
		first, err := tables[0].Median(k, units.InstrPerOp)
		require.NoError(t, err)
		second, err := tables[1].Median(k, units.InstrPerOp)
		require.NoError(t, err)
		assert.Less(t, math.Abs(second.Median/first.Median-1), 0.001, "%s: %v and %v", k, first.Median, second.Median)
		counted++
	}
	assert.Equal(t, 2*len(emulate.Ops), counted, "of the null scheme and the other")
}

func TestInstructionsWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", "")
	_, errOut := exits(t, exitUsage, "run", "--instructions", "-n", "100", "--out", t.TempDir())
	assert.Contains(t, errOut, "every cell was skipped")
	assert.Contains(t, errOut, "valgrind")
}
