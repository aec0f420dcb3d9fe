package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"timerlab/harness/results"
)

// quietSpread is the most by which the noise probe may differ between rounds. The same
// work of no scheme then takes up to a tenth longer, as much as the differences
// between schemes that a reader would act on.
const quietSpread = 0.10

// noisy is a warning where the machine was not quiet, or nothing.
func noisy(t *results.Table) string {
	spin := spins(t)
	if len(spin) == 0 || slices.Max(spin) <= (1+quietSpread)*slices.Min(spin) {
		return ""
	}
	return fmt.Sprintf("**Noisy machine**: a fixed loop took up to %s longer in one round than in another "+
		"(limit: %s). "+
		"Times depend on the machine as well as on the schemes; counts do not.",
		results.FormatPercent(slices.Max(spin)/slices.Min(spin)-1), results.FormatPercent(quietSpread))
}

// spins returns what a turn of the noise probe took in each round, in ns.
func spins(t *results.Table) []float64 {
	return t.Samples(results.Key{Op: results.SpinName}, results.NsPerOp)
}

// MachineSection lists what the results depend on, and how quiet the machine was.
func MachineSection(t *results.Table) Section {
	table := NewTable("property", "value")
	for _, key := range slices.Sorted(maps.Keys(t.Machine)) {
		table.Add(key, t.Machine[key])
	}
	if spin := spins(t); len(spin) > 0 {
		table.Add("noise probe", fmt.Sprintf("an iteration of a fixed loop took %s to %s",
			results.FormatNanos(slices.Min(spin)), results.FormatNanos(slices.Max(spin))))
	}
	return Section{Title: "The machine", Tables: []*Table{table}}
}

// MissingSection lists the cells without a time, if there are any.
func MissingSection(t *results.Table) Section {
	table := NewTable("state", "cell", "reason")
	for _, m := range t.Missing {
		state := "skipped"
		if m.Fail {
			state = "ERROR"
		}
		table.Add(state, m.Key.String(), reason(m.Why))
	}
	return Section{Title: "Cells without a time", Tables: []*Table{table}, Long: true}
}

var goDuration = regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(s|ms|µs|ns)\b`)

// reason writes the durations in a recorded reason for people.
func reason(why string) string {
	return goDuration.ReplaceAllStringFunc(why, func(text string) string {
		d, err := time.ParseDuration(text)
		if err != nil {
			return text
		}
		return results.FormatDuration(d)
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
