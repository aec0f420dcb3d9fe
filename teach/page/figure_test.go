package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
)

var figureCommand = regexp.MustCompile(`(?m)^    go run -C teach/page \. --svg '([^']+)' >(\S+)$`)

// The figures of the notes and slides are what the command beside them prints. After a change
// of the drawing, FIGURES=write go test -run Figures . writes them again.
func TestFiguresOfNotes(t *testing.T) {
	const root = "../.."
	notes, err := filepath.Glob(root + "/teach/notes/*.md")
	require.NoError(t, err)
	drawn := 0
	for _, note := range append(notes, root+"/teach/slides.md") {
		text, err := os.ReadFile(note)
		require.NoError(t, err)
		for _, m := range figureCommand.FindAllStringSubmatch(string(text), -1) {
			var want bytes.Buffer
			require.NoError(t, writeFigure(&want, m[1]), m[1])
			path := filepath.Join(root, m[2])
			if os.Getenv("FIGURES") == "write" {
				require.NoError(t, os.WriteFile(path, want.Bytes(), 0o644))
			}
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(want.Bytes(), got), "%s is not what --svg '%s' prints: run this test with "+
				"FIGURES=write", m[2], m[1])
			drawn++
		}
	}
	assert.Positive(t, drawn)
	assert.ErrorContains(t, writeFigure(io.Discard, "lesson=15"), "lesson")
}

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
