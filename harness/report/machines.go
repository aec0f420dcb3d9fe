package report

import (
	"fmt"
	"path/filepath"

	"timerlab/harness/choice"
	"timerlab/harness/results"
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
	Band                 float64  // of noise, of
	Pairs                int
	TheRule, AlwaysSeven choice.Score // that named no cell: not measured, or all within the noise
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
		m.Band, m.Pairs = f.NoiseBand(nil)
		if judged, err := choice.Judge(f); err == nil {
			m.TheRule, m.AlwaysSeven = judged.TheRule(), judged.AlwaysSeven()
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
