package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab"
	"timerlab/harness/claims"
)

// The embedded source has every file that is compiled, in folders of later times too.
func TestSourceIsComplete(t *testing.T) {
	for _, folder := range []string{"schemes", "systems", "harness/run", "harness/drive"} {
		files := 0
		err := fs.WalkDir(os.DirFS(repository), folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			_, err = timerlab.Source.Open(name)
			assert.NoError(t, err, "%s is not embedded", name)
			files++
			return nil
		})
		require.NoError(t, err)
		assert.NotZero(t, files)
	}
}

// The code is known wherever the program runs, the peers' within the repository alone. Peers that cannot be read are an
// error before something is measured, and unknown to a page.
func TestPresentCode(t *testing.T) {
	here, err := presentCode()
	require.NoError(t, err)
	assert.Len(t, here, 5)
	machine, err := thisMachine()
	require.NoError(t, err)
	assert.Contains(t, machine, [2]string{"claims", claims.Digest()})
	dir := t.TempDir()
	t.Chdir(dir)
	elsewhere, err := presentCode()
	require.NoError(t, err)
	delete(here, "peers")
	assert.Equal(t, here, elsewhere)

	peers := filepath.Join(dir, "harness", "peers")
	require.NoError(t, os.MkdirAll(peers, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(peers, "go.mod"), nil, 0o644))
	put(t, filepath.Join(peers, "peers.go"), "package peers\nvar x = `")
	_, err = thisMachine()
	assert.ErrorContains(t, err, "peers.go:2")
}
