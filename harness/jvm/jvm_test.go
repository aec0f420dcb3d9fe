package jvm

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

var line = regexp.MustCompile(`^(Benchmark\S+ \d+( -?[\d.]+ \S+)+|[a-z]+: .+)$`)

// The program compiles without a warning and measures every timer on every operation, here a
// small one.
func TestPrograms(t *testing.T) {
	_, noJavac := exec.LookPath("javac")
	if _, err := os.Stat(nettyJar); noJavac != nil || err != nil {
		t.Skip("needs javac and Debian's libnetty-java")
	}
	for _, p := range []Program{Peers, Services} {
		t.Run(p.operations, func(t *testing.T) {
			t.Parallel()
			out, err := p.output(t.Context(), "--quick")
			require.NoError(t, err)
			for text := range strings.Lines(out) {
				assert.Regexp(t, line, strings.TrimSuffix(text, "\n"))
			}
			made := map[[2]string]bool{}
			for _, r := range results.ParseResults([]byte(out)) {
				k := results.ParseKey(r.Name)
				made[[2]string{k.Op, k.Scheme + k.Facility}] = true
			}
			for _, name := range p.Cells(func(string) bool { return true }) {
				k := results.ParseKey(name)
				assert.True(t, made[[2]string{k.Op, k.Scheme + k.Facility}], name)
			}
		})
	}
}

// The k-th sample of a cell is of round k. What is done or not asked for is left out, and cells that cannot be measured
// are skipped.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, nil)
	require.NoError(t, err)
	names := Peers.Cells(regexp.MustCompile("^Hold/scheme=netty").MatchString)
	require.Len(t, names, 2)
	out := "java: 17\nBenchmark" + names[0] + " 5 100 ns/op\nBenchmark" + names[0] + " 5 101 ns/op\nBenchmarkHold/scheme=other 5 1 ns/op\n"
	require.NoError(t, enter(out, names, raw, func(_ string, round int) bool { return round == 0 }))
	t.Setenv("PATH", "")
	require.NoError(t, Peers.Run(t.Context(), names[1:], raw, nil, nil))
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	require.Equal(t, []results.Key{results.ParseKey(names[0])}, table.Keys)
	assert.Equal(t, map[int]float64{1: 101}, table.ByRound(table.Keys[0], "ns/op"))
	require.Len(t, table.Missing, 1)
	assert.Contains(t, table.Missing[0].Why, "no javac: ")
}
