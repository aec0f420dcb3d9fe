package main

import (
	"encoding/csv"
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

var lifetimeOfSeven = regexp.MustCompile(`(?m)^(BenchmarkLifetime/scheme=hierarchical/.*\t)[\d.]+ ns/op`)

// What a gate returns with times and without, for a copy of the second quiet run that is altered.
func TestCheckOfAlteredFiles(t *testing.T) {
	for _, test := range []struct {
		says        string
		alter       func(text string) string
		with, plain int
	}{
		{"slower", func(text string) string { return lifetimeOfSeven.ReplaceAllString(text, "${1}33.3 ns/op") }, exitRegression, 0},
		{"counts are exact", func(text string) string {
			return strings.ReplaceAll(text, "\t2 links/op", "\t2.000002 links/op")
		}, exitRegression, exitRegression},
		{"no benchmark results", func(string) string { return "" }, exitFailure, exitFailure},
	} {
		path := fileOf(t, test.alter(read(t, quietRuns[1])))
		out, errOut := exits(t, test.with, "check", "--base", quietRuns[0], path, "--time", "10%")
		assert.Contains(t, out+errOut, test.says)
		exits(t, test.plain, "check", "--base", quietRuns[0], path)
	}
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
