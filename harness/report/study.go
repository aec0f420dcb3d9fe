package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"timerlab/harness/claims"
	"timerlab/harness/results"
)

// Study is what the raw files of one machine say about the schemes.
type Study struct {
	Table    *results.Table
	Claims   []claims.Result // nil: no claim was judged
	Drawings []claims.Drawing

	choice    *claims.Choice
	whyChoice error // why there is no choice
	starts    []claims.StartRatio
}

// NewStudy judges the choice between schemes 6 and 7 on a table.
func NewStudy(t *results.Table) *Study {
	s := &Study{Table: t, starts: claims.Starts(t)}
	s.choice, s.whyChoice = claims.JudgeChoice(t)
	return s
}

// Kind is what raw files are of.
type Kind string

// Kinds.
const (
	Schemes  Kind = "schemes on a virtual clock"
	Peers    Kind = "timers of several libraries"
	Services Kind = "timer services on the real clock"
)

// KindOf returns what a table is of. One that holds several kinds is of schemes, whose
// claims may need the others.
func KindOf(t *results.Table) Kind {
	kind := Schemes
	for _, k := range t.Keys {
		switch {
		case k.Facility != "":
			kind = Services
		case isScenario(k):
			kind = Peers
		case k.Scheme != "":
			return Schemes
		}
	}
	return kind
}

// ForClaims reports whether the table was measured to judge claims, by the grid of
// schemes 6 and 7 or by cells for claims alone.
func (s *Study) ForClaims() bool {
	return s.choice != nil || slices.ContainsFunc(s.Table.Keys, claims.Own)
}

// Page is the page of a machine. made is the command that makes it again.
func (s *Study) Page(made string) *Page {
	command := s.Table.Sources[len(s.Table.Sources)-1].Command
	p := &Page{Title: s.title(), Findings: s.findings(), Made: made, Sources: s.Table.Sources}
	if s.choice != nil {
		p.Add(choiceSections(s.choice, command)...)
	}
	p.Add(startSection(s.starts))
	p.Add(sweepSections(s.Table, command)...)
	p.Add(latencySection(s.Table), MachineSection(s.Table))
	if s.choice != nil {
		p.Add(cellsSection(s.choice))
	}
	p.Add(MissingSection(s.Table))
	return p
}

func (s *Study) title() string {
	cpu, cores := s.Table.Machine["cpu"], s.Table.Machine["cores"]
	if cpu == "" || cores == "" {
		return "Results"
	}
	return fmt.Sprintf("Results: %s, %s cores", cpu, cores)
}

// findings is the paragraph that opens the page.
func (s *Study) findings() string {
	var all []string
	if s.choice != nil {
		all = append(all, choiceFinding(s.choice))
	} else {
		all = append(all, fmt.Sprintf("These files do not decide between schemes 6 and 7 (%v).", s.whyChoice))
	}
	if len(s.starts) > 0 {
		var ratios []float64
		for _, start := range s.starts {
			ratios = append(ratios, start.Ratio.Median)
		}
		all = append(all, fmt.Sprintf("START of scheme 7 takes %s times that of scheme 6.", fromTo(ratios)))
	}
	if len(s.Claims) > 0 {
		all = append(all, ClaimsSummary(s.Claims)+" Each is in [claims.md](claims.md).")
	}
	return strings.Join(append(all, noisy(s.Table)), " ")
}

// quietSpread is the most by which the noise probe may differ between rounds. The same
// work of no scheme then takes up to a tenth longer, as much as the differences
// between schemes that a reader would act on.
const quietSpread = 0.10

// noisy is a warning where the machine was not quiet, or nothing.
func noisy(t *results.Table) string {
	spin := spins(t)
	if len(spin) == 0 || slices.Max(spin) <= (1+quietSpread)*slices.Min(spin) {
		return ""
	}
	return fmt.Sprintf("**Noisy machine**: a fixed loop took up to %s longer in one round than in another "+
		"(limit: %s). "+
		"Times depend on the machine as well as on the schemes; counts do not.",
		results.FormatPercent(slices.Max(spin)/slices.Min(spin)-1), results.FormatPercent(quietSpread))
}

// spins returns what a turn of the noise probe took in each round, in ns.
func spins(t *results.Table) []float64 {
	return t.Samples(results.Key{Op: results.SpinName}, results.NsPerOp)
}

// MachineSection lists what the results depend on, and how quiet the machine was.
func MachineSection(t *results.Table) Section {
	table := NewTable("property", "value")
	for _, key := range slices.Sorted(maps.Keys(t.Machine)) {
		table.Add(key, t.Machine[key])
	}
	if spin := spins(t); len(spin) > 0 {
		table.Add("noise probe", fmt.Sprintf("an iteration of a fixed loop took %s to %s",
			results.FormatNanos(slices.Min(spin)), results.FormatNanos(slices.Max(spin))))
	}
	return Section{Title: "The machine", Tables: []*Table{table}}
}

// MissingSection lists the cells without a time, if there are any.
func MissingSection(t *results.Table) Section {
	table := NewTable("state", "cell", "reason")
	for _, m := range t.Missing {
		state := "skipped"
		if m.Fail {
			state = "ERROR"
		}
		table.Add(state, m.Key.String(), reason(m.Why))
	}
	return Section{Title: "Cells without a time", Tables: []*Table{table}, Long: true}
}

var goDuration = regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(s|ms|µs|ns)\b`)

// reason writes the durations in a recorded reason for people.
func reason(why string) string {
	return goDuration.ReplaceAllStringFunc(why, func(text string) string {
		d, err := time.ParseDuration(text)
		if err != nil {
			return text
		}
		return results.FormatDuration(d)
	})
}

// WrongCells returns how many cells had a wrong outcome.
func WrongCells(t *results.Table) int {
	wrong := map[results.Key]bool{}
	for _, m := range t.Missing {
		if m.Fail {
			wrong[m.Key] = true
		}
	}
	return len(wrong)
}
