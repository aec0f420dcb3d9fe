package results

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheCommandOfAFile(t *testing.T) {
	const row = "BenchmarkStart/scheme=a 1 5 ns/op\n"
	for line, want := range map[string][]string{
		`# argv ["run","--out=it's here"]`: {"run", "--out=it's here"},
		`# argv []`:                        {},
		"# argv [\"run\",\"--rounds=1\"]\n# resumed [\"run\",\"--rounds=2\"]": {"run", "--rounds=2"},
	} {
		table, err := Load(file(t, line+"\n"+row))
		require.NoError(t, err)
		require.Len(t, table.Sources, 1)
		assert.Equal(t, want, table.Sources[0].Args, line)
	}
	_, err := Load(file(t, "# argv run\n"+row))
	assert.ErrorContains(t, err, `:1: invalid arguments "run" (use a JSON array of strings`)
}

func TestCommandText(t *testing.T) {
	assert.Equal(t, "go run ./cmd/bench", CommandText())
	assert.Equal(t, `go run ./cmd/bench run --filter='.name:Hold /n:1k' 'a b'`,
		CommandText("run", "--filter=.name:Hold /n:1k", "a b"))
}
