package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// folder makes a folder of results.
func folder(t *testing.T, name string, files map[string]raw) Folder {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Mkdir(dir, 0o755))
	for file, r := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(r.text()), 0o644))
	}
	f, err := LoadFolder(dir)
	require.NoError(t, err)
	return f
}

func machinesText(t *testing.T, present results.Code, folders ...Folder) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, MachinesPage(folders, present, "made").Write(&out, report.Text))
	return out.String()
}

const benchFile, peersFile = "bench-20260102T030405Z.txt", "peers-20260103T030405Z.txt"

func TestMachinesPage(t *testing.T) {
	coded := good()
	coded.machine = "code: driver=11 schemes=22\ncommit: abc\n"
	held := raw{rounds: 6, machine: coded.machine, cells: []rawCell{
		{"Hold/scheme=valueheap/n=1M/T=10k", 300, ""}, {"Hold/scheme=hierarchical/n=1M/T=10k", 150, ""},
	}}
	first := folder(t, "first", map[string]raw{benchFile: coded, peersFile: held})
	same := folder(t, "same", map[string]raw{benchFile: coded.without(heap)})
	other := folder(t, "other", map[string]raw{benchFile: coded.with(wheel, func(c *rawCell) { c.rest = "\t3 visits/op" })})

	now := results.Code{"driver": "11", "schemes": "22"}
	text := machinesText(t, now, first, same, other)
	assert.Contains(t, text, "0 of 3 folders")
	assert.Contains(t, text, "Counts that differ: 1.")
	assert.Contains(t, text, "2026-01-02, 2026-01-03")
	assert.Contains(t, text, "abc")
	assert.Regexp(t, `counts identical +compared with +yes, all 2 +no: 1 of 2 differ`, text)
	assert.Regexp(t, `other +Start/scheme=wheel/n=1k +visits/op +3 +2`, text)
	assert.Regexp(t, `heap over hierarchical, n = 1M, T = 10k +(1.99|2.00) \(1.9\d to 2.0\d\) +- +-`, text)

	coded.machine = "code: driver=11 schemes=44\n"
	older := folder(t, "older", map[string]raw{benchFile: coded.with(wheel, func(c *rawCell) { c.rest = "\t3 visits/op" })})
	assert.Contains(t, machinesText(t, now, first, older), "Counts that differ: 1, which were not counted by the same code.")

	streamed := func(hash string) raw {
		r := coded.with(wheel, func(c *rawCell) { c.rest = "\t" + hash + " visits/op" })
		r.machine = "code: driver=11 schemes=22\n# stream Operations/n=1k " + hash + "\n"
		return r
	}
	short, long := folder(t, "short", map[string]raw{benchFile: streamed("3")}), folder(t, "long", map[string]raw{benchFile: streamed("4")})
	assert.Contains(t, machinesText(t, now, short, long), "Counts are the same on all machines.", "other operations have other counts")

	now["schemes"] = "33"
	assert.Contains(t, machinesText(t, now, first, same), "2 of 2 folders were measured with older code")
	assert.Contains(t, machinesText(t, now, first), "stale: changed since: schemes")
	assert.Contains(t, machinesText(t, now, folder(t, "old", map[string]raw{benchFile: good()})), "code not recorded")
}

// Peers that are older than the rest of their folder are not called fresh.
func TestMachinesPageOfStalePeers(t *testing.T) {
	coded := good()
	coded.machine = "code: schemes=22\n"
	f := folder(t, "mixed", map[string]raw{benchFile: coded, peersFile: {rounds: 6, cells: []rawCell{
		{"Hold/scheme=valueheap/n=1M/T=10k", 300, ""},
	}}})
	assert.Contains(t, machinesText(t, results.Code{"schemes": "22"}, f), "fresh; peers stale: code not recorded")
}

func TestLoadFolderRefuses(t *testing.T) {
	_, err := LoadFolder(t.TempDir())
	assert.ErrorIs(t, err, os.ErrNotExist)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, benchFile), []byte(good().text()), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, peersFile), []byte("BenchmarkHold/n=1"), 0o644))
	_, err = LoadFolder(dir)
	assert.ErrorContains(t, err, peersFile)
}
