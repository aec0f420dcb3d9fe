package results

import (
	"maps"
	"slices"
)

// Exact reports whether values of a unit do not vary between runs of the same code.
func (t *Table) Exact(unit string) bool { return t.exact[unit] || slices.Contains(ExactUnits, unit) }

// Units returns the units in which a cell has samples, in alphabetical order.
func (t *Table) Units(k Key) []string { return slices.Sorted(maps.Keys(t.samples[k])) }

// IsRemark reports whether values of a unit say how a sample was measured and are no
// result: the limit of the clock, a lap that is short for it, the tick of a maximum.
func IsRemark(unit string) bool {
	return slices.Contains([]string{ShortLap, "limit-ns", "max-at-tick"}, unit)
}

// OtherStreams returns the workloads, in order, of which two tables were measured on other
// operations: by another seed, of another length, or made by other code.
func (t *Table) OtherStreams(o *Table) (workloads []string) {
	for _, workload := range slices.Sorted(maps.Keys(t.streams)) {
		if hash, ok := o.streams[workload]; ok && hash != t.streams[workload] {
			workloads = append(workloads, workload)
		}
	}
	return workloads
}
