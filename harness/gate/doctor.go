package gate

import (
	"fmt"
	"math"
	"slices"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Diagnosis says whether a machine can carry a verdict on a change of times by a tenth.
type Diagnosis struct {
	Fails []string // the properties for which it cannot
	rows  *report.Table
}

// verdictOn is the change that a machine is asked to carry a verdict on. The noise band may be half of it, since
// Check lets a time grow by twice the band.
const verdictOn = 0.1

// Diagnose judges a machine by some runs of the same code, which are as many rounds of a table each. Every round was a
// process. The frequency governor and the share of time that a hypervisor gave to others fail no machine: what they do
// shows in the runs.
func Diagnose(t *results.Table, governor, steal string) *Diagnosis {
	d := &Diagnosis{rows: report.NewTable("property", "found", "limit", "verdict", "advice")}
	noise, _ := t.NoiseBand(nil)
	furthest := 0.0
	for _, k := range t.Keys {
		if !isControl(k) {
			furthest = max(furthest, spread(t, k))
		}
	}
	for _, p := range []struct {
		property     string
		share, limit float64
		advice       string // if the limit is not met
	}{
		{"noise band: a scheme under two names in one run", noise, verdictOn / 2,
			"something else computes now and then: measure more rounds, or when it is quiet"},
		{"the same cell in two runs, the furthest", furthest, verdictOn,
			"measure more rounds, or pool the files of several runs"},
		{"a fixed loop in two runs", spread(t, results.Key{Op: units.SpinName}), verdictOn,
			"something else computes on this core, or its clock varies: stop it, or fix the frequency"},
	} {
		found, limit, verdict := units.FormatPercent(p.share), "≤ "+units.FormatPercent(p.limit), report.Cell{Text: "met"}
		if p.share <= p.limit {
			p.advice = ""
		} else {
			d.Fails = append(d.Fails, fmt.Sprintf("%s: %s (%s)", p.property, found, limit))
			verdict = report.Cell{Text: "fails", Best: true} // bold
		}
		d.rows.Add(p.property, found, limit, verdict, p.advice)
	}
	advice := ""
	if governor != "performance" && governor != "unknown" {
		advice = "set it to performance while measuring"
	}
	d.rows.Add("frequency governor", governor, "-", "-", advice)
	d.rows.Add("steal time, of all processors", steal, "-", "-", "")
	return d
}

// spread returns by what share the largest of the runs' medians of a cell exceeds the smallest.
func spread(t *results.Table, k results.Key) float64 {
	low, high := math.Inf(1), 0.0
	for run := range slices.Chunk(t.Samples(k, units.NsPerOp), results.LeastRounds) {
		m := results.Median(run)
		low, high = min(low, m), max(high, m)
	}
	return max(0, high/low-1)
}

// OK reports whether the machine can carry a verdict.
func (d *Diagnosis) OK() bool { return len(d.Fails) == 0 }

var doctorTemplate = report.NewTemplate("doctor", `{{define "findings"}}This machine can{{if .Fails}}not{{end}} carry a
verdict on {{percent .On}}{{with .Fails}}: {{join . "; "}}{{end}}.{{end -}}
## The machine

{{table .Rows}}`)

// Page lists the findings.
func (d *Diagnosis) Page(made string) *report.Page {
	data := map[string]any{"On": verdictOn, "Fails": d.Fails, "Rows": d.rows}
	return report.NewPage("Doctor", doctorTemplate, data, made)
}
