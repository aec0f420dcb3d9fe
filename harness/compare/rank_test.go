package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

func ranked(t *testing.T, r raw, filter string) []Ranking {
	t.Helper()
	all, err := Rank(r.table(t), filter, results.NsPerOp)
	require.NoError(t, err)
	return all
}

// a is best at n = 1k by 4 times, b at n = 2k by 9 times: the means are 3 and 2.
func contested() raw {
	return raw{rounds: 8, cells: []rawCell{
		{"Start/scheme=a/n=1k", 10, ""}, {"Start/scheme=b/n=1k", 40, ""},
		{"Start/scheme=a/n=2k", 90, ""}, {"Start/scheme=b/n=2k", 10, ""},
		{"Start/scheme=a-again/n=1k", 1, ""}, {"Start/scheme=null/n=1k", 1, ""}, {"Start/scheme=lean/n=1k", 1, ""}, {"Spin", 1, ""},
	}}
}

func TestRank(t *testing.T) {
	all := ranked(t, contested(), "*")
	require.Len(t, all, 1)
	r := all[0]
	assert.Equal(t, 2, r.Cells)
	require.Len(t, r.Rows, 2, "without controls")
	assert.Equal(t, "b", r.Rows[0].Subject)
	assert.InDelta(t, 2, r.Rows[0].Mean.Median, 0.03)
	assert.InDelta(t, 3, r.Rows[1].Mean.Median, 0.03)
	for _, row := range r.Rows {
		assert.LessOrEqual(t, row.Mean.Lo, row.Mean.Median)
		assert.GreaterOrEqual(t, row.Mean.Hi, row.Mean.Median)
		assert.True(t, row.Mean.Bounded())
		assert.Equal(t, 1, row.Best)
	}
	assert.Equal(t, all, ranked(t, contested(), "*"), "the seed is fixed")
}

// A start and a tick are never pooled, and a cell that one subject lacks does not count.
func TestRankKeepsOperationsApart(t *testing.T) {
	r := contested()
	r.cells = append(r.cells, rawCell{"PerTick/scheme=a/n=1k", 10, ""}, rawCell{"PerTick/scheme=b/n=1k", 20, ""},
		rawCell{"PerTick/scheme=b/n=2k", 1, ""})
	all := ranked(t, r, "*")
	require.Len(t, all, 2)
	assert.Equal(t, "PerTick", all[1].Op)
	assert.Equal(t, 1, all[1].Cells)
	assert.Equal(t, "a", all[1].Rows[0].Subject)
	assert.Equal(t, 2, all[1].Rows[1].Has)
}

func TestRankWithoutSharedCells(t *testing.T) {
	r := raw{rounds: 6, cells: []rawCell{{"Start/scheme=a/n=1k", 10, ""}, {"Start/scheme=b/n=2k", 40, ""}}}
	all := ranked(t, r, "*")
	assert.Zero(t, all[0].Cells)
	var out strings.Builder
	require.NoError(t, RankPage(all, results.NsPerOp, "", nil).Write(&out, report.Text))
	assert.Contains(t, out.String(), "no cell has all of a; b")
	assert.Equal(t, 1, ranked(t, r, "/scheme:a")[0].Cells)
}

// Levels and, where some have none, M belong to the subject.
func TestRankNamesSubjects(t *testing.T) {
	r := raw{rounds: 6, cells: []rawCell{
		{"Hold/scheme=wheel/n=1k/M=4096/m=64x64", 10, ""}, {"Hold/scheme=wheel/n=1k/M=4096/m=16x16x16", 12, ""},
		{"Hold/scheme=heap/n=1k", 40, ""},
	}}
	var names []string
	for _, row := range ranked(t, r, "*")[0].Rows {
		names = append(names, row.Subject)
	}
	assert.Equal(t, []string{"wheel, m = 2, M = 4096", "wheel, m = 3, M = 4096", "heap"}, names)
}

func TestRankBelowSixRoundsHasNoInterval(t *testing.T) {
	r := contested()
	r.rounds = 5
	row := ranked(t, r, "*")[0].Rows[0]
	assert.False(t, row.Mean.Bounded())
	assert.InDelta(t, 2, row.Mean.Median, 0.03)
}

func TestRankRefuses(t *testing.T) {
	var bad *QueryError
	_, err := Rank(contested().table(t), ".name:Nosuch", results.NsPerOp)
	assert.ErrorAs(t, err, &bad)
	_, err = Rank(contested().table(t), "*", "visits/op")
	assert.ErrorAs(t, err, &bad)
	zero := good().with(heap, func(c *rawCell) { c.rest = "\t0 B/op" })
	_, err = Rank(zero.table(t), "*", "B/op")
	assert.ErrorContains(t, err, "ratios need values above 0")
}
