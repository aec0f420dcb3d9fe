package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness/claims"
)

// Study is what a table of results says.
type Study struct {
	table     *results.Table
	choice    *claims.Choice
	whyChoice error // why there is no choice
	starts    []claims.StartRatio
}

// New judges a table.
func New(t *results.Table) *Study {
	p := &Study{table: t, starts: claims.Starts(t)}
	p.choice, p.whyChoice = claims.JudgeChoice(t)
	return p
}

// Figures returns every figure that the table has the cells for.
func (p *Study) Figures() []Named {
	all := curveFigures(p.table, p.command())
	if p.choice != nil {
		all = append(choiceFigures(p.choice, p.command()), all...)
	}
	return all
}

// command returns what measured the last of the files.
func (p *Study) command() string { return p.table.Sources[len(p.table.Sources)-1].Command }

// Verdict is the answer in words: 6 or 7, and START of the two.
func (p *Study) Verdict() string {
	var b strings.Builder
	b.WriteString(p.noisy())
	b.WriteString("## Scheme 6 or scheme 7?\n\n")
	if p.choice == nil {
		fmt.Fprintf(&b, "Undecided: %v\n", p.whyChoice)
	} else {
		b.WriteString(choiceText(p.choice))
	}
	if len(p.starts) > 0 {
		b.WriteString("\n## Does START of scheme 7 cost more?\n\n")
		b.WriteString(startText(p.starts))
	}
	return b.String()
}

// Markdown is the whole page, which shows the figures in the folder beside it.
func (p *Study) Markdown(folder string, shown []Named) string {
	var b strings.Builder
	b.WriteString("# Results\n\nMade by `bench report` from these files; do not edit.\n\n")
	for _, s := range p.table.Sources {
		fmt.Fprintf(&b, "- [%s](%[1]s), measured by `%s`\n", filepath.Base(s.Path), s.Command)
	}
	b.WriteString("\nEvery claim, judged on these files: [claims.md](claims.md).\n\n")
	b.WriteString(p.machine())
	b.WriteString("\n" + p.Verdict() + "\n")
	for _, f := range shown {
		fmt.Fprintf(&b, "![%s](%s/%s.svg)\n\n", f.Name, folder, f.Name)
	}
	for _, c := range curves {
		b.WriteString(p.medians(c))
	}
	b.WriteString(p.cells())
	b.WriteString(p.latencies())
	b.WriteString(p.missing())
	return b.String()
}

// machine lists what the results depend on, and how quiet the machine was.
func (p *Study) machine() string {
	var rows [][]string
	var keys []string
	for key := range p.table.Machine {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		rows = append(rows, []string{key, p.table.Machine[key]})
	}
	if spin := p.spin(); len(spin) > 0 {
		rows = append(rows, []string{"noise probe", fmt.Sprintf("a fixed loop took %.3g to %.3g ns a turn", slices.Min(spin), slices.Max(spin))})
	}
	return table([]string{"", ""}, rows)
}

// spin returns what a turn of the noise probe took in each round, in ns.
func (p *Study) spin() []float64 {
	return p.table.Samples(results.Key{Op: results.SpinName}, "ns/op")
}

// quietSpread is the most by which the noise probe may differ between rounds. The same
// work of no scheme then takes up to a tenth longer, as much as the differences
// between schemes that a reader would act on.
const quietSpread = 0.10

// noisy is a warning where the machine was not quiet, or nothing.
func (p *Study) noisy() string {
	spin := p.spin()
	if len(spin) == 0 || slices.Max(spin) <= (1+quietSpread)*slices.Min(spin) {
		return ""
	}
	return fmt.Sprintf("**Noisy machine**: a fixed loop took up to %.0f %% longer in one round than in another, allowed %.0f %%. Times tell of the machine as well as of the schemes; counts do not.\n\n",
		100*(slices.Max(spin)/slices.Min(spin)-1), 100*quietSpread)
}

// medians tabulates one operation, schemes by n, for each workload. The best of a
// column are bold.
func (p *Study) medians(c curve) string {
	var b strings.Builder
	for _, w := range sizesMeasured(p.table, c) {
		m := newMedians(p.table, c, w)
		fmt.Fprintf(&b, "## %s\n\n%s. Bold: the least, and all whose intervals overlap the least one's.\n\n%s\n%s", c.label, w, m.text(), m.legend())
	}
	return b.String()
}

// cells lists the grid of schemes 6 and 7.
func (p *Study) cells() string {
	if p.choice == nil {
		return ""
	}
	return "## Schemes 6 and 7, cell by cell\n\nCounts are exact: visits of scheme 6 that do not expire a timer, and migrations of scheme 7, per timer. Times are per timer, start to end.\n\n" +
		cellTable(p.choice) + "\n"
}

// Wrong returns how many cells had a wrong outcome.
func (p *Study) Wrong() int {
	wrong := map[results.Key]bool{}
	for _, m := range p.table.Missing {
		if m.Fail {
			wrong[m.Key] = true
		}
	}
	return len(wrong)
}

// missing lists the cells without a time.
func (p *Study) missing() string {
	if len(p.table.Missing) == 0 {
		return ""
	}
	var rows [][]string
	for _, m := range p.table.Missing {
		what := "skipped"
		if m.Fail {
			what = "ERROR"
		}
		rows = append(rows, []string{what, m.Key.String(), m.Why})
	}
	return "## Cells without a time\n\n" + table([]string{"", "cell", "why"}, rows)
}
