package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/gate"
	"timerlab/harness/reproduce"
	"timerlab/harness/results"
)

func TestCheckPage(t *testing.T) {
	passed := &gate.Result{Cells: 3, Counts: 2, Added: []string{"Start/scheme=heap"}, OtherText: 7}
	assert.Equal(t, "Passed. Compared: 2 exact counts and 0 times of 3 cells. Not checked, as the base does not have them: 1. "+
		"Lines of other text, skipped: 7.", CheckPage(passed, "").Findings)
	failed := &gate.Result{Faults: []gate.Fault{{Kind: gate.Incomplete, Why: "raw.txt: interrupted"}}}
	assert.Equal(t, "Failed: 1 incomplete. Compared: 0 exact counts and 0 times of 0 cells.", CheckPage(failed, "").Findings)
}

// A machine that is not quiet gets its page too.
func TestDoctorPage(t *testing.T) {
	d := gate.Diagnosis{Resolution: 0.0733, Rounds: 7, Needed: 6, WallOver: 1.5, Loop: 0.2, Promise: results.Promise{Pairs: 8, Level: 0.984375}}
	assert.Equal(t, "With 7 rounds this machine decides a difference of 7.33 % in 80 of 100 cells whose runs are long; for 10 % it needs 6 rounds.",
		DoctorPage(d, "powersave", "", "").Findings)
	d.Needed = 0
	assert.Contains(t, DoctorPage(d, "powersave", "", "").Findings, "for 10 % it needs more than 100 rounds.")
	var out strings.Builder
	require.NoError(t, DoctorPage(d, "powersave", "", "").Write(&out, Text))
	assert.Regexp(t, `(?s)exclude 1 .*0 of 8 .*lets 1.56 % do so.*CPU time .*1.50 .*other programs.*frequency governor.*set it to performance.*steal time`, out.String())
}

func TestReproductionPage(t *testing.T) {
	estimate := func(median float64) results.Estimate {
		return results.Estimate{Median: median, Lo: median - 1, Hi: median + 1, N: 6}
	}
	r := &reproduce.Reproduction{Incomplete: []string{"a.txt: interrupted"}, Counts: 3, OneSided: 1, Agreements: []reproduce.Agreement{{
		Value: "times", Cells: 2, Inside: 1, Expected: 0.9, Factor: 2,
		Apart: []reproduce.Pair{{Cell: "Start/scheme=tree", First: estimate(10), Second: estimate(20)}},
	}}}
	assert.Equal(t, "All 3 exact counts are identical. Second medians in the first interval: 50 % of 2 times; 90 % are expected. "+
		"Cells of one run only: 1.", ReproductionPage(r, "").Findings)
	assert.Equal(t, []string{"**Incomplete**: a.txt: interrupted."}, ReproductionPage(r, "").Warnings)
	var differ strings.Builder
	require.NoError(t, ReproductionPage(r, "").Lists[0].WriteCSV(&differ))
	assert.Contains(t, differ.String(), "times,Start/scheme=tree,10,")
	r.Differing, r.Others, r.Agreements = 1, 4, nil
	assert.Contains(t, ReproductionPage(r, "").Findings, "1 of 3 exact counts differ, so the code does; no time could be compared")
	assert.Contains(t, ReproductionPage(r, "").Findings, "not compared: 4.")
}
