package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"
)

// Warnings are the reasons why the findings of a page may not hold: paragraphs that begin
// with a word in bold. They depend on the files and on which parts of the code have changed
// since, not on a commit: a page that is drawn again differs only after the first change of
// a part.
func Warnings(t *results.Table, now results.Code) (all []string) {
	for _, warning := range []string{stale(t, now), noisy(t)} {
		if warning != "" {
			all = append(all, warning)
		}
	}
	if missing, count := t.MissingShards(); len(missing) > 0 {
		all = append(all, fmt.Sprintf("**Incomplete**: of %d shards, these are missing: %s.", count,
			strings.Trim(fmt.Sprint(missing), "[]")))
	}
	return all
}

// stale is a warning where the code has changed since it was measured, or may have.
func stale(t *results.Table, now results.Code) string {
	changed, recorded := t.Changed(now)
	unknown := func(part string) bool { return now[part] == "" }
	why := "since these times were measured, this code has changed: " + strings.Join(changed, ", ")
	switch {
	case !recorded:
		why = "a raw file does not record which code it measured, so it counts as older than the present code"
	case len(changed) == 0:
		return ""
	case slices.ContainsFunc(changed, unknown):
		why = "whether the measured code has changed is unknown, as the source of a part is not here (" +
			strings.Join(slices.DeleteFunc(changed, func(part string) bool { return !unknown(part) }), ", ") + ")"
	}
	return "**Stale**: " + why + ". Times, and ratios and verdicts that rest on times, are those of the measured code."
}

// noiseLimit is the widest noise band in which a verdict stands. A reader acts on a
// difference of a tenth between two schemes; where one pair of equal cells in twenty differs
// by half of that, such a difference is often the machine's.
const noiseLimit = 0.05

// noisy is a warning where the noise leaves no verdict or is unknown, or nothing.
func noisy(t *results.Table) string {
	band, pairs := t.NoiseBand(nil)
	switch {
	case pairs == 0:
		return "**Noise unknown**: no subject was measured under two names, so nothing shows which differences are " +
			"the machine's."
	case band <= noiseLimit:
		return ""
	}
	return fmt.Sprintf("**Too noisy for a verdict**: %s. "+
		"A difference of a tenth may be the machine's (limit: %s). Counts do not depend on it.",
		pairsDiffer(band, pairs), results.FormatPercent(noiseLimit))
}

func pairsDiffer(band float64, pairs int) string {
	if pairs == 1 {
		return fmt.Sprintf("the only A/A pair differs by %s", results.FormatPercent(band))
	}
	return fmt.Sprintf("95 of 100 A/A pairs differ by at most %s (%d pairs)", results.FormatPercent(band), pairs)
}
