package main

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
)

func TestReportFolders(t *testing.T) {
	parent := t.TempDir()
	for i, name := range []string{"one", "two"} {
		require.NoError(t, os.Mkdir(filepath.Join(parent, name), 0o755))
		raw := filepath.Join(parent, name, "bench-20260102T030405Z.txt")
		put(t, raw, read(t, quietRuns[i]))
	}
	out := succeeds(t, "report", filepath.Join(parent, "one")+"/", filepath.Join(parent, "two")+"/")
	assert.Contains(t, out, "Counts are the same on all machines: all 23 ")
	page := read(t, filepath.Join(parent, "README.md"))
	assert.Contains(t, page, "[two](two/README.md)")
	assert.Contains(t, page, "report "+filepath.Join(parent, "one")+"/ ")

	t.Chdir(parent)
	require.NoError(t, os.MkdirAll(defaultOut, 0o755))
	_, errOut := exits(t, exitUsage, "report", defaultOut+"/")
	assert.Contains(t, errOut, "its results are not kept")
}

// The page of a file of run goes into a folder of its own beside it, and leaves the main job's, whatever the names.
func TestReportLeavesThePageOfTheMainJob(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "two words")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for _, name := range []string{"run-1.txt", "bench-1.txt"} {
		put(t, filepath.Join(dir, name), read(t, quietRuns[0]))
	}
	page := filepath.Join(dir, "README.md")
	const mine = "of the main job\n\nMade by the command below; do not edit.\n"
	put(t, page, mine)
	out := succeeds(t, "report", filepath.Join(dir, "run-1.txt"))
	assert.Equal(t, mine, read(t, page))
	own := read(t, filepath.Join(dir, "run-1-page", "README.md"))
	assert.Contains(t, out, filepath.Join("run-1-page", "README.md"))
	assert.Contains(t, own, "'"+filepath.Join(dir, "run-1.txt")+"' --out", "quoted for a shell")
	containsAll(t, own, "[run-1.txt](../run-1.txt)", "[schemes.csv](schemes.csv)")

	assert.NotContains(t, out, "\nNext: ")
	assert.Contains(t, succeeds(t, "report", filepath.Join(dir, "bench-1.txt")), "\nNext: go run ./cmd/bench pick ")
	assert.Contains(t, read(t, page), "# Results")
	raw := filepath.Join(repository, fixture, "bench-1.txt")
	open, err := loadRaws(raw)
	require.NoError(t, err)
	assert.Contains(t, nextStep(report.NewStudy(open), []string{raw}), "1 zone not decided: go run ./cmd/bench --resume "+raw+" --rounds 12 ")
}

// Why findings may not hold is in no table, so with CSV it is on standard error.
func TestWarningsOnStandardError(t *testing.T) {
	out, errOut := exits(t, 0, "report", quietRuns[0], "--out", t.TempDir(), "--format", "csv")
	assert.Contains(t, errOut, "warning: Stale: ")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	require.NoError(t, err, "all rows have as many columns")
	assert.Equal(t, []string{"operation", "subject", "n"}, rows[0][:3])
	assert.Greater(t, len(rows), 20)
}

// fixture has a raw file of each kind, with the pages that .ci/redraw draws from them. .ci/fixture measures it again.
const fixture = "harness/testdata/results/machine"

// keptResults has the results of the present code.
const keptResults = "results/amd-epyc-zen5-2core"

// Raw files still make the pages that are kept with them. To accept what a change makes of them: .ci/redraw with the
// folder of each.
func TestPagesAreDrawnAsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("judges all claims")
	}
	for _, folder := range []string{fixture, keptResults} {
		draw := exec.Command("bash", "-ec", `# in another folder, by the same paths
			root=$PWD results=$(dirname "$2")
			mkdir -p "$1/harness/testdata" && cd "$1"
			cp -r "$root/$results" "$results" && rm -rf results/local && ln -s "$root/harness/peers" harness
			"$root/.ci/redraw" "$2" && diff -r -x local "$root/$results" "$results"`, "bash", t.TempDir(), folder)
		draw.Dir = repository
		out, err := draw.CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}
