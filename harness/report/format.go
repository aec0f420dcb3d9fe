// Package report turns raw files into what people read: figures and a page with
// the verdict. It measures nothing.
package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"timerlab/harness/results"
)

// ns writes a time of so many nanoseconds with three digits.
func ns(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case v < 0:
		return "-" + ns(-v)
	case v >= 1e9:
		return fmt.Sprintf("%.3g s", v/1e9)
	case v >= 1e6:
		return fmt.Sprintf("%.3g ms", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.3g µs", v/1e3)
	case v >= 100:
		return fmt.Sprintf("%.0f ns", v)
	default:
		return fmt.Sprintf("%.1f ns", v)
	}
}

// interval writes a median with its interval, in the unit of show.
func interval(e results.Estimate, show func(float64) string) string {
	if e.N == 0 {
		return "-"
	}
	if math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) {
		return fmt.Sprintf("%s (± unknown: %d rounds, 6 needed)", show(e.Median), e.N)
	}
	return fmt.Sprintf("%s (%s to %s)", show(e.Median), show(e.Lo), show(e.Hi))
}

// times writes a factor with two significant digits: 3.7, 1,800.
func times(factor float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(factor, 'g', 2, 64), 64)
	if err != nil {
		return "-"
	}
	return results.Number(rounded)
}

func ratio(v float64) string { return fmt.Sprintf("%.2f", v) }

// ticks writes a time in ticks with about three digits.
func ticks(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.0f", v)
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// table writes rows as a Markdown table that is also legible as it is.
func table(head []string, rows [][]string) string {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	line := func(row []string) {
		for i, cell := range row {
			fmt.Fprintf(&b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-len([]rune(cell))))
		}
		b.WriteString("|\n")
	}
	line(head)
	for _, w := range widths {
		b.WriteString("|" + strings.Repeat("-", w+2))
	}
	b.WriteString("|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}
