package report

import (
	"timerlab/harness/results"
)

// What the page of timer services still uses, until it moves to systems/bench.

const (
	nsPerOp       = results.NsPerOp
	bytesPerTimer = results.BytesPerTimer
)

var (
	ns    = results.FormatNanos
	ratio = results.FormatRatio
	times = results.FormatNumber
)

func interval(e results.Estimate, show func(float64) string) string { return Interval(e, show).Text }

func table(head []string, rows [][]string) string {
	t := NewTable(head...)
	for _, row := range rows {
		var cells []any
		for _, c := range row {
			cells = append(cells, c)
		}
		t.Add(cells...)
	}
	return t.Markdown()
}
