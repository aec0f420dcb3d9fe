package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/report"
)

func TestClaims(t *testing.T) {
	out := succeeds(t, "claims")
	for _, c := range claims.All {
		assert.Regexp(t, `(?m)^`+c.ID+` .*`+string(verdictOf[c.ID]), out)
		assert.Contains(t, out, c.Sentence)
	}
	containsAll(t, out, "→ instead: 1/2 if exponential",
		"→ measured: timers passed by STARTs per timer that STARTs find, ordered-rear, n = 200, T = 1000, const (1 of 3)",
		"→ missing: times: give raw files",
		"Of 3 claims of the paper, 1 hold; refuted here: 1; undecided: 0; not measured: 1. Judged: 2 exactly, 1 by time.",
		"Of 1 claim of later books and articles, 0 hold; refuted here: 0; undecided: 0; not measured: 1. Judged: 1 by time.")

	out = succeeds(t, "claims", "--id", "a-3x,S2-2")
	containsAll(t, out,
		"A-3x  HOLDS", "source: derived", "ticks on an occupied slot per tick, hashunsorted, all in one slot", "slack: T is finite",
		"S2-2  FAILS", "instead: 1/2 if exponential")
	assert.NotContains(t, out, "B-4")
}

var verdictOf = map[string]claims.Verdict{
	"S2-2": claims.Fails, "S2-4": claims.Holds, "A-3x": claims.Holds, "B-4": claims.NotMeasured, "R-6": claims.NotMeasured,
}

func TestClaimsAsJSON(t *testing.T) {
	var doc struct {
		Version int
		Claims  []struct {
			ID          string
			Verdict     claims.Verdict
			Comparisons []struct {
				Tolerance string
				Measured  *float64
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(succeeds(t, "claims", "--format", "json")), &doc))
	assert.Equal(t, report.JSONVersion, doc.Version)
	require.Len(t, doc.Claims, len(claims.All))
	for _, c := range doc.Claims {
		assert.Equal(t, verdictOf[c.ID], c.Verdict, c.ID)
		for _, p := range c.Comparisons {
			assert.True(t, p.Measured != nil && p.Tolerance != "", c.ID)
		}
	}
}
