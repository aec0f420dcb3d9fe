package gate

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
)

// Folder is the results of one machine.
type Folder struct {
	Path  string
	Bench *results.Table // of the main job
	Peers *results.Table // nil: not measured
}

// LoadFolder reads the raw files of a folder of results.
func LoadFolder(path string) (f Folder, err error) {
	f.Path = path
	if f.Bench, err = loadAll(path, "bench-*.txt"); err != nil {
		return f, err
	}
	f.Peers, err = loadAll(path, "peers-*.txt")
	if errors.Is(err, os.ErrNotExist) {
		return f, nil
	}
	return f, err
}

func loadAll(folder, pattern string) (*results.Table, error) {
	raws, err := filepath.Glob(filepath.Join(folder, pattern))
	if err == nil && len(raws) == 0 {
		err = fmt.Errorf("%s: no file %s: %w", folder, pattern, os.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return results.Load(raws...)
}

func (f Folder) name() string { return filepath.Base(f.Path) }

func (f Folder) tables() []*results.Table {
	if f.Peers == nil {
		return []*results.Table{f.Bench}
	}
	return []*results.Table{f.Bench, f.Peers}
}

// MachinesPage puts folders of results side by side: what they are of, whether their code
// is the present one, whether their counts agree, and the ratios that decisions rest on.
func MachinesPage(folders []Folder, present results.Code, made string) *report.Page {
	p := &report.Page{Title: "Results by machine", Made: made}
	var links []string
	for _, f := range folders {
		links = append(links, fmt.Sprintf("- [%s](%[1]s/README.md)", f.name()))
		for _, t := range f.tables() {
			p.Sources = append(p.Sources, t.Sources...)
		}
	}
	sides := report.Pivot{Corner: "value"}
	differing := compareCounts(&sides, folders)
	for _, f := range folders {
		breakEvens(&sides, f)
		heapToWheel(&sides, f)
	}
	p.Findings = findingsOf(folders, present, differing)
	p.Add(
		report.Section{Title: "The machines", Text: strings.Join(links, "\n"),
			Tables: []*report.Table{machineTable(folders, present)}},
		report.Section{Title: "Side by side", Text: sidesText, Tables: []*report.Table{sides.Table()}},
		report.Section{Title: "Counts that differ", Tables: []*report.Table{differing}})
	return p
}

const sidesText = "Break-even points are mean times in ticks up to which scheme 6 costs less than scheme 7; ratios " +
	"are of the time per timer in a steady state. Both with 95 % intervals."

func findingsOf(folders []Folder, present results.Code, differing *report.Table) string {
	stale := 0
	for _, f := range folders {
		if f.state(present) != freshCode {
			stale++
		}
	}
	text := fmt.Sprintf("%d of %d folders were measured with older code than the present one. ", stale, len(folders))
	switch {
	case len(folders) < 2:
		return text + "There is one machine, so counts are not compared."
	case len(differing.Rows) == 0:
		return text + "Counts are the same on all machines."
	}
	for _, f := range folders[1:] {
		if sameCode(folders[0].Bench, f.Bench) {
			return text + fmt.Sprintf("Counts that differ: %d.", len(differing.Rows))
		}
	}
	return text + fmt.Sprintf("Counts that differ: %d%s.", len(differing.Rows), otherCode)
}

const freshCode = "fresh"

// state says whether a folder was measured with the present code.
func (f Folder) state(present results.Code) string {
	bench := codeState(f.Bench, present)
	if f.Peers == nil || codeState(f.Peers, present) == bench {
		return bench
	}
	return bench + "; peers " + codeState(f.Peers, present)
}

func codeState(t *results.Table, present results.Code) string {
	changed, recorded := t.Changed(present)
	switch {
	case !recorded:
		return "stale: code not recorded"
	case len(changed) > 0:
		return "stale: changed since: " + strings.Join(changed, ", ")
	}
	return freshCode
}

// machineTable has a row for each folder.
func machineTable(folders []Folder, present results.Code) *report.Table {
	t := report.NewTable("folder", "processor", "cores", "Go", "measured", "commit", "code", "noise band")
	for _, f := range folders {
		m := f.Bench.Machine
		processor := m["cpu"]
		if id := m["cpuid"]; id != "" {
			processor += " (" + id + ")"
		}
		t.Add(f.name(), processor, m["cores"], m["go"], strings.Join(f.dates(), ", "), cmp.Or(m["commit"], "-"),
			f.state(present), noiseCell(f.Bench))
	}
	return t
}

// noiseCell is a cell of the noise band of a table's A/A pairs.
func noiseCell(t *results.Table) report.Cell {
	band, pairs := t.NoiseBand(nil)
	if pairs == 0 {
		return report.None("no A/A pair")
	}
	return report.Cell{Text: "± " + results.FormatPercent(band), Value: band}
}

var timestamp = regexp.MustCompile(`-(\d{4})(\d\d)(\d\d)T\d{6}Z\.txt$`)

// dates returns the days on which a folder's files were begun, by their names.
func (f Folder) dates() (all []string) {
	for _, t := range f.tables() {
		for _, s := range t.Sources {
			if m := timestamp.FindStringSubmatch(s.Path); m != nil {
				all = append(all, strings.Join(m[1:], "-"))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// compareCounts compares the counts of every folder with those of the first. It sets a cell for
// each folder, and returns a row for each count that differs. Only cells that both have on the same
// operations are compared: limits on time skip cells, and counts depend on a run's length.
func compareCounts(sides *report.Pivot, folders []Folder) (differing *report.Table) {
	const row = "counts identical"
	first, text := folders[0], "-"
	if len(folders) > 1 {
		text = "compared with"
	}
	sides.Set(row, first.name(), report.Cell{Text: text})
	differing = report.NewTable("folder", "cell", "unit", "here", "in "+first.name())
	for _, f := range folders[1:] {
		c := newChecking(first.Bench, f.Bench)
		for _, k := range c.base.Keys {
			if c.measured[k] && !c.otherOperations(k) {
				c.counts(k)
			}
		}
		for _, fault := range c.Faults {
			differing.Add(f.name(), fault.Cell, fault.Unit, fault.New.Median, fault.Base.Median)
		}
		text = fmt.Sprintf("yes, all %d", c.Counts)
		if len(c.Faults) > 0 {
			text = fmt.Sprintf("no: %d of %d differ", len(c.Faults), c.Counts)
			if !sameCode(c.base, c.now) {
				text += otherCode
			}
		}
		sides.Set(row, f.name(), report.Cell{Text: text})
	}
	return differing
}

const otherCode = ", which were not counted by the same code"

// sameCode reports whether two tables are recorded to be of one code. Only then must counts agree.
func sameCode(a, b *results.Table) bool {
	code := a.Machine["code"]
	return code != "" && code == b.Machine["code"]
}

// breakEvens adds the break-even points between schemes 6 and 7.
func breakEvens(sides *report.Pivot, f Folder) {
	choice, err := claims.JudgeChoice(f.Bench)
	if err != nil {
		return
	}
	for _, x := range choice.Crossovers {
		row := fmt.Sprintf("break-even T, %s slots, n = %s, M = %d, m = %d, %s intervals, stops: %s", x.Form,
			results.FormatCount(uint64(x.N)), x.Slots, len(x.Levels), x.Dist, report.Stops(x.Stop))
		sides.Set(row, f.name(), report.Crossover(x))
	}
}

// heapToWheel adds how much longer timers take in the heap than in a wheel.
func heapToWheel(sides *report.Pivot, f Folder) {
	if f.Peers == nil {
		return
	}
	for _, k := range f.Peers.Keys {
		if k.Op != "Hold" || k.Scheme != "valueheap" {
			continue
		}
		for _, wheel := range []string{"hierarchical", "hierarchical-chunked"} {
			other := k
			other.Scheme = wheel
			if r, err := f.Peers.Ratio(k, other, results.NsPerOp); err == nil {
				sides.Set(fmt.Sprintf("heap over %s, n = %s, T = %s", wheel, k.N, k.T), f.name(),
					report.Interval(r, results.FormatRatio))
			}
		}
	}
}
