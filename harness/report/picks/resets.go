package picks

import (
	_ "embed"
	"slices"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/workload"
	"timerlab/systems/load"
)

//go:embed resets.tmpl
var resetsText string

// ResetsPage is the page of what resets cost, in the order of connections and of resets.
func ResetsPage(all []load.Resets, timeout time.Duration, made string) *report.Page {
	table := report.NewTable("connections", "resets/timeout", "resets/s", "program", "turns", "time.AfterFunc", "stored time", "sharded")
	type breakEven struct {
		Program       string
		N, More, Less int
	}
	var ends []breakEven
	for _, program := range []string{"woken", "awake"} {
		for i, r := range all {
			n := workload.Count(r.N).String()
			row := []any{n, r.PerTimeout, number(r.Load(timeout).Rate), program, r.Turns}
			for _, service := range table.Heads[len(row):] {
				share := r.Share(service, program == "awake")
				row = append(row, report.Cell{Text: shareText(share), Value: share})
			}
			table.Add(row...)
			if i == len(all)-1 || all[i+1].N != r.N {
				first := slices.IndexFunc(all, func(other load.Resets) bool { return other.N == r.N })
				more, less := load.BreakEven(all[first:i+1], program == "awake")
				ends = append(ends, breakEven{program, r.N, more, less})
			}
		}
	}
	data := map[string]any{"Ends": ends, "Timeout": timeout, "Table": table}
	return report.NewPage("When does stored time pay?", report.NewTemplate("resets", resetsText), data, made)
}
