package bench

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// unitsOf are the units of the operations.
var unitsOf = map[string][]string{
	"StartStop": {"ns/op"}, "Replace": {"ns/op"}, "Reset": {"ns/op"},
	"Memory": {"B/timer", "allocs/timer", "gc-cpu-ns"},
	"Late":   {"late-p50-ns", "late-p99-ns", "late-p99.9-ns", "late-max-ns"},
	"Idle":   {"cpu-ns/s", "switches/s", "wakeups/s"},
	"Burst":  {"ns/op", "start-max-ns", "late-p50-ns", "late-max-ns"},
	"Hold":   {"start-p50-ns", "start-p99-ns", "tick-p50-ns", "tick-p99-ns", "tick-max-ns"},
	"Sparse": {"cpu-ns/timer", "wakeups/due-tick", "wakeups/tick"},
}

// tableOf loads a raw file of all cells. In it every value of sharded is 100, but for its
// wake-ups, and every other value is larger by a factor.
func tableOf(t *testing.T, rounds int, factor float64) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, [][2]string{{"cpu", "a machine"}})
	require.NoError(t, err)
	require.NoError(t, raw.Command("the", "command"))
	for round := range rounds {
		require.NoError(t, raw.Round(round))
		for _, c := range cells(groups()) {
			k := results.ParseKey(c.Name)
			r := results.Result{Name: c.Name, Iters: 1}
			for _, unit := range unitsOf[k.Op] {
				value := 100 * (1 + float64(round)/1000)
				if k.Facility != ours {
					value *= factor
				}
				if unit == "wakeups/s" && k.Facility == ours {
					value = 0
				}
				r.Add(value, unit)
			}
			require.NoError(t, raw.Result(r))
		}
	}
	require.NoError(t, raw.Skip("StartStop/facility=jvm-netty/n=1M/g=8", "no javac"))
	require.NoError(t, raw.Fail("StartStop/facility=kafka/n=1M/g=64", os.ErrClosed))
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

var spaces = regexp.MustCompile(` +`)

// markdownOf returns a page with single spaces.
func markdownOf(p *report.Page) string { return spaces.ReplaceAllString(p.Markdown("."), " ") }

func TestPage(t *testing.T) {
	p := Page(tableOf(t, 7, 4), "the command of the page")
	text := markdownOf(p)
	for _, want := range []string{
		"sharded starts and stops 4.00 times as many timers", "A timer of sharded takes 0.25 times the memory",
		"start and stop, n = 1M, 8 goroutines: `time.AfterFunc` / sharded | ≥ 3.00 | 4.00 (4.00 to 4.00) | met |",
		"bytes of a timer, n = 1M: sharded / `time.AfterFunc` | ≤ 0.450 | 0.250 (0.250 to 0.250) | met |",
		"no other load: sharded - `time.AfterFunc` | ≤ 1 ms, a tick | -301 ns",
		"ten timers hours away: sharded | ≤ 1 | 0 (0 to 0) | met |",
		"ten timers hours away: kafka | ≤ 1 | 401",
		"measured by `go run ./cmd/bench the command`", "the command of the page", "a machine", "(figures/systems-hold.svg)",
		"## StartStop: start a timer and stop it", "| sharded | **100 ns ± 0 %** | **100 ns ± 0 %** |", "| ERROR |",
		"## Reset: reset a random timer", "## Memory: a million timers", "| an action of 50 ms every 100 ms |",
		"## Idle: a second in which nothing is due", "| nothing | 401 ns",
		"## Burst: a million timers", "| n = 100k |", "| locked-ordered |", "## Sparse: three timers",
		"| skipped | StartStop/facility=jvm-netty/n=1M/g=8 | no javac",
	} {
		assert.Contains(t, text, spaces.ReplaceAllString(want, " "))
	}
	assert.Regexp(t, `hours away: kafka .*missed`, text)
	assert.Less(t, strings.Index(text, "## Idle cost and locks"), strings.Index(text, "## StartStop"), "long tables last")
	var names []string
	for _, s := range p.Sections {
		for _, f := range s.Figures {
			names = append(names, f.Name)
			assert.NotEmpty(t, f.Frame.Caption)
		}
	}
	assert.Equal(t, []string{"systems-startstop", "systems-replace", "systems-late-idle", "systems-late-busy",
		"systems-late-slow", "systems-idle", "systems-hold"}, names)
	paths, err := p.Save(filepath.Join(t.TempDir(), "below", "systems.md"))
	require.NoError(t, err)
	assert.Len(t, paths, 8)
	for _, path := range paths {
		assert.FileExists(t, path)
	}
}

// A target that was missed is shown as missed, and an unknown interval as unknown.
func TestPageOfFewRounds(t *testing.T) {
	text := markdownOf(Page(tableOf(t, 3, 1.5), ""))
	assert.Regexp(t, "`time.AfterFunc` / sharded \\| ≥ 3.00 \\| 1.50 ± \\? \\| \\*\\*missed\\*\\*", text)
}

// Without measurements there are no tables and no figures.
func TestPageWithoutMeasurements(t *testing.T) {
	p := Page(&results.Table{}, "")
	assert.Empty(t, p.Sections)
	assert.Empty(t, p.Findings)
}

// The cells that claims about timer services read are measured.
func TestClaimsAreDecided(t *testing.T) {
	table := tableOf(t, 7, 4)
	for _, id := range []string{"A-6"} {
		one, err := claims.Find(id)
		require.NoError(t, err)
		judged, err := claims.JudgeAll(context.Background(), []claims.Claim{one}, table, func(int) {})
		require.NoError(t, err)
		assert.Empty(t, judged[0].Missing, id)
	}
}
