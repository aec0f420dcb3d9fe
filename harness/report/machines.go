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
	Machines  []machine
	Stale     int      // of them, measured with other code
	Differing []string // counts
	Counts    int      // compared
	OneCode   bool     // only then must counts agree
}

// machine is a folder of results.
type machine struct {
	Link                 string
	CPU, Cores, Go       string
	Recorded             bool     // which code was measured
	Changed              []string // parts of the code, since
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
		m := machine{Link: link(name, name+"/README.md"), CPU: f.Machine["cpu"], Cores: f.Machine["cores"], Go: f.Machine["go"]}
		if m.Changed, m.Recorded = f.Changed(present); len(m.Changed) > 0 || !m.Recorded {
			data.Stale++
		}
		m.Band, m.Pairs = f.NoiseBand(nil)
		if judged, err := choice.Judge(f); err == nil {
			m.TheRule, m.AlwaysSeven = judged.TheRule(), judged.AlwaysSeven()
		}
		data.Machines = append(data.Machines, m)
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
