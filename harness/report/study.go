package report

import (
	"fmt"
	"slices"
	"strings"

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
		p.Add(choiceSections(s.Table, s.choice, command)...)
	}
	p.Add(startSection(s.Table, s.starts))
	p.Add(sweepSections(s.Table, s.choice != nil, command)...)
	p.Add(latencySection(s.Table), MachineSection(s.Table))
	if s.choice != nil {
		p.Add(crossoverSection(s.choice), cellsSection(s.choice))
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
	return strings.Join(all, " ")
}
