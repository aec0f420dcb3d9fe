package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quietRuns are two runs of the same code, one after the other.
var quietRuns = [2]string{
	filepath.Join(repository, "harness/gate/testdata/quiet-1.txt"),
	filepath.Join(repository, "harness/gate/testdata/quiet-2.txt"),
}

// altered writes a copy of the second quiet run, altered, and returns its path.
func altered(t *testing.T, alter func(text string) string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new.txt")
	require.NoError(t, os.WriteFile(path, []byte(alter(read(t, quietRuns[1]))), 0o644))
	return path
}

// lines applies f to the lines that begin so.
func lines(prefix string, f func(line string) string) func(string) string {
	return func(text string) string {
		var out strings.Builder
		for l := range strings.Lines(text) {
			if strings.HasPrefix(l, prefix) {
				l = f(l)
			}
			out.WriteString(l)
		}
		return out.String()
	}
}

const lifetimeOfSeven = "BenchmarkLifetime/scheme=hierarchical/"

var nanos = regexp.MustCompile(`\t[\d.]+ ns/op`)

func replaced(from, to string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, from, to) }
}

// alterations are what somebody does to a file by hand, and what the gate returns: with
// times, and without.
var alterations = []struct {
	name        string
	alter       func(string) string
	with, plain int
	says        string
}{
	{"nothing", replaced("", ""), 0, 0, "Passed"},
	{"a cell that is a fifth slower", lines(lifetimeOfSeven, func(l string) string { return nanos.ReplaceAllString(l, "\t33.3 ns/op") }),
		exitRegression, 0, "slower"},
	{"a count that is a millionth more", lines(lifetimeOfSeven, replaced("\t2 links/op", "\t2.000002 links/op")), exitRegression,
		exitRegression, "counts are exact"},
	{"a count in one round", func(text string) string {
		return strings.Replace(text, "\t2 links/op", "\t2.1 links/op", 1)
	}, exitFailure, exitFailure, "exact counts must agree"},
	{"a missing cell", lines(lifetimeOfSeven, replaced(lifetimeOfSeven, "# ")), exitRegression, exitRegression,
		"not measured"},
	{"another host", replaced("cores: 2", "cores: 96"), exitRegression, 0, "cores is 2 in the base and 96 here"},
	{"empty", func(string) string { return "" }, exitFailure, exitFailure, "no benchmark results"},
}

func TestCheckOfAlteredFiles(t *testing.T) {
	for _, test := range alterations {
		t.Run(test.name, func(t *testing.T) {
			path := altered(t, test.alter)
			code, out, errOut := bench(t, "check", "--base", quietRuns[0], path, "--time", "10%")
			assert.Equal(t, test.with, code, errOut)
			assert.Regexp(t, test.says, out+errOut)
			code, _, errOut = bench(t, "check", "--base", quietRuns[0], path)
			assert.Equal(t, test.plain, code, errOut)
		})
	}
}

// In a format for programs, why findings may not hold is on standard error too.
func TestWarningsOnStandardError(t *testing.T) {
	now := altered(t, replaced("go: go1", "go: go0"))
	for _, format := range []string{"json", "csv"} {
		code, _, errOut := bench(t, "check", "--base", quietRuns[0], now, "--time", "10%", "--format", format)
		assert.Zero(t, code, errOut)
		assert.Contains(t, errOut, "warning: Other compiler: ")
		code, out, errOut := bench(t, "report", quietRuns[0], "--out", t.TempDir(), "--format", format)
		require.Zero(t, code, errOut)
		assert.Contains(t, errOut, "warning: Stale: ")
		if format == "csv" {
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			require.NoError(t, err, "all rows have as many columns")
			assert.Equal(t, []string{"section", "table", "row", "column", "value", "low", "high"}, rows[0])
			assert.Greater(t, len(rows), 20)
		}
	}
}
