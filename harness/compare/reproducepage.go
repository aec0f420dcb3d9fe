package compare

import (
	"fmt"
	"strings"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// ReproductionPage shows how far second runs agree with first ones.
func ReproductionPage(all []Reproduction, made string) *report.Page {
	p := &report.Page{Title: "A second run", Made: made}
	var found []string
	agree := report.NewTable("run", "value", "cells", "median in interval", "expected in interval",
		"ratio may be 1", "expected to be 1", "second / first, median")
	counts := report.NewTable("run", "exact counts", "identical", "cells of one run only")
	for _, r := range all {
		p.Sources = append(p.Sources, r.Sources...)
		found = append(found, r.finding())
		for _, a := range []Agreement{r.Times, r.Ratios} {
			if a.Cells > 0 {
				factor := report.Cell{Text: results.FormatRatio(a.Factor), Value: a.Factor}
				agree.Add(r.Name, a.Value, a.Cells, a.share(float64(a.Inside)), a.share(a.Expected),
					a.share(float64(a.Holds)), a.share(a.Holding), factor)
			}
		}
		if r.Counts+r.OneSided > 0 {
			counts.Add(r.Name, r.Counts, r.Same, r.OneSided)
		}
	}
	p.Findings = strings.Join(found, " ")
	p.Add(report.Section{Title: "Agreement", Tables: []*report.Table{agree}, Text: agreementText},
		report.Section{Title: "Counts", Tables: []*report.Table{counts}})
	for _, r := range all {
		p.Add(report.Section{Title: "Cells of " + r.Name + " that differ", Long: true,
			Tables: []*report.Table{r.Times.apart(results.FormatNanos), r.Ratios.apart(results.FormatRatio)}})
	}
	return p
}

const agreementText = "Median in interval: the share of cells whose second median is in the first run's 95 % " +
	"interval. Ratio may be 1: the share whose 95 % interval of second over first has 1 in it. Expected is what two " +
	"runs would give whose rounds were all drawn from one distribution. The values are times and ratios of a time to " +
	"that of the subject in the A/A pair (without a pair, of the first subject), round by round. Cells with fewer " +
	"than six rounds in the first run are left out: they have no finite interval."

// share writes a number of the cells as a percentage.
func (a Agreement) share(cells float64) report.Cell {
	share := cells / float64(a.Cells)
	return report.Cell{Text: results.FormatPercent(share), Value: share}
}

// finding says in a sentence or two how far the runs agree.
func (r Reproduction) finding() string {
	var all []string
	for _, a := range []Agreement{r.Times, r.Ratios} {
		if a.Cells > 0 {
			all = append(all, fmt.Sprintf("of %d second medians of %ss, %s are in the first 95 %% interval "+
				"(expected: %s)", a.Cells, a.Value, a.share(float64(a.Inside)).Text, a.share(a.Expected).Text))
		}
	}
	if len(all) == 0 {
		all = append(all, "no cell of the first run has six rounds and a time in both runs")
	}
	if r.Counts > 0 {
		all = append(all, fmt.Sprintf("%d of %d exact counts are identical", r.Same, r.Counts))
	}
	return r.Name + ": " + strings.Join(all, "; ") + "."
}

// apart lists the cells whose interval of second over first leaves 1 out, furthest first.
func (a Agreement) apart(show func(float64) string) *report.Table {
	t := report.NewTable(a.Value+" of", "first", "second", "second / first")
	for _, r := range a.Apart {
		t.Add(r.Name, report.Interval(r.Base, show), report.Interval(r.New, show),
			report.Interval(r.Ratio, results.FormatRatio))
	}
	return t
}
