package systems_test

import (
	"os"
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
