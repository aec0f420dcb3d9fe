package report

import (
	"fmt"
	"maps"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Warnings are the reasons why the findings of a page may not hold: paragraphs that begin
// with a word in bold. They depend on the files and on which parts of the code have changed
// since, not on a commit: a page that is drawn again differs only after the first change of
// a part.
func Warnings(t *results.Table, now results.Code) (all []string) {
	changed, recorded := t.Changed(now)
	unknown := slices.DeleteFunc(slices.Clone(changed), func(part string) bool { return now[part] != "" })
	band, pairs := t.NoiseBand(nil)
	data := map[string]any{"recorded": recorded, "changed": changed, "unknown": unknown, "band": band, "pairs": pairs,
		"limit": noiseLimit, "noisy": band > noiseLimit}
	for _, name := range []string{"stale", "noise"} {
		if text := phrase(name, data); text != "" {
			all = append(all, text)
		}
	}
	return append(all, incomplete(t.Incomplete())...)
}

// incomplete returns a warning for each reason why files are not whole.
func incomplete(reasons []string) (warnings []string) {
	for _, why := range reasons {
		warnings = append(warnings, "**Incomplete**: "+why+".")
	}
	return warnings
}

// noiseLimit is the widest noise band in which a verdict stands. A reader acts on a difference of a tenth between two
// schemes; where one pair of equal cells in twenty differs by half of that, such a difference is often the machine's.
const noiseLimit = 0.05

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
		table.Add("noise", phrase("pairs", map[string]any{"band": band, "pairs": pairs}))
	}
	return table
}
