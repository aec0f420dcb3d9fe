package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"timerlab/harness/results"
)

// MachineSection lists what the results depend on, and how quiet the machine was.
func MachineSection(t *results.Table) Section {
	table := NewTable("property", "value")
	for _, key := range slices.Sorted(maps.Keys(t.Machine)) {
		table.Add(key, t.Machine[key])
	}
	if spin := t.Samples(results.Key{Op: results.SpinName}, results.NsPerOp); len(spin) > 0 {
		table.Add("noise probe", fmt.Sprintf("an iteration of a fixed loop took %s to %s",
			results.FormatNanos(slices.Min(spin)), results.FormatNanos(slices.Max(spin))))
	}
	if band, pairs := t.NoiseBand(nil); pairs > 0 {
		table.Add("noise", pairsDiffer(band, pairs))
	}
	if t.Reruns.Samples > 0 {
		table.Add("reruns", RerunsText(t.Reruns))
	}
	return Section{Title: "The machine", Tables: []*Table{table}}
}

// RerunsText says how many samples were disturbed, and what became of them.
func RerunsText(r results.Reruns) string {
	share := func(n int) string { return results.FormatPercent(float64(n) / float64(r.Samples)) }
	return fmt.Sprintf("of %d samples, %d (%s) were rerun because something else computed on the core; "+
		"%d (%s) were kept disturbed", r.Samples, r.Reruns, share(r.Reruns), r.Disturbed, share(r.Disturbed))
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
