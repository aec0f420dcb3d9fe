package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"

	"timerlab/harness/claims"
)

func TestClaims(t *testing.T) {
	code, out, errOut := bench(t, "claims")
	require.Zero(t, code, errOut)
	for _, c := range claims.All {
		assert.Regexp(t, `(?m)^`+c.ID+` .*`+string(verdictOf[c.ID]), out)
		assert.Contains(t, out, c.Sentence)
	}
	assert.Contains(t, out, "→ instead: earliest first, a min-heap")
	assert.Contains(t, out, "→ measured: the most of a tick: visits, hashunsorted, all in one slot, n = 2000, T = 2048, M = 256; predicted: n (1 of 3)")
	assert.Contains(t, out, "→ missing: times: give raw files")
	assert.Contains(t, out, "Of 4 claims of the paper, 3 hold; refuted here: 0; undecided: 1. Judged: 3 exactly, 1 by time.")
	assert.Contains(t, out, "Of 1 claims of later books and articles, 0 hold; refuted here: 1; undecided: 0. Judged: 1 by argument.")
	assert.Contains(t, out, "not judged: B-2, B-5, B-6, B-8, B-9: what BSD's kernels did before and since")
}

var verdictOf = map[string]claims.Verdict{
	"S2-4": claims.Holds, "H-8": claims.Holds, "A-3x": claims.Holds, "V-1": claims.Holds, "Z-1": claims.Fails, "R-6": claims.Undecided,
}

func TestClaimByID(t *testing.T) {
	code, out, errOut := bench(t, "claims", "--id", "h-8,Z-1")
	require.Zero(t, code, errOut)
	for _, want := range []string{
		"H-8  HOLDS", "source: section 6.1.2", "ticks on an occupied slot per tick, hashunsorted, all in one slot", "1. exact",
		"BenchmarkCount/scheme=hashunsorted/n=2k/M=256/T=2048/dist=const/stop=0/every=256", "visits/op",
		"Z-1  FAILS", "instead: earliest first",
	} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, "V-1")
}

func TestClaimsAsJSON(t *testing.T) {
	code, out, errOut := bench(t, "claims", "--format", "json")
	require.Zero(t, code, errOut)
	var doc struct {
		Version int
		Claims  []struct {
			ID, Verdict, Claim string
			Comparisons        []struct {
				What, Relation, Tolerance, Verdict string
				Predicted, Measured, Low, High     *float64
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	assert.Equal(t, report.JSONVersion, doc.Version)
	require.Len(t, doc.Claims, len(claims.All))
	for _, c := range doc.Claims {
		assert.Equal(t, string(verdictOf[c.ID]), c.Verdict, c.ID)
		for _, p := range c.Comparisons {
			assert.NotNil(t, p.Measured, "%s: %s", c.ID, p.What)
			assert.NotEmpty(t, p.Tolerance, "%s: %s", c.ID, p.What)
		}
	}
}

func TestClaimsBadUsage(t *testing.T) {
	code, out, errOut := bench(t, "claims", "--id", "H-99")
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Contains(t, errOut, `unknown claim "H-99" (did you mean `)
	assert.Equal(t, 1, strings.Count(errOut, "\n"))
	code, _, errOut = bench(t, "claims", filepath.Join(t.TempDir(), "none.txt"))
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, errOut, "none.txt")
}
