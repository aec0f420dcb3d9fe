package report

import (
	"cmp"
	"slices"

	"timerlab/harness/results"
)

// latencySection has a table of single PerTicks by n for each of their conditions.
func latencySection(t *results.Table) Section {
	keys := slices.DeleteFunc(cellsOf(t, results.LatencyOp), func(k results.Key) bool {
		return !t.Failed(k) && !slices.Contains(t.Keys, k)
	})
	slices.SortStableFunc(keys, func(a, b results.Key) int {
		return cmp.Or(compareCounts(a.N, b.N), cmp.Compare(layer(a.Scheme), layer(b.Scheme)))
	})
	section := Section{
		Title: "Single PerTicks",
		Text: "Medians over rounds. `<` marks what is shorter than 100 times the clock's resolution and cannot be " +
			"timed singly; for the mean see PER_TICK. The tick of the longest is shown where it is the same in most " +
			"rounds: then the scheme causes it, for example by a migration, and not the machine.",
		Long: true,
	}
	for _, c := range conditionsAmong(keys) {
		table := NewTable("scheme", "n", "p50", "p99", "p99.9", "max", "tick of max")
		table.Title = c.String()
		for _, k := range keys {
			if conditionsOf(k) == c {
				table.Add(append([]any{rowOf(k), k.N}, latency(t, k)...)...)
			}
		}
		section.Tables = append(section.Tables, table)
	}
	return section
}

func latency(t *results.Table, k results.Key) []any {
	if t.Failed(k) {
		return []any{Wrong(), Wrong(), Wrong(), Wrong(), Wrong()}
	}
	limit, err := t.Median(k, "limit-ns")
	var row []any
	for _, unit := range []string{"p50-ns", "p99-ns", "p99.9-ns", "max-ns"} {
		e, errUnit := t.Median(k, unit)
		switch {
		case err != nil:
			row = append(row, None(""))
		case errUnit != nil || e.N < limit.N: // in some rounds it was below
			row = append(row, "<"+results.FormatNanos(limit.Median))
		default:
			row = append(row, Cell{Text: results.FormatNanos(e.Median), Value: e})
		}
	}
	return append(row, worstTick(t.Samples(k, "max-at-tick")))
}

// worstTick returns the tick that most rounds agree on, or that they do not.
func worstTick(ticks []float64) string {
	times := map[float64]int{}
	for _, tick := range ticks {
		if times[tick]++; 2*times[tick] > len(ticks) {
			return results.FormatCount(uint64(tick))
		}
	}
	if len(ticks) == 0 {
		return "-"
	}
	return "varies"
}
