package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

var throughputUnits = []string{"ns/op", "cpu-ns/op"}

// unitsOf are the units of the operations.
var unitsOf = map[string][]string{
	"StartStop": throughputUnits, "Replace": throughputUnits, "Reset": throughputUnits,
	"Memory":      {"B/timer", "gc-cpu-ns"},
	"Late":        {"late-p50-ns", "late-p99-ns", "late-p99.9-ns"},
	"Idle":        {"cpu-ns/s", "wakeups/s"},
	"Hold":        {"start-p50-ns", "start-p99-ns"},
	"Lifetime":    {"ns/op"},
	"Sparse":      {"cpu-ns/timer"},
	"Connections": {"cpu-ns/s", "wakeups/s"},
}

// tableWith loads a raw file of all cells. In it every value of sharded is 100, but for its wake-ups; the others are
// larger by a factor, but for some.
func tableWith(t *testing.T, rounds int, factor float64) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, results.Machine{{"cpu", "a machine"}}, "the", "command")
	require.NoError(t, err)
	for round := range rounds {
		require.NoError(t, raw.Round(round))
		for _, c := range Cells() {
			k := results.ParseKey(c.Name)
			r := results.Result{Name: c.Name, Iters: 1}
			for _, unit := range unitsOf[k.Op] {
				value := 100 * (1 + float64(round)/1000)
				if others, ok := map[string]float64{ours: 1, owned: 0.5, nothing: 0.5, reused: 2}[k.Service]; ok {
					value *= others
				} else {
					value *= factor
				}
				if unit == "wakeups/s" && k.Service == ours {
					value = 0
				}
				r.Add(value, unit)
			}
			require.NoError(t, raw.Result(r))
		}
	}
	require.NoError(t, raw.Skip("StartStop/service=std/n=1M/g=8", results.Reason{Kind: results.BadConfig, Text: "no memory"}))
	require.NoError(t, raw.Fail("StartStop/service=locked/n=1M/g=8", os.ErrClosed))
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

func TestPage(t *testing.T) {
	p := newPage(tableWith(t, 7, 4))
	for _, one := range []struct {
		got  results.Estimate
		want float64
	}{{p.StartStop, 4}, {p.Reused, 0.5}, {p.Owned, 4}, {p.Reset, 4}, {p.Memory, 0.25}, {p.Later, -300.9}} {
		assert.InDelta(t, one.want, one.got.Median, 1e-6)
		assert.Equal(t, 7, one.got.N)
	}
	require.Len(t, p.Targets, 17)
	for _, target := range p.Targets {
		assert.True(t, target.Met(), target.What)
	}
	require.Len(t, p.Operations.Rows, len(services))
	assert.Len(t, p.Lateness.Rows, len(services)-2, "timers that clients keep have none")
	assert.Equal(t, "ERROR", p.Operations.Rows[6][1].Text, "locked")
	assert.True(t, p.Operations.Rows[5][1].Best, "sharded-owned")
	assert.False(t, p.Operations.Rows[0][1].Best)
	assert.Len(t, p.Missing, 2)
}

// The timers of connections take what is above no timers. If Go's take nothing, the ratio is large.
func TestConnections(t *testing.T) {
	for factor, want := range map[float64]string{4: "0.14", 0.5: "50.15"} {
		e, err := connections(tableWith(t, 7, factor))
		require.NoError(t, err)
		assert.Equal(t, want, fmt.Sprintf("%.2f", e.Median))
	}
}

// The page of all cells is short; a list beside it has every value. Without measurements there are no tables.
func TestPageAsText(t *testing.T) {
	none := Page(&results.Table{}, "")
	assert.Equal(t, "sharded was not measured beside time.AfterFunc.", none.Findings)
	assert.NotContains(t, none.Markdown("."), "## Comparison")
	page := Page(tableWith(t, 7, 4), "the command of the page")
	assert.Regexp(t,
		`^With a million .* starts and stops 4.00 times .* time.AfterFunc. A reused \*time.Timer takes 0.50 of .* is 4.00 times as fast .* resets 4.00 .* takes 0.25 times the memory`, page.Findings)
	text := page.Markdown(".")
	assert.Less(t, len(text), 12<<10)
	for _, want := range []string{"measured by `the command`", "| met |",
		"a machine", "- skipped: StartStop/service=std/n=1M/g=8: no memory\n"} {
		assert.Contains(t, text, want)
	}
	folder := filepath.Join(t.TempDir(), "below")
	paths, err := page.Save(filepath.Join(folder, "systems.md"))
	require.NoError(t, err)
	assert.Len(t, paths, 2, "page and list")
	list, err := os.ReadFile(filepath.Join(folder, "systems.csv"))
	require.NoError(t, err)
	assert.Contains(t, string(list), "\nHold,locked-ordered,1k,,,,start-p99-ns,7,401.2,400,402.4,\n")
}

// The cells that the claim about timer services reads are measured.
func TestClaimIsDecided(t *testing.T) {
	one, err := claims.Find("A-6")
	require.NoError(t, err)
	judged, err := claims.JudgeAll(context.Background(), []claims.Claim{one}, tableWith(t, 7, 4), func(int) {})
	require.NoError(t, err)
	assert.Empty(t, judged[0].Missing)
}
