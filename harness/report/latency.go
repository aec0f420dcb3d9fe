package report

import (
	"cmp"
	"fmt"
	"slices"

	"timerlab/harness/results"
)

// latencies tabulates the single PerTicks, by n. What the clock cannot tell is
// marked.
func (p *Study) latencies() string {
	var keys []results.Key
	for _, k := range p.table.Keys {
		if k.Op == results.LatencyOp {
			keys = append(keys, k)
		}
	}
	for _, m := range p.table.Missing {
		if m.Fail && m.Key.Op == results.LatencyOp {
			keys = append(keys, m.Key)
		}
	}
	if len(keys) == 0 {
		return ""
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int {
		x, _ := results.ParseCount(a.N)
		y, _ := results.ParseCount(b.N)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(drawn(a.Scheme), drawn(b.Scheme)))
	})
	columns := varyingColumns(keys)
	var rows [][]string
	for _, k := range keys {
		rows = append(rows, slices.Concat([]string{k.Scheme, k.N}, columnValues(columns, k), p.latency(k)))
	}
	head := slices.Concat([]string{"scheme", "n"}, columnHeads(columns), []string{"p50", "p99", "p99.9", "max", "max at tick"})
	return "## Single PerTicks\n\nMedians over rounds. `<` marks what is shorter than 100 times the clock's resolution and cannot be timed singly; for the mean see PER_TICK. " +
		"The tick of the longest is told where it is the same in most rounds: then it is the scheme's own, as when wheels come round, not the machine's.\n\n" +
		table(head, rows) + "\n"
}

func (p *Study) latency(k results.Key) []string {
	if p.table.Failed(k) {
		return slices.Repeat([]string{"ERROR"}, 5)
	}
	limit, err := p.table.Median(k, "limit-ns")
	var row []string
	for _, unit := range []string{"p50-ns", "p99-ns", "p99.9-ns", "max-ns"} {
		e, errUnit := p.table.Median(k, unit)
		switch {
		case err != nil:
			row = append(row, "-")
		case errUnit != nil || e.N < limit.N: // in some rounds it was below
			row = append(row, "<"+ns(limit.Median))
		default:
			row = append(row, ns(e.Median))
		}
	}
	return append(row, worstTick(p.table.Samples(k, "max-at-tick")))
}

// worstTick returns the tick that most rounds agree on, or that they do not.
func worstTick(ticks []float64) string {
	times := map[float64]int{}
	for _, tick := range ticks {
		if times[tick]++; 2*times[tick] > len(ticks) {
			return fmt.Sprintf("%.0f", tick)
		}
	}
	if len(ticks) == 0 {
		return "-"
	}
	return "varies"
}
