package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Bencher reads a value with its bounds for each benchmark and measure.
func TestExportBMF(t *testing.T) {
	code, out, errOut := bench(t, "export", quietRuns[0], "--format", "bmf")
	require.Zero(t, code, errOut)
	var all map[string]map[string]map[string]float64
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	assert.Len(t, all, 23, "every benchmark of the file")
	for name, measures := range all {
		for measure, m := range measures {
			assert.Contains(t, m, "value", name)
			for key := range m {
				assert.Contains(t, []string{"value", "lower_value", "upper_value"}, key)
			}
			assert.LessOrEqual(t, m["lower_value"], m["value"], "%s %s", name, measure)
			assert.Regexp(t, `^[a-z0-9-]{1,64}$`, measure, "a slug of Bencher")
		}
	}
	seven := all["Lifetime/scheme=hierarchical/n=1k/M=4096/m=2048x2048/T=1k/dist=exp/stop=0"]
	assert.Contains(t, seven, "latency")
	assert.Equal(t, 2.0, seven["links-per-op"]["value"])
}

// The page needs no other file, and what a raw file says is text.
func TestExportHTML(t *testing.T) {
	hostile := altered(t, replaced("ldflags: none", "ldflags: <script>alert(1)</script>"))
	path := filepath.Join(t.TempDir(), "page.html")
	code, out, errOut := bench(t, "export", hostile, "--format", "html", "--out", path)
	require.Zero(t, code, errOut)
	assert.Empty(t, out)
	page := read(t, path)
	assert.NotRegexp(t, regexp.MustCompile(`(?i)(src|href)="(http|//|figures)|@import|url\(|<link`), page)
	assert.Equal(t, 1, strings.Count(page, "<script>"))
	assert.Contains(t, page, "&lt;script&gt;alert(1)")
	assert.Contains(t, page, "data-number=")
	assert.NotContains(t, page, "ZgotmplZ", "what html/template writes for what it cannot place")

	if testing.Short() {
		return // 24 figures take some seconds
	}
	code, out, _ = bench(t, "export", filepath.Join(repository, "results/amd-epyc-zen4-2core/bench-20261121T061308Z.txt"),
		"--format", "html")
	require.Zero(t, code)
	assert.Contains(t, out, "<svg ")
	assert.NotContains(t, out, "<?xml")
}

func TestExportOfEveryKind(t *testing.T) {
	for _, kind := range []string{"peers", "systems"} {
		raws, err := filepath.Glob(filepath.Join(repository, "results/*", kind+"-*.txt"))
		require.NoError(t, err)
		code, out, errOut := bench(t, append([]string{"export", "--format", "html"}, raws...)...)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "</html>")
	}
}

// A file that cannot be written leaves what was there.
func TestExportKeepsAnOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	code, _, _ := bench(t, "export", quietRuns[0], "--format", "html", "--out", filepath.Join(path, "below"))
	assert.Equal(t, exitFailure, code)
	assert.Equal(t, "old", read(t, path))
}
