package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

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
	stale := ""
	switch {
	case !recorded:
		stale = "a raw file does not record which code it measured, so it counts as older than the present code"
	case len(unknown) > 0:
		stale = "whether the measured code has changed is unknown, as the source of a part is not here (" +
			strings.Join(unknown, ", ") + ")"
	case len(changed) > 0:
		stale = "since these times were measured, this code has changed: " + strings.Join(changed, ", ")
	}
	if stale != "" {
		all = append(all, "**Stale**: "+stale+
			". Times, and ratios and verdicts that rest on times, are those of the measured code.")
	}
	band, pairs := t.NoiseBand(nil)
	switch {
	case pairs == 0:
		all = append(all, "**Noise unknown**: no subject was measured under two names, so nothing shows which "+
			"differences are the machine's.")
	case band > noiseLimit:
		all = append(all, "**Too noisy for a verdict**: "+pairsDiffer(band, pairs)+
			". A difference of a tenth may be the machine's (limit: 5 %). Counts do not depend on it.")
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

func pairsDiffer(band float64, pairs int) string {
	if pairs == 1 {
		return fmt.Sprintf("the only A/A pair differs by %s", units.FormatPercent(band))
	}
	return fmt.Sprintf("95 of 100 A/A pairs differ by at most %s (%d pairs)", units.FormatPercent(band), pairs)
}

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
