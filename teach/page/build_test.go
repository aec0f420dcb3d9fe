package main

import (
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
			assert.True(t, strings.HasSuffix(line, " {"), "the page looks for the closing brace below: %s", line)
		}
	}
	assert.Equal(t, "schemes/hashunsorted/hashunsorted.go", s.Of["hashunsorted"]["PerTick"].File)
	assert.Equal(t, "schemes/internal/store/store.go", s.Of["hashunsorted"]["Stop"].File)
}
