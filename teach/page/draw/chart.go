package draw

import (
	"fmt"
	"strings"

	"timerlab/harness/workload"
	"timerlab/teach/player"
)

// Timeline returns the run as a strip: the expiries of each part of it, its migrations,
// and where the reader has edited. It stretches to the width of the page's scrubber.
func Timeline(history []player.Bucket, s *player.State) string {
	var b strings.Builder
	b.WriteString(`<svg class="strip" viewBox="0 0 1000 30" preserveAspectRatio="none" aria-hidden="true">`)
	most, moved := uint64(1), uint64(1)
	for _, part := range history[1:] {
		most, moved = max(most, part.Expired), max(moved, part.Migrations)
	}
	width := min(8, 800/float64(len(history)))
	for _, part := range history[1:] {
		x := 1000*float64(part.End)/float64(s.Ticks) - width/2
		if part.Expired > 0 {
			height := 3 + 15*float64(part.Expired)/float64(most)
			fmt.Fprintf(&b, `<path class="expiries" d="M%.1f 18v%.1fh%.1fv%.1fz"/>`, x, -height, width, height)
		}
		if part.Migrations > 0 {
			height := 2 + 8*float64(part.Migrations)/float64(moved)
			fmt.Fprintf(&b, `<path class="migrations" d="M%.1f 19v%.1fh%.1fv%.1fz"/>`, x, height, width, -height)
		}
	}
	for _, e := range s.Edits {
		fmt.Fprintf(&b, `<path class="edits" d="M%.1f 0h3v30h-3z"/>`, 1000*float64(e.Tick)/float64(s.Ticks)-1.5)
	}
	b.WriteString("</svg>")
	return b.String()
}

// round returns 1, 2, 5, 10, 20 or so on, so that about four of it make most.
func round(most float64) float64 {
	step := 1.0
	for i := 0; step < most/4; i++ {
		step *= []float64{2, 2.5, 2}[i%3]
	}
	return step
}

// Chart returns the steps that each scheme has taken, over the run.
func Chart(history []player.Bucket, s *player.State) string {
	const left, right, top, bottom, height = 46.0, 352.0, 10.0, 150.0, 180.0
	var b strings.Builder
	last := history[len(history)-1]
	most := uint64(1)
	for _, c := range last.Counts {
		most = max(most, player.Steps(c))
	}
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 360 %g" role="img" aria-label="Steps taken by each scheme over `+
		`%d ticks; the table of totals has the numbers">`, height, s.Ticks)
	step := round(float64(most))
	for y := 0.0; y <= float64(most); y += step {
		at := bottom - (bottom-top)*y/float64(most)
		fmt.Fprintf(&b, `<path class="rule" d="M%g %.1fH%g"/><text class="axis" x="%g" y="%.1f">%s</text>`,
			left, at, right, left-4, at+3.5, workload.Count(y))
	}
	for i := range last.Counts {
		fmt.Fprintf(&b, `<path class="line line%d" d="`, i%7) // the style sheet has seven
		for k, bucket := range history {
			x := left + (right-left)*float64(bucket.End)/float64(s.Ticks)
			y := bottom - (bottom-top)*float64(player.Steps(bucket.Counts[i]))/float64(most)
			fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(k, 1)], x, y)
		}
		b.WriteString(`"/>`)
	}
	fmt.Fprintf(&b, `<text class="axis" x="%g" y="%g">0</text><text class="axis" x="%g" y="%g">tick %d</text>`,
		left+4, bottom+15, right, bottom+15, s.Ticks)
	fmt.Fprintf(&b, `<path class="now" data-left="%g" data-right="%g" d="M0 %gV%g"/></svg>`, left, right, top, bottom)
	return b.String()
}
