package peers

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
)

// What Peers says of a peer is what go.mod says.
func TestSources(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	for _, p := range Peers {
		if module, version, ok := strings.Cut(p.Source, "@"); ok {
			assert.Contains(t, string(mod), "\t"+module+" "+version+"\n")
		} else {
			assert.Regexp(t, "^(ours|std .*)$", p.Source)
		}
	}
}

// Names are unique, also among the schemes of the registry.
func TestNames(t *testing.T) {
	seen := map[string]bool{"null": true}
	for _, info := range harness.Schemes {
		seen[info.Name] = true
	}
	for _, p := range append([]*Peer{bubbleNull}, Peers...) {
		assert.False(t, seen[p.Info.Name], p.Info.Name)
		seen[p.Info.Name] = true
		assert.NotEmpty(t, p.Settings)
		assert.Contains(t, p.Info.Doc, p.Source)
		assert.Equal(t, p.Tick > 0, strings.Contains(p.Info.Doc, "real clock"), p.Info.Name)
	}
}
