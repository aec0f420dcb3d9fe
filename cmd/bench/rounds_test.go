package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Rounds are measured by builds of the layouts in turn, and again by others.
func TestLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	defer func(f func() (string, error)) { repositoryOfThis = f }(repositoryOfThis)
	repositoryOfThis = thisRepository
	file := measured(t, "-n 100 -T 100 -M 64 --schemes tree --rounds 3 --layouts 3-4")
	table := load(t, file)
	assert.Equal(t, "3; 4", table.Machine["layout"])
	assert.Equal(t, []string{"--layouts=5-24"}, otherLayouts(table))
	text := read(t, file)
	assert.Equal(t, 2, strings.Count(text, "\nlayout: 3\n"))
	assert.Equal(t, 3, strings.Count(text, "\nBenchmarkLifetime/scheme=tree/n=100/"))
	assert.Contains(t, text, "3 rounds, each a process, of 2 layouts")
}

// No two of the first rounds have environments of one size.
func TestEnvironment(t *testing.T) {
	sizes := map[int]bool{}
	for round := range 2 * mostLayouts {
		sizes[len(strings.Join(environment(round), ""))] = true
	}
	assert.Len(t, sizes, 2*mostLayouts)
}
