package report

import (
	"strings"

	"timerlab/harness/results"
)

// Metric is a value in the Bencher Metric Format, with its interval where that is finite.
type Metric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// bencherLatency is Bencher's own measure of times, in ns.
const bencherLatency = "latency"

// BMF returns the medians of a table in the Bencher Metric Format: by benchmark and
// measure. Times per operation are Bencher's latency; other measures have the names of
// their units: "visits-per-op".
func BMF(t *results.Table) map[string]map[string]Metric {
	all := map[string]map[string]Metric{}
	for _, k := range t.Keys {
		measures := map[string]Metric{}
		for _, unit := range t.Units(k) {
			e, err := t.Median(k, unit)
			if err != nil || results.IsRemark(unit) {
				continue
			}
			m := Metric{Value: e.Median}
			if e.Bounded() {
				m.Lower, m.Upper = &e.Lo, &e.Hi
			}
			measures[measureName(unit)] = m
		}
		if len(measures) > 0 {
			all[k.String()] = measures
		}
	}
	return all
}

// measureName returns a unit as Bencher names measures.
func measureName(unit string) string {
	if unit == results.NsPerOp {
		return bencherLatency
	}
	return strings.ToLower(strings.NewReplacer("/", "-per-", ".", "-").Replace(unit))
}
