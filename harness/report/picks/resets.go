package picks

import (
	"fmt"
	"slices"
	"time"

	"timerlab/harness/report"
	"timerlab/harness/workload"
	"timerlab/systems/load"
)

var resetsText = report.NewTemplate("resets", `{{define "findings"}}Stored time takes more, or less, than a Reset of time.AfterFunc's timers in all five turns, by the resets in a
timeout: {{join .Numbers "; "}}.{{end -}}
A connection is closed after {{.Timeout}} without a reset. Resets come after equal times, give or take 20 %. The program is
woken by requests alone, or awake each 1 ms. Services: % of a core, median (least to most) of the turns. A restart of
stored time reads the clock. Above 700,000 resets a second nothing is measured.

{{table .Table}}`)

// ResetsPage is the page of what resets cost, in the order of connections and of resets.
func ResetsPage(all []load.Resets, timeout time.Duration, made string) *report.Page {
	table := report.NewTable("connections", "resets/timeout", "resets/s", "program", "turns", "time.AfterFunc", "stored time", "sharded")
	var numbers []string
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
				text := fmt.Sprintf("%s, %s connections: ", program, n)
				switch {
				case more > 0 && less > 0:
					text += fmt.Sprintf("more up to %d, less from %d on", more, less)
				case more > 0:
					text += fmt.Sprintf("more up to %d, and never less", more)
				case less > 0:
					text += fmt.Sprintf("less from %d on, and never more", less)
				default:
					text += "neither"
				}
				numbers = append(numbers, text)
			}
		}
	}
	return report.NewPage("When does stored time pay?", resetsText, map[string]any{"Numbers": numbers, "Timeout": timeout, "Table": table}, made)
}
