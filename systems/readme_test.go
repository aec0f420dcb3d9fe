package systems_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The calls of README's code are those of Example, which compiles and runs.
func TestReadmeCode(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found)
	code, _, _ = strings.Cut(code, "```")
	for line := range strings.Lines(code) {
		call, _, _ := strings.Cut(line, "//")
		assert.Contains(t, string(example), strings.TrimSpace(call))
	}
}
