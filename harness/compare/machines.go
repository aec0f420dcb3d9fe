package compare

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
	counts, differing := counted(folders)
	p.Findings = findingsOf(folders, present, differing)
	p.Add(report.Section{Title: "The machines", Text: strings.Join(links, "\n"),
		Tables: []*report.Table{machines(folders, present)}})
	p.Add(report.Section{Title: "Side by side", Text: "Break-even points are mean times in ticks up to which " +
		"scheme 6 costs less than scheme 7; ratios are of the time per timer in a steady state. Both with 95 % " +
		"intervals.",
		Tables: []*report.Table{sideBySide(folders, counts)}})
	p.Add(report.Section{Title: "Counts that differ", Tables: []*report.Table{differing}})
	return p
}

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
	bench := state(f.Bench, present)
	if f.Peers == nil || state(f.Peers, present) == bench {
		return bench
	}
	return bench + "; peers " + state(f.Peers, present)
}

func state(t *results.Table, present results.Code) string {
	changed, recorded := t.Changed(present)
	switch {
	case !recorded:
		return "stale: code not recorded"
	case len(changed) > 0:
		return "stale: changed since: " + strings.Join(changed, ", ")
	}
	return freshCode
}

// machines has a row for each folder.
func machines(folders []Folder, present results.Code) *report.Table {
	t := report.NewTable("folder", "processor", "cores", "Go", "measured", "commit", "code", "noise band")
	for _, f := range folders {
		m := f.Bench.Machine
		processor := m["cpu"]
		if id := m["cpuid"]; id != "" {
			processor += " (" + id + ")"
		}
		t.Add(f.name(), processor, m["cores"], m["go"], strings.Join(f.dates(), ", "), cmp.Or(m["commit"], "-"),
			f.state(present), noise(f.Bench))
	}
	return t
}

// noise is a cell of the noise band of a table's A/A pairs.
func noise(t *results.Table) report.Cell {
	band, pairs := t.NoiseBand(func(results.Key) bool { return true })
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
				all = appendNew(all, strings.Join(m[1:], "-"))
			}
		}
	}
	slices.Sort(all)
	return all
}

// counted compares the counts of every folder with those of the first: a cell for each
// folder, and a row for each count that differs. Cells that one lacks are left out: limits
// on time skip other cells on other machines.
func counted(folders []Folder) (cells []report.Cell, differing *report.Table) {
	differing = report.NewTable("folder", "cell", "unit", "here", "in "+folders[0].name())
	cells = []report.Cell{{Text: "-"}}
	if len(folders) > 1 {
		cells[0].Text = "compared with"
	}
	for _, f := range folders[1:] {
		v := &Verdict{}
		for _, k := range folders[0].Bench.Keys {
			if slices.Contains(f.Bench.Keys, k) {
				v.allCounts(folders[0].Bench, f.Bench, k)
			}
		}
		for _, fault := range v.Faults {
			differing.Add(f.name(), fault.Cell, fault.Unit, fault.New.Median, fault.Base.Median)
		}
		text := fmt.Sprintf("yes, all %d", v.Counts)
		if len(v.Faults) > 0 {
			text = fmt.Sprintf("no: %d of %d differ", len(v.Faults), v.Counts)
			if !sameCode(folders[0].Bench, f.Bench) {
				text += otherCode
			}
		}
		cells = append(cells, report.Cell{Text: text})
	}
	return cells, differing
}

const otherCode = ", which were not counted by the same code"

// sameCode reports whether two tables are recorded to be of one code. Only then must counts agree.
func sameCode(a, b *results.Table) bool {
	code := a.Machine["code"]
	return code != "" && code == b.Machine["code"]
}

// allCounts compares the exact counts of a cell that both tables have.
func (v *Verdict) allCounts(base, now *results.Table, k results.Key) {
	units := append(base.Units(k), now.Units(k)...)
	slices.Sort(units)
	for _, unit := range slices.Compact(units) {
		if base.Exact(unit) || now.Exact(unit) {
			v.count(base, now, k, unit)
		}
	}
}

// sideBySide has a column for each folder.
func sideBySide(folders []Folder, counts []report.Cell) *report.Table {
	p := report.Pivot{Corner: "value"}
	for i, f := range folders {
		p.Set("counts identical", f.name(), counts[i])
		if choice, err := claims.JudgeChoice(f.Bench); err == nil {
			for _, x := range choice.Crossovers {
				p.Set(fmt.Sprintf("break-even T, %s slots, n = %s, M = %d, m = %d, %s intervals, stops: %s", x.Form,
					results.FormatCount(uint64(x.N)), x.Slots, len(x.Levels), x.Dist, report.Stops(x.Stop)), f.name(),
					report.Crossover(x))
			}
		}
		if f.Peers != nil {
			heapToWheel(&p, f)
		}
	}
	return p.Table()
}

// heapToWheel adds how much longer timers take in the heap than in a wheel.
func heapToWheel(p *report.Pivot, f Folder) {
	for _, k := range f.Peers.Keys {
		if k.Op != "Hold" || k.Scheme != "valueheap" {
			continue
		}
		for _, wheel := range []string{"hierarchical", "hierarchical-chunked"} {
			other := k
			other.Scheme = wheel
			if r, err := f.Peers.Ratio(k, other, results.NsPerOp); err == nil {
				p.Set(fmt.Sprintf("heap over %s, n = %s, T = %s", wheel, k.N, k.T), f.name(),
					report.Interval(r, results.FormatRatio))
			}
		}
	}
}
