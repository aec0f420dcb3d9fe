package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// MachineTable lists what the results depend on, and how quiet the machine was.
func MachineTable(t *results.Table) *Table {
	table := NewTable("property", "value")
	for _, key := range slices.Sorted(maps.Keys(t.Machine)) {
		table.Add(key, t.Machine[key])
	}
	if spin := t.Samples(results.Key{Op: units.SpinName}, units.NsPerOp); len(spin) > 0 {
		table.Add("noise probe", fmt.Sprintf("an iteration of a fixed loop took %s to %s",
			units.FormatNanos(slices.Min(spin)), units.FormatNanos(slices.Max(spin))))
	}
	if band, pairs := t.NoiseBand(nil); pairs > 0 {
		table.Add("noise", pairsDiffer(band, pairs))
	}
	return table
}

var goDuration = regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(s|ms|µs|ns)\b`)

// reason writes the durations in a recorded reason for people.
func reason(why string) string {
	return goDuration.ReplaceAllStringFunc(why, func(text string) string {
		d, err := time.ParseDuration(text)
		if err != nil {
			return text
		}
		return units.FormatNanos(float64(d))
	})
}

// WrongCells returns how many cells had a wrong outcome.
func WrongCells(t *results.Table) int {
	wrong := map[results.Key]bool{}
	for _, m := range t.Missing {
		if m.Fail {
			wrong[m.Key] = true
		}
	}
	return len(wrong)
}
