package report

import (
	"cmp"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"timerlab/harness/results"
)

// latencySection is the table of single PerTicks by n, if any were timed.
func latencySection(t *results.Table) (Section, bool) {
	var keys []results.Key
	for _, k := range t.Keys {
		if k.Op == results.LatencyOp {
			keys = append(keys, k)
		}
	}
	for _, m := range t.Missing {
		if m.Fail && m.Key.Op == results.LatencyOp {
			keys = append(keys, m.Key)
		}
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int {
		x, _ := results.ParseCount(a.N)
		y, _ := results.ParseCount(b.N)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(layer(a.Scheme), layer(b.Scheme)))
	})
	d := newDiffering(keys, "/M,/m,"+otherKeys)
	table := NewTable(slices.Concat([]string{"scheme", "n"}, d.heads,
		[]string{"p50", "p99", "p99.9", "max", "tick of max"})...)
	for _, k := range keys {
		table.Add(slices.Concat([]any{k.Scheme, k.N}, d.values(k), latency(t, k))...)
	}
	return Section{
		Title: "Single PerTicks",
		Text: "Medians over rounds. `<` marks what is shorter than 100 times the clock's resolution and cannot " +
			"be timed singly; " +
			"for the mean see PER_TICK. The tick of the longest is shown where it is the same in most rounds: " +
			"then the scheme causes it, for example by a migration, and not the machine.",
		Tables: []*Table{table},
		Long:   true,
	}, len(keys) > 0
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

// differing is the keys of benchmark names in which the rows of a table differ.
type differing struct {
	fields []*benchproc.Field
	heads  []string
	by     *benchproc.Projection
}

// headOf are the headings of keys of names.
var headOf = map[string]string{
	"/m": "levels of 7", "/dist": "intervals", "/after": "stop after", "/restart-after": "restart after",
}

// otherKeys are the keys of names besides scheme, n, M and m.
const otherKeys = "/T,/dist,/stop,/after,/restart,/restart-after,/arrivals,/set"

// newDiffering returns the keys that differ of those among which it looks. That one
// scheme has levels and another has none is no difference.
func newDiffering(keys []results.Key, among string) differing {
	by, err := new(benchproc.ProjectionParser).Parse(among, nil)
	if err != nil {
		panic(err) // the keys are written above
	}
	d := differing{by: by}
	var all, levelled []benchproc.Key
	for _, k := range keys {
		all = append(all, d.project(k))
		if k.Levels != "" {
			levelled = append(levelled, d.project(k))
		}
	}
	severalLevels := benchproc.NonSingularFields(levelled)
	for _, f := range benchproc.NonSingularFields(all) {
		if f.Name != "/m" || slices.Contains(severalLevels, f) {
			d.fields = append(d.fields, f)
			d.heads = append(d.heads, cmp.Or(headOf[f.Name], f.Name[1:]))
		}
	}
	return d
}

func (d differing) project(k results.Key) benchproc.Key {
	return d.by.Project(&benchfmt.Result{Name: benchfmt.Name(k.String())})
}

func (d differing) values(k results.Key) (all []any) {
	for _, f := range d.fields {
		all = append(all, d.project(k).Get(f))
	}
	return all
}
