package report

import (
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/results"

	"timerlab/systems/bench"
)

// Facilities is the page of timer facilities on the real clock.
type Facilities struct{ Table *results.Table }

// command makes the page from the raw files.
func (p Facilities) command() string {
	var paths []string
	for _, s := range p.Table.Sources {
		paths = append(paths, s.Path)
	}
	return "go run ./cmd/bench systems " + strings.Join(paths, " ")
}

// FacilitiesPage is the page of timer services.
func FacilitiesPage(t *results.Table, made string) *Page {
	p := Facilities{t}
	page := &Page{Title: "Timer services on the real clock", Made: made, Sources: t.Sources}
	for _, s := range []Section{
		{Title: "Overview", Text: p.overview()}, {Title: "Targets", Text: p.Summary()}, {Title: "Figures", Figures: p.figures()},
	} {
		if s.Text != "" || len(s.Figures) > 0 {
			page.Sections = append(page.Sections, s)
		}
	}
	for _, section := range []func() string{p.throughput, p.memory, p.late, p.idle, p.burst, p.hold, p.sparse} {
		for _, text := range strings.Split(section(), "## ")[1:] {
			title, rest, _ := strings.Cut(text, "\n")
			page.Sections = append(page.Sections, Section{Title: title, Text: strings.TrimSpace(rest)})
		}
	}
	page.Sections = append(page.Sections, MachineSection(t))
	if missing, ok := MissingSection(t); ok {
		page.Sections = append(page.Sections, missing)
	}
	return page
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
