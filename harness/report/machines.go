package report

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// LoadFolder reads the raw files of the main job in the folder of one machine's results, and the raw files of a
// second run, again-*.txt.
func LoadFolder(path string) (*results.Table, error) {
	bench, err := filepath.Glob(filepath.Join(path, "bench-*.txt"))
	if err != nil || len(bench) == 0 {
		return nil, fmt.Errorf("%s: no file of the main job, bench-*.txt (name other raw files themselves)", path)
	}
	again, _ := filepath.Glob(filepath.Join(path, "again-*.txt")) // the pattern is valid
	return results.Load(append(bench, again...)...)
}

// machinesPage is the data of the page of several machines.
type machinesPage struct {
	Folders   []folder
	Stale     int      // of them, measured with other code
	Differing []string // counts
	Counts    int      // compared
	OneCode   bool     // only then must counts agree
}

// folder has the results of a machine.
type folder struct {
	*results.Table
	Link                 string
	Recorded             bool     // which code was measured
	Outdated             []string // parts of the code that have changed since
	Resolution           float64
	TheRule, AlwaysSeven choice.Score     // that named no cell: not measured, or none is decided
	Advised              choice.FreeScore // of no workloads: not measured
}

// MachinesPage puts folders of results side by side: what they are of, whether their code
// is the present one, whether their counts agree, and how good the rule is on each.
func MachinesPage(folders []*results.Table, present results.Code, made string) *Page {
	data := machinesPage{OneCode: true}
	var sources []results.Source
	for i, f := range folders {
		sources = append(sources, f.Sources...)
		name := filepath.Base(filepath.Dir(f.Sources[0].Path))
		m := folder{Table: f, Link: link(name, name+"/README.md")}
		if m.Outdated, m.Recorded = f.Changed(present); len(m.Outdated) > 0 || !m.Recorded {
			data.Stale++
		}
		m.Resolution = f.Resolution(pairsOf(f), units.NsPerOp)
		if judged, err := choice.Judge(f); err == nil {
			m.TheRule, m.AlwaysSeven = judged.TheRule(), judged.AlwaysSeven()
		}
		if free := choice.JudgeFree(f); free != nil {
			m.Advised = free.Score(choice.Answer, choice.Any)
		}
		data.Folders = append(data.Folders, m)
		if i > 0 {
			data.OneCode = data.OneCode && f.Machine["code"] != "" && f.Machine["code"] == folders[0].Machine["code"]
			folders[0].CompareCounts(f, func(k results.Key, unit string, x, y float64) {
				if data.Counts++; x != y {
					data.Differing = append(data.Differing, fmt.Sprintf("%s: %s %v and %v", k, unit, x, y))
				}
			})
		}
	}
	return NewPage("Results by machine", fileTemplate("machines.tmpl"), data, made, sources...)
}

// Warnings are the reasons why the findings of a page may not hold: paragraphs that begin with a word in bold. They
// depend on the files and on which parts of the code have changed since, not on a commit: a page that is drawn again
// differs only after the first change of a part.
func Warnings(t *results.Table, now results.Code) (all []string) {
	changed, recorded := t.Changed(now)
	unknown := slices.DeleteFunc(slices.Clone(changed), func(part string) bool { return now[part] != "" })
	if text := phrase("stale", map[string]any{"recorded": recorded, "changed": changed, "unknown": unknown}); text != "" {
		all = append(all, text)
	}
	return append(all, incomplete(t.Incomplete())...)
}

// incomplete returns a warning for each reason why files are not whole.
func incomplete(reasons []string) (warnings []string) {
	for _, why := range reasons {
		warnings = append(warnings, "**Incomplete**: "+why+".")
	}
	return warnings
}

// pairsOf returns the A/A pairs of the cells by which schemes 6 and 7 are judged; of files without them, all.
func pairsOf(t *results.Table) []results.Pair {
	judged := t.Controls(func(k results.Key) bool { first, _ := k.Control(); return choice.Judged(first) })
	if len(judged) > 0 {
		return judged
	}
	return t.Controls(nil)
}

// MachineTable lists what the results depend on, and how quiet the machine was.
func MachineTable(t *results.Table) *Table {
	table := NewTable("property", "value")
	for _, key := range slices.Sorted(maps.Keys(t.Machine)) {
		table.Add(key, t.Machine[key])
	}
	if spin := t.Samples(results.Key{Op: units.SpinName}, units.NsPerOp); len(spin) > 0 {
		table.Add("noise probe", fmt.Sprintf("an iteration of a fixed loop took %s to %s",
			units.FormatNanos(slices.Min(spin)), units.FormatNanos(slices.Max(spin))))
	}
	if pairs := pairsOf(t); len(pairs) > 0 {
		table.Add("resolution", phrase("resolution", t.Resolution(pairs, units.NsPerOp)))
	}
	return table
}
