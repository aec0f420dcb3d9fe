package report

import (
	"os"
	"path/filepath"
	"testing"

	"timerlab/harness/results"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"timerlab/systems/bench"
)

// units are what the works tell.
var units = map[string][]string{
	"StartStop": {"ns/op"}, "Replace": {"ns/op"}, "Reset": {"ns/op"},
	"Memory": {"B/timer", "allocs/timer", "gc-cpu-ns"},
	"Late":   {"late-p50-ns", "late-p99-ns", "late-p99.9-ns", "late-max-ns"},
	"Idle":   {"cpu-ns/s", "switches/s", "wakeups/s"},
	"Burst":  {"ns/op", "start-max-ns", "late-p50-ns", "late-max-ns"},
	"Hold":   {"start-p50-ns", "start-p99-ns", "tick-p50-ns", "tick-p99-ns", "tick-max-ns"},
	"Sparse": {"wakeups/due-tick", "wakeups/tick"},
}

// facilitiesOf loads a raw file of all cells, in which sharded takes 100 of everything and
// everybody else so many times as much.
func facilitiesOf(t *testing.T, rounds int, others float64) Facilities {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	raw, err := results.CreateRaw(path, [][2]string{{"cpu", "a machine"}})
	require.NoError(t, err)
	require.NoError(t, raw.Command("the command"))
	for round := range rounds {
		require.NoError(t, raw.Round(round))
		for _, c := range bench.Cells() {
			r := results.Result{Name: c.Name(), Iters: 1}
			for _, unit := range units[c.Work] {
				value := 100 * (1 + float64(round)/1000)
				if c.Facility != ours {
					value *= others
				}
				if unit == "wakeups/s" && c.Facility == ours {
					value = 0
				}
				r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: unit})
			}
			require.NoError(t, raw.Result(r))
		}
	}
	require.NoError(t, raw.Skip("StartStop/facility=jvm-netty/n=1M/g=8", "no javac"))
	require.NoError(t, raw.Fail("StartStop/facility=kafka/n=1M/g=64", os.ErrClosed))
	require.NoError(t, raw.Close())
	table, err := results.Load(path)
	require.NoError(t, err)
	return Facilities{table}
}

func TestFacilities(t *testing.T) {
	p := facilitiesOf(t, 7, 4)
	targets := flat(p.Summary())
	for _, want := range []string{
		"start and stop, n = 1M, 8 goroutines: sharded over `time.AfterFunc` | ≥ 3.00 | 4.00 (4.00 to 4.00) | met",
		"bytes a timer, a million: sharded over `time.AfterFunc` | ≤ 0.500 | 0.250 (0.250 to 0.250) | met",
		"sharded less `time.AfterFunc` | ≤ a tick, 1 ms | -301 ns",
		"ten timers hours away: sharded | ≤ 1 | 0.0 (0.0 to 0.0) | met",
		"ten timers hours away: kafka | ≤ 1 | 401.2",
	} {
		assert.Contains(t, targets, want)
	}
	assert.Regexp(t, `hours away: kafka .*missed`, targets)
	shown := p.figures()
	assert.Len(t, shown, 7)
	text := flat(FacilitiesPage(p.Table, "again").Markdown("."))
	for _, want := range []string{
		"measured by `the command`", "a machine", "](figures/systems-hold.svg)",
		"## StartStop: start a timer and stop it, n = 1M", "| sharded | **9.97 ± 0 %** | **9.97 ± 0 %** |", "| ERROR |",
		"## Reset: reset a random timer", "## Memory: a million timers", "| sharded | 100.3 ± 0 %",
		"## Lateness, an action of 50 ms every 100 ms", "## Idle: ten timers hours away", "| nothing | 401 ns",
		"## Burst: a million timers", "## How long one lock is held, n = 100k", "| locked-ordered |", "## Wake-ups: three timers",
		"| skipped | StartStop/facility=jvm-netty/n=1M/g=8 | no javac",
	} {
		assert.Contains(t, text, flat(want))
	}
	assert.Equal(t, 1, WrongCells(p.Table))
}

// What was missed is shown so, and an interval that is not known as such.
func TestFacilitiesMissed(t *testing.T) {
	p := facilitiesOf(t, 3, 1.5)
	assert.Regexp(t, `sharded over .time.AfterFunc. +\| ≥ 3.00 +\| 1.50 ± \? .*\*\*missed\*\*`, p.Summary())
	assert.Contains(t, FacilitiesPage(p.Table, "again").Markdown("."), "± ?")
}

// Without measurements there are no tables and no figures, and nothing breaks.
func TestFacilitiesWithoutMeasurements(t *testing.T) {
	p := Facilities{&results.Table{}}
	assert.Empty(t, p.Summary())
	assert.Empty(t, p.figures())
	assert.NotContains(t, FacilitiesPage(p.Table, "again").Markdown("."), "## Targets")
}
