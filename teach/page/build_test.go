package main

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
)

// Every operation of every scheme begins on its line of its file.
func TestSources(t *testing.T) {
	s, err := FindSources()
	require.NoError(t, err)
	for _, info := range harness.Schemes {
		for _, operation := range operations {
			p := s.Of[info.Name][operation]
			line := strings.Split(s.Files[p.File], "\n")[p.Line-1]
			assert.Contains(t, line, ") "+operation+"(", "%s, %s:%d", info.Name, p.File, p.Line)
			assert.NotEmpty(t, cmp.Or(s.Paper[fmt.Sprint(info.Number, " ", operation)], s.Paper[operation]), "%s has no pseudocode of %s", info.Name, operation)
			assert.True(t, strings.HasSuffix(line, " {"), "the page looks for the closing brace below: %s", line)
		}
	}
	assert.Equal(t, "schemes/hashunsorted/hashunsorted.go", s.Of["hashunsorted"]["PerTick"].File)
	assert.Equal(t, "schemes/tree/heap.go", s.Of["tree"][s.Steps["tree"]["PerTick"]].File, "the way down, which lesson 4 is about")
	assert.Equal(t, "schemes/internal/store/store.go", s.Of["hashunsorted"]["Stop"].File)
}
