package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Warnings are the reasons why the findings of a page may not hold: paragraphs that begin
// with a word in bold. They depend on the files and on which parts of the code have changed
// since, not on a commit: a page that is drawn again differs only after the first change of
// a part.
func Warnings(t *results.Table, now results.Code) (all []string) {
	var w warnings
	w.Changed, w.Recorded = t.Changed(now)
	w.Unknown = slices.DeleteFunc(slices.Clone(w.Changed), func(part string) bool { return now[part] != "" })
	band, pairs := t.NoiseBand(nil)
	if w.Pairs = pairs; band > noiseLimit {
		w.Noise = pairsDiffer(band, pairs)
	}
	w.Shards, w.AllShards = t.MissingShards()
	var text strings.Builder
	if err := warningsTemplate.Execute(&text, w); err != nil {
		panic(err) // template and data are both of this program
	}
	return strings.FieldsFunc(text.String(), func(r rune) bool { return r == '\n' })
}

// warnings is what its template shows.
type warnings struct {
	Changed, Unknown []string // parts of the code; those whose source is not here are unknown
	Recorded         bool
	Pairs            int    // A/A pairs
	Noise            string // how they differ, if that leaves no verdict
	Shards           []int  // missing
	AllShards        int
}

// noiseLimit is the widest noise band in which a verdict stands. A reader acts on a difference of a tenth between two
// schemes; where one pair of equal cells in twenty differs by half of that, such a difference is often the machine's.
const noiseLimit = 0.05

var warningsTemplate = NewTemplate("warnings", `{{if or .Changed (not .Recorded)}}**Stale**: {{/**/ -}}
{{if not .Recorded}}a raw file does not record which code it measured, so it counts as older than the present code
{{- else if .Unknown}}whether the measured code has changed is unknown, as the source of a part is not here {{/**/ -}}
({{join .Unknown ", "}})
{{- else}}since these times were measured, this code has changed: {{join .Changed ", "}}{{end -}}
. Times, and ratios and verdicts that rest on times, are those of the measured code.{{end}}
{{if not .Pairs}}**Noise unknown**: no subject was measured under two names, so nothing shows which differences are {{/**/ -}}
the machine's.
{{- else if .Noise}}**Too noisy for a verdict**: {{.Noise}}. A difference of a tenth may be the machine's (limit: 5 %). {{/**/ -}}
Counts do not depend on it.{{end}}
{{with .Shards}}**Incomplete**: of {{$.AllShards}} shards, these are missing: {{range $i, $n := .}}{{if $i}} {{end}}{{.}}{{end}}.{{end}}`)

func pairsDiffer(band float64, pairs int) string {
	if pairs == 1 {
		return fmt.Sprintf("the only A/A pair differs by %s", units.FormatPercent(band))
	}
	return fmt.Sprintf("95 of 100 A/A pairs differ by at most %s (%d pairs)", units.FormatPercent(band), pairs)
}
