package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Exact counts are made again without times, for workloads whose operations are still the same.
func TestReproduceCounts(t *testing.T) {
	first := measured(t, "-n 100,1k -T 100 -M 64 --rounds 1 --schemes tree,hashunsorted")
	text := read(t, first)
	out := succeeds(t, "reproduce", "--counts", first)
	var same, counts, cells int
	_, err := fmt.Sscanf(out, "%d of %d counts of %d cells are identical.\n", &same, &counts, &cells)
	require.NoError(t, err)
	assert.Equal(t, counts, same)
	assert.NotContains(t, out, "left out")

	other := regexp.MustCompile(`(?m)^(# stream Lifetime/n=100/.*) \w+$`).ReplaceAllString(text, "$1 0000000000000001")
	other = regexp.MustCompile(`(BenchmarkLifetime/scheme=tree/n=1k/.*\t)\S+( compares/op)`).ReplaceAllString(other, "${1}7.5$2")
	put(t, first, other)
	out, errOut := exits(t, exitFailure, "reproduce", "--counts", first)
	assert.Regexp(t, `(?m)^Lifetime/scheme=tree/n=1k/\S+: 7.5 compares/op, now \S+$`, out)
	assert.Regexp(t, `(?m)^\d+ of \d+ counts of `+strconv.Itoa(cells-3)+` cells are identical.\n3 cells left out: `, out)
	assert.Contains(t, errOut, "1 count not the same")

	none := regexp.MustCompile(`\t\S+ (\w+/op|most-\w+)(\t.*)?\n`).ReplaceAllString(text, "\t1 ns/op\n")
	put(t, first, none)
	refuses(t, exitUsage, "no cell has exact counts", "reproduce", "--counts", first)
	for command, want := range map[string]string{ // the last would call itself for ever
		`["peers"]`: "peers has no plan of rounds", `["lab","--out=x"]`: "does not measure", `["run","--resume=x"]`: "unknown flag: --resume",
		`["run","--help"]`: "unknown flag: --help", `["run","-h"]`: "unknown flag: --help", `["run","-n","1","more"]`: `unexpected argument "more"`,
		`["reproduce","` + first + `"]`: "does not measure",
	} {
		put(t, first, regexp.MustCompile(`# argv .*`).ReplaceAllString(text, "# argv "+command))
		refuses(t, exitUsage, want, "reproduce", "--counts", first)
		if !strings.HasPrefix(command, `["peers`) {
			refuses(t, exitUsage, want, "reproduce", first)
		}
	}
}

// A run is measured again by its recorded command, in as many rounds as its file has, not as its command had.
func TestReproduce(t *testing.T) {
	if testing.Short() {
		t.Skip("measures six rounds twice")
	}
	again := filepath.Join(t.TempDir(), "again[1]")
	require.NoError(t, os.Mkdir(again, 0o755))
	put(t, filepath.Join(again, "run-29990101T000000Z.txt"), read(t, quietRuns[0])) // which is not the file to compare with
	first := measured(t, "-n 100 -T 100 -M 64 --rounds 1 --schemes tree,hashunsorted")
	out, errOut := exits(t, exitRegression, "reproduce", first, "--out", t.TempDir())
	assert.Contains(t, out, "exact counts are identical; no time could be compared: a cell needs 6 rounds")
	assert.Contains(t, errOut, "no verdict: no time could be compared")

	succeeds(t, "run", "--resume", first, "--rounds", "6")
	out, errOut = exits(t, 0, "reproduce", first, "--out", again)
	assert.Contains(t, errOut, "measured again into "+again+", by the same code")
	assert.Contains(t, errOut, "reproduce.md and differ.csv are in "+again)
	assert.Contains(t, out, "exact counts are identical. Second medians in the first interval: ")
	assert.True(t, strings.HasPrefix(read(t, filepath.Join(again, "differ.csv")), "# Made by timerlab; do not edit. Cells whose"))
	page := read(t, filepath.Join(again, "reproduce.md"))
	command := regexp.MustCompile("\n    go run ./cmd/bench reproduce (.*) '(.*)' --out '(.*)'\n").FindStringSubmatch(page)
	require.Len(t, command, 4, page)
	assert.Equal(t, []string{first, again}, []string{command[1], command[3]})
	assert.Equal(t, samplesOf(t, first), samplesOf(t, command[2]), "the same cells and rounds")

	compared := succeeds(t, "reproduce", first, command[2])
	assert.Equal(t, out, compared)

	// The same file, of another code.
	other := fileOf(t, strings.ReplaceAll(read(t, first), "driver=", "driver=0"))
	_, _, errOut = bench(t, "reproduce", other, "--rounds", "1", "--out", t.TempDir())
	assert.Contains(t, errOut, ", by OTHER CODE, changed since: driver")

	// Cells of services may have no ns/op: they have rounds all the same.
	none := fileOf(t, strings.NewReplacer(" ns/op", " cpu-ns/op", "assume=exact ", "").Replace(read(t, first)))
	exits(t, exitRegression, "reproduce", none, "--out", t.TempDir())
}
