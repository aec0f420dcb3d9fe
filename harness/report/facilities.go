package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/systems/bench"
)

// Facilities is the page of timer facilities on the real clock.
type Facilities struct{ Table *results.Table }

// marksOfFacilities are those of the table in the README.
var marksOfFacilities = marksOf("systems")

// CanSpliceFacilities returns what keeps Splice from a file.
func CanSpliceFacilities(path string) error {
	_, _, err := marksOfFacilities.around(path)
	return err
}

// Splice puts the table of facilities, and that of the targets, between their marks in a
// file.
func (p Facilities) Splice(path string) error {
	return marksOfFacilities.splice(path, p.command(), p.overview()+"\n"+p.Summary())
}

// command makes the page from the raw files.
func (p Facilities) command() string {
	var paths []string
	for _, s := range p.Table.Sources {
		paths = append(paths, s.Path)
	}
	return "go run ./cmd/bench systems " + strings.Join(paths, " ")
}

// Save writes systems.md and its figures into a folder.
func (p Facilities) Save(out string) ([]string, error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	shown := p.figures()
	paths, err := SaveFigures(filepath.Join(out, "figures"), "svg", shown)
	if err != nil {
		return nil, err
	}
	page := filepath.Join(out, "systems.md")
	return append([]string{page}, paths...), os.WriteFile(page, []byte(p.markdown(shown)), 0o644)
}

// Wrong returns how many cells had a wrong outcome.
func (p Facilities) Wrong() int { return Contest(p).Wrong() }

// markdown is the whole page.
func (p Facilities) markdown(shown []Named) string {
	var b strings.Builder
	b.WriteString("# Timer facilities on the real clock\n\nMade by `bench systems` from these files; do not edit.\n\n")
	for _, s := range p.Table.Sources {
		fmt.Fprintf(&b, "- [%s](%[1]s), measured by `%s`\n", filepath.Base(s.Path), s.Command)
	}
	b.WriteString("\n" + (&Study{table: p.Table}).machine() + "\n")
	if text := p.Summary(); text != "" {
		b.WriteString("## Targets\n\n" + text + "\n")
	}
	for _, f := range shown {
		fmt.Fprintf(&b, "![%s](figures/%s.svg)\n\n", f.Name, f.Name)
	}
	for _, section := range []func() string{p.throughput, p.memory, p.late, p.idle, p.burst, p.hold, p.sparse} {
		b.WriteString(section())
	}
	b.WriteString((&Study{table: p.Table}).missing())
	return b.String()
}

// names returns the facilities that were measured in some work: ours and Go's in their
// order, then others.
func (p Facilities) names(work string) (names []string) {
	measured := func(k results.Key) bool { return k.Op == work && k.Facility != "" }
	for _, e := range bench.Entrants {
		if slices.ContainsFunc(p.Table.Keys, func(k results.Key) bool { return measured(k) && k.Facility == e.Name }) {
			names = append(names, e.Name)
		}
	}
	var others []string
	for _, k := range p.Table.Keys {
		if measured(k) && !slices.Contains(names, k.Facility) {
			others = appendNew(others, k.Facility)
		}
	}
	slices.Sort(others)
	return append(names, others...)
}

// cell is the key of a facility's cell.
func (p Facilities) cell(work, name string, n int, rest string) results.Key {
	return bench.Cell{Work: work, Facility: name, N: n, Rest: rest}.Key()
}

// show writes a median and half of its interval; "-" where there is none, "ERROR" where the
// outcome was wrong.
func (p Facilities) show(k results.Key, unit string, text func(float64) string) string {
	e, err := p.Table.Median(k, unit)
	switch {
	case p.Table.Failed(k):
		return "ERROR"
	case err != nil:
		return "-"
	}
	return text(e.Median) + spread(e)
}

// overview is the tables of facilities: what each is made of, and what matters most of what
// was measured.
func (p Facilities) overview() string {
	var made, measured [][]string
	for _, e := range bench.Entrants {
		made = append(made, []string{link(e), e.Is, e.Scheme, e.HandOff, e.Executor, e.Empty, e.Stop, e.Bound})
		measured = append(measured, []string{e.Name,
			p.plain(p.cell("StartStop", e.Name, 1_000_000, "/g=8"), nsPerOp, perSecond),
			p.plain(p.cell("Replace", e.Name, 1_000_000, "/g=8"), nsPerOp, perSecond),
			p.plain(p.cell("Reset", e.Name, 1_000_000, "/g=8"), nsPerOp, perSecond),
			p.plain(p.cell("Memory", e.Name, 1_000_000, ""), bytesPerTimer, whole),
			p.plain(p.lateness(e.Name, "idle"), "late-p99.9-ns", ns),
			p.plain(p.lateness(e.Name, "slow"), "late-p99-ns", ns),
			p.plain(p.cell("Burst", e.Name, 1_000_000, ""), "late-max-ns", ns),
			p.plain(p.cell("Idle", e.Name, bench.IdleTimers, ""), "wakeups/s", whole),
		})
	}
	return table([]string{"", "is", "scheme", "hand-off", "actions run on", "wakes for empty ticks", "a stopped timer leaves", "late by at most, beside scheduling"}, made) + "\n" +
		table([]string{"", "start+stop, M/s", "replace, M/s", "reset, M/s", "B a timer", "late p99.9", "late p99, slow actions", "a million at once: late max", "idle: wake-ups a second"}, measured) +
		"\nMedians. Starts, stops, resets and bytes: with a million timers pending; by eight goroutines together, in millions a second.\n"
}

// link names a facility, with a link to its package.
func link(e bench.Entrant) string {
	if e.Package == "" {
		return "`" + e.Name + "`"
	}
	return fmt.Sprintf("[%s](systems/%s)", e.Name, e.Package)
}

// plain is show without the interval.
func (p Facilities) plain(k results.Key, unit string, text func(float64) string) string {
	e, err := p.Table.Median(k, unit)
	if err != nil {
		return "-"
	}
	return text(e.Median)
}

func (p Facilities) lateness(name, load string) results.Key {
	return p.cell("Late", name, bench.LateTimers, "/load="+load)
}

// perSecond writes millions of operations a second that take so many ns each.
func perSecond(v float64) string { return fmt.Sprintf("%.3g", 1e3/v) }

func whole(v float64) string { return fmt.Sprintf("%.0f", v) }
