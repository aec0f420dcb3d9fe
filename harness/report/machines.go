package report

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
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
	bench, err := filepath.Glob(filepath.Join(path, "bench-*.txt"))
	if err != nil {
		return f, err
	}
	if len(bench) == 0 {
		return f, fmt.Errorf("%s: no file of the main job, bench-*.txt (name other raw files themselves): %w", path,
			os.ErrNotExist)
	}
	if f.Bench, err = results.Load(bench...); err != nil {
		return f, err
	}
	if peers, _ := filepath.Glob(filepath.Join(path, "peers-*.txt")); len(peers) > 0 {
		f.Peers, err = results.Load(peers...)
	}
	return f, err
}

//go:embed machines.tmpl
var machinesText string

var machinesTemplate = NewTemplate("machines", machinesText)

// machinesPage is the data of the page of several machines.
type machinesPage struct {
	Folders, Stale   int // and how many of them were measured with other code
	Machines, Values *Table
	Differing        []string // counts
	Counts           int      // compared
	OneCode          bool     // only then must counts agree
}

// MachinesPage puts folders of results side by side: what they are of, whether their code
// is the present one, whether their counts agree, and the values that all have.
func MachinesPage(folders []Folder, present results.Code, made string) *Page {
	data := machinesPage{Folders: len(folders), OneCode: true,
		Machines: NewTable("folder", "processor", "cores", "Go", "code", "noise band")}
	var sources []results.Source
	values := Pivot{Corner: "value"}
	for i, f := range folders {
		var states []string // whether each job measured the present code
		for _, t := range []*results.Table{f.Bench, f.Peers} {
			if t == nil {
				continue
			}
			sources = append(sources, t.Sources...)
			state := "fresh"
			if changed, recorded := t.Changed(present); !recorded {
				state = "stale: code not recorded"
			} else if len(changed) > 0 {
				state = "stale: changed since: " + strings.Join(changed, ", ")
			}
			states = appendNew(states, state)
		}
		code := strings.Join(states, "; peers ")
		if code != "fresh" {
			data.Stale++
		}
		m, noise := f.Bench.Machine, None("no A/A pair")
		if band, pairs := f.Bench.NoiseBand(nil); pairs > 0 {
			noise = Cell{Text: "± " + percent(band), Value: band}
		}
		data.Machines.Add(link(f.name(), f.name()+"/README.md"), m["cpu"], m["cores"], m["go"], code, noise)
		f.headlines(&values)
		if i > 0 {
			first := folders[0].Bench
			data.OneCode = data.OneCode && m["code"] != "" && m["code"] == first.Machine["code"]
			first.CompareCounts(f.Bench, func(k results.Key, unit string, x, y float64) {
				if data.Counts++; x != y {
					data.Differing = append(data.Differing, fmt.Sprintf("%s: %s %v and %v", k, unit, x, y))
				}
			})
		}
	}
	data.Values = values.Table()
	data.Values.Rows = slices.DeleteFunc(data.Values.Rows, func(row []Cell) bool { // those that not all have
		return len(row) < 1+len(folders) || slices.ContainsFunc(row, func(c Cell) bool { return c.Text == "-" })
	})
	return NewPage("Results by machine", machinesTemplate, data, made, sources...)
}

func (f Folder) name() string { return filepath.Base(f.Path) }

// headlines are the values of a folder that decisions rest on.
func (f Folder) headlines(values *Pivot) {
	set := func(row string, c Cell) { values.Set(row, f.name(), c) }
	if c, err := choice.Judge(f.Bench); err == nil {
		s := newSixSeven(c, "")
		for _, score := range s.Scores {
			if score.Named > 0 {
				set(score.Rule+": right", Cell{Text: fmt.Sprintf("%s of %d", percent(float64(score.Right)/float64(score.Named)), score.Named)})
				set(score.Rule+": mean regret", Cell{Text: more(score.Mean)})
			}
		}
	}
	if f.Peers == nil {
		return
	}
	for _, k := range f.Peers.Keys {
		if k.Op != "Hold" || k.Scheme != units.ValueHeap || k.N != "1M" {
			continue
		}
		other := k
		other.Scheme = ourChunked
		if r, err := f.Peers.Ratio(k, other, units.NsPerOp); err == nil {
			set(fmt.Sprintf("a lifetime in a heap over %s, n = %s, T = %s", ourChunked, k.N, k.T),
				Interval(r, units.FormatRatio))
		}
	}
}
