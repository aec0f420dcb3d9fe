package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

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
	if t.Reruns.Samples > 0 {
		table.Add("reruns", RerunsText(t.Reruns))
	}
	return table
}

// RerunsText says how many samples were disturbed, and what became of them.
func RerunsText(r results.Reruns) string {
	samples := float64(r.Samples)
	return fmt.Sprintf("%d samples and %d reruns (%.3g a sample) because something else computed on the core; "+
		"%d (%s) were kept disturbed", r.Samples, r.Reruns, float64(r.Reruns)/samples,
		r.Disturbed, units.FormatPercent(float64(r.Disturbed)/samples))
}

// skipped is the list of the cells without a time, and why they have none.
func skipped(t *results.Table) List {
	table := NewTable("state", "cell", "reason")
	for _, m := range t.Missing {
		table.Add(map[bool]string{true: "ERROR", false: "skipped"}[m.Fail], m.Key.String(), reason(m.Why))
	}
	return List{"skipped", "Cells without a time. state: skipped, or ERROR for a wrong outcome; cell: the benchmark; " +
		"reason: as recorded.", table}
}

// skippedFor counts the cells without a time by their reasons, the most frequent first.
func skippedFor(t *results.Table) (all []string) {
	times := map[string]int{}
	for _, m := range t.Missing {
		why := wrongOutcome
		if !m.Fail {
			why = shortReason(reason(m.Why))
		}
		times[why]++
	}
	all = slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(times[b]-times[a], strings.Compare(a, b))
	})
	for i, why := range all {
		all[i] += ": " + plural(times[why], "cell")
	}
	return all
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

// latency is the list of single PerTicks.
func latency(t *results.Table) List {
	table := NewTable("scheme", "n", "M", "m", "T", "dist", "stop", "p50", "p99", "p99.9", "max", "limit", "tick of max")
	for _, k := range cellsOf(t, units.LatencyOp) {
		if !slices.Contains(t.Keys, k) {
			continue // skipped, or with a wrong outcome
		}
		limit, _ := t.Median(k, "limit-ns")
		row := []any{k.Scheme, k.N, k.Slots, k.Levels, k.T, k.Dist, k.Stop}
		for _, unit := range []string{"p50-ns", "p99-ns", "p99.9-ns", "max-ns"} {
			var c Cell
			if e, err := t.Median(k, unit); err == nil && e.N >= limit.N { // else in some rounds it was below
				c.Value = e
			}
			row = append(row, c)
		}
		table.Add(append(row, limit.Median, worstTick(t.Samples(k, "max-at-tick")))...)
	}
	return List{"latency", "Single PerTicks in ns, medians over rounds with 95 % intervals. Empty: below the limit, 100 " +
		"times the clock's resolution, in some round. tick of max: that of the longest, where it is the same in most rounds: " +
		"then the scheme causes it, by a migration for example, and not the machine.", table}
}

// worstTick returns the tick that most rounds agree on, or "varies".
func worstTick(ticks []float64) string {
	times := map[float64]int{}
	for _, tick := range ticks {
		if times[tick]++; 2*times[tick] > len(ticks) {
			return workload.Count(tick).String()
		}
	}
	if len(ticks) == 0 {
		return "-"
	}
	return "varies"
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
