package systems_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// The calls of README's code are those of Example, which compiles and runs.
func TestReadmeCode(t *testing.T) {
	_, code, found := strings.Cut(readFile(t, "README.md"), "```go\n")
	require.True(t, found)
	code, _, _ = strings.Cut(code, "```")
	example := readFile(t, "example_test.go")
	calls := 0
	for line := range strings.Lines(code) {
		call, _, _ := strings.Cut(line, "//")
		if call = strings.TrimSpace(call); call != "" {
			assert.Contains(t, example, call)
			calls++
		}
	}
	assert.LessOrEqual(t, calls, 6)
}

// README is short, names every service, and links only to what exists.
func TestReadmeLinks(t *testing.T) {
	text := readFile(t, "README.md")
	assert.LessOrEqual(t, strings.Count(text, "\n"), 110)
	for _, name := range []string{"std", "sharded", "netty", "locked"} {
		assert.DirExists(t, name)
		assert.Regexp(t, "\\]\\("+name+"/", text)
	}
	_, table, _ := strings.Cut(text, "## What each one is")
	assert.Len(t, regexp.MustCompile("(?m)^\\| `").FindAllString(table, -1), 9)
	assert.Contains(t, text, "nine services")
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(text, -1) {
		assert.FileExists(t, filepath.FromSlash(link[1]))
	}
}
