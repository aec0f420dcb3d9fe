package report

import (
	"fmt"
	"path/filepath"
	"strings"

	"timerlab/harness/choice"
	"timerlab/harness/results"
)

// LoadFolder reads the raw files of the main job in a folder of results, which is that of one machine, and those of a
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
	Folders, Stale int // and how many of them were measured with other code
	Machines       *Table
	Differing      []string // counts
	Counts         int      // compared
	OneCode        bool     // only then must counts agree
}

// MachinesPage puts folders of results side by side: what they are of, whether their code
// is the present one, whether their counts agree, and how good the rule is on each.
func MachinesPage(folders []*results.Table, present results.Code, made string) *Page {
	data := machinesPage{Folders: len(folders), OneCode: true,
		Machines: NewTable("folder", "processor", "cores", "Go", "code", "noise band", "the rule", "always 7")}
	var sources []results.Source
	for i, f := range folders {
		sources = append(sources, f.Sources...)
		code := "fresh"
		changed, recorded := f.Changed(present)
		if !recorded {
			changed = []string{"unknown, as no code is recorded"}
		}
		if len(changed) > 0 {
			code = "stale: changed since: " + strings.Join(changed, ", ")
			data.Stale++
		}
		m, noise := f.Machine, None("no A/A pair")
		if band, pairs := f.NoiseBand(nil); pairs > 0 {
			noise = Cell{Text: "± " + percent(band), Value: band}
		}
		name := filepath.Base(filepath.Dir(f.Sources[0].Path))
		row := []any{link(name, name+"/README.md"), m["cpu"], m["cores"], m["go"], code, noise}
		var scores [2]choice.Score
		if judged, err := choice.Judge(f); err == nil {
			scores = [2]choice.Score{judged.TheRule(), judged.AlwaysSeven()}
		}
		for _, s := range scores {
			if s.Named == 0 {
				row = append(row, None("not measured, or all within the noise"))
			} else {
				row = append(row, fmt.Sprintf("right in %d of %d, mean regret %s", s.Right, s.Named, more(s.Mean)))
			}
		}
		data.Machines.Add(row...)
		if i > 0 {
			first := folders[0]
			data.OneCode = data.OneCode && m["code"] != "" && m["code"] == first.Machine["code"]
			first.CompareCounts(f, func(k results.Key, unit string, x, y float64) {
				if data.Counts++; x != y {
					data.Differing = append(data.Differing, fmt.Sprintf("%s: %s %v and %v", k, unit, x, y))
				}
			})
		}
	}
	return NewPage("Results by machine", fileTemplate("machines.tmpl"), data, made, sources...)
}
