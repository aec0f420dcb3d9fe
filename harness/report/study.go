package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"timerlab/harness/choice"
	"timerlab/harness/claims"
	"timerlab/harness/figures"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Study is what the raw files of one machine say about the schemes.
type Study struct {
	Table    *results.Table
	Claims   []claims.Result // nil: no claim was judged
	Drawings []figures.XY

	choice    *choice.Choice
	whyChoice error // why there is no choice
}

// NewStudy judges the choice between schemes 6 and 7 on a table.
func NewStudy(t *results.Table) *Study {
	s := &Study{Table: t}
	s.choice, s.whyChoice = choice.Judge(t)
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

// KindOf returns what a table is of; "" of other benchmarks. One that holds several kinds is of schemes, whose claims
// may need the others.
func KindOf(t *results.Table) (kind Kind) {
	for _, k := range t.Keys {
		switch {
		case k.Service != "":
			kind = Services
		case k.Scheme != "" && isPeer(k):
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
	return s.choice != nil || slices.ContainsFunc(s.Table.Keys, func(k results.Key) bool { return claims.Own(k) && !isPeer(k) })
}

// Open returns how many zones of the choice between schemes 6 and 7 are not decided.
func (s *Study) Open() (open int) {
	if s.choice != nil {
		for _, z := range s.choice.Zones() {
			open += 1 - min(1, int(z.Winner))
		}
	}
	return open
}

// studyPage is the data of the page of a machine.
type studyPage struct {
	Choice    *sixSeven   // nil: schemes 6 and 7 were not compared
	WhyChoice error       // why there is no Choice
	NoGrid    bool        // nobody asked for it
	Claims    *claimsPage // nil: not judged
	Answer    *Table
	Free      *choice.Free      // nil: not measured
	Advised   *choice.FreeScore // of the Answer; "
	Heap      *heapOrWheel      // "
	Sweeps    []section
	Lowest    *Table // the longest tick by the lowest wheel
	Cold      *Table // lifetimes where an application uses the caches
	Counted   *Table // instructions of an operation
	Machine   *Table
	Layouts   string // of the code, in each of which a process measured; "" in files of before
	Missing   []MissingGroup
	Lists     []List
	Others    []string // pages beside this one
}

// Page is the page of a machine. made is the command that makes it again.
func (s *Study) Page(made string) *Page {
	command := s.Table.Sources[len(s.Table.Sources)-1].Command
	data := studyPage{Machine: MachineTable(s.Table), Layouts: s.Table.Machine["layout"],
		WhyChoice: s.whyChoice, NoGrid: errors.Is(s.whyChoice, choice.ErrNoGrid),
		Missing: MissingCells(s.Table), Sweeps: sweepParts(s.Table, s.choice != nil, command),
		Lowest: lowestTable(s.Table), Cold: coldTable(s.Table), Counted: instructionsTable(s.Table)}
	data.Free, data.Heap = choice.JudgeFree(s.Table), newHeapOrWheel(s.Table, command)
	data.Answer = data.answer()
	if data.Free != nil {
		score := data.Free.Score(choice.Answer, choice.Any)
		data.Advised = &score
	}
	if s.choice != nil {
		data.Choice = newSixSeven(s.Table, s.choice, command)
		data.Lists = data.Choice.lists()
	}
	data.Lists = append(data.Lists, CellList("schemes", s.Table, func(k results.Key) bool {
		return k.Scheme != "" && !isPeer(k) && (s.choice == nil || k.Op != units.LifetimeOp || claims.Own(k))
	}))
	if s.Claims != nil {
		data.Claims = newClaimsPage(s.Claims)
	}
	data.Lists = slices.DeleteFunc(data.Lists, func(l List) bool { return len(l.Rows) == 0 })
	for _, name := range []string{"peers", "systems", "pick", "reproduce"} {
		path := filepath.Join(filepath.Dir(s.Table.Sources[len(s.Table.Sources)-1].Path), name+".md")
		if _, err := os.Stat(path); err == nil {
			data.Others = append(data.Others, name)
		}
	}
	title, cpu, cores := "Results", s.Table.Machine["cpu"], s.Table.Machine["cores"]
	if n, err := strconv.Atoi(cores); cpu != "" && err == nil {
		title = fmt.Sprintf("Results: %s, %s", cpu, units.Plural(n, "core"))
	}
	sources := slices.DeleteFunc(slices.Clone(s.Table.Sources), func(s results.Source) bool {
		return len(s.Args) > 0 && slices.Contains(data.Others, s.Args[0]) // which has a page that names it
	})
	p := NewPage(title, fileTemplate("study.tmpl"), data, made, sources...)
	p.Lists = data.Lists
	return p
}
