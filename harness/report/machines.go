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
	Folders          int
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
	p := &Page{Title: "Results by machine", Made: made, Body: machinesTemplate}
	stale := 0
	values := Pivot{Corner: "value"}
	for i, f := range folders {
		var states []string // whether each job measured the present code
		for _, t := range []*results.Table{f.Bench, f.Peers} {
			if t == nil {
				continue
			}
			p.Sources = append(p.Sources, t.Sources...)
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
			stale++
		}
		m, noise := f.Bench.Machine, None("no A/A pair")
		if band, pairs := f.Bench.NoiseBand(nil); pairs > 0 {
			noise = Cell{Text: "± " + percent(band), Value: band}
		}
		data.Machines.Add(link(f.name(), f.name()+"/README.md"), m["cpu"], m["cores"], m["go"], code, noise)
		f.headlines(&values)
		if i > 0 {
			data.compareCounts(folders[0].Bench, f.Bench)
		}
	}
	data.Values = values.Table()
	data.Values.Rows = slices.DeleteFunc(data.Values.Rows, func(row []Cell) bool { // those that not all have
		return len(row) < 1+len(folders) || slices.ContainsFunc(row, func(c Cell) bool { return c.Text == "-" })
	})
	p.Data = data
	p.Findings = fmt.Sprintf("Of %d folders, measured with other code than the present one: %d. ", len(folders), stale)
	switch n := len(data.Differing); {
	case len(folders) < 2:
		p.Findings = "There is one machine, so nothing is compared; it was measured with " +
			map[bool]string{true: "other code than the present one.", false: "the present code."}[stale > 0]
	case n == 0:
		p.Findings += fmt.Sprintf("Counts are the same on all machines: all %d that they have in common.", data.Counts)
	case data.OneCode:
		p.Findings += fmt.Sprintf("Counts that differ: %d of %d.", n, data.Counts)
	default:
		p.Findings += fmt.Sprintf("Counts that differ: %d of %d, which were not counted by the same code.", n, data.Counts)
	}
	return p
}

func (f Folder) name() string { return filepath.Base(f.Path) }

// compareCounts compares exact counts, of the cells that both tables have on the same operations: limits on time skip
// cells, and counts depend on a run's length.
func (d *machinesPage) compareCounts(a, b *results.Table) {
	code := a.Machine["code"]
	d.OneCode = d.OneCode && code != "" && code == b.Machine["code"]
	others := a.OtherStreams(b)
	for _, k := range a.Keys {
		stream := k.Comparison()
		stream.Op = results.RunOf(k.Op)
		if slices.Contains(others, stream.String()) || !slices.Contains(b.Keys, k) {
			continue
		}
		for _, unit := range a.Units(k) {
			if !a.Exact(unit) {
				continue
			}
			x, errX := a.Count(k, unit)
			y, errY := b.Count(k, unit)
			if errX == nil && errY == nil {
				d.Counts++
				if x != y {
					d.Differing = append(d.Differing, fmt.Sprintf("%s: %s %v and %v", k, unit, x, y))
				}
			}
		}
	}
}

// headlines are the values of a folder that decisions rest on.
func (f Folder) headlines(values *Pivot) {
	set := func(row string, c Cell) { values.Set(row, f.name(), c) }
	if c, err := choice.Judge(f.Bench); err == nil {
		s := newSixSeven(f.Bench, c, "")
		set("always scheme 7: the cheaper one in", Cell{Text: percent(s.Always7.Share.Median)})
		set("always scheme 7: costs more, mean", Cell{Text: more(s.Always7.Mean)})
		set("always scheme 6: costs more, mean", Cell{Text: more(s.Always6.Mean)})
		set("7 where T > M: right in", Cell{Text: fmt.Sprintf("%d of %d cells", s.Longer.Right, s.Longer.Named)})
		set("the paper's bound: right in", Cell{Text: fmt.Sprintf("%d of %d cells", s.Bound.Right, s.Bound.Named)})
		set("T* in M, wheels of 2^k slots", Cell{Text: rangeText(choice.RangeOf(withoutOdd(s.Series)))})
		for i, e := range s.Longest.Longest {
			if e.N > 0 {
				set(fmt.Sprintf("longest PerTick of scheme %d, n = %s", 6+i, s.Longest.Key.N), Interval(e, results.FormatNanos))
			}
		}
	}
	if f.Peers == nil {
		return
	}
	for _, k := range f.Peers.Keys {
		if k.Op != "Hold" || k.Scheme != results.ValueHeap || k.N != "1M" {
			continue
		}
		other := k
		other.Scheme = ourChunked
		if r, err := f.Peers.Ratio(k, other, results.NsPerOp); err == nil {
			set(fmt.Sprintf("a lifetime in a heap over %s, n = %s, T = %s", ourChunked, k.N, k.T),
				Interval(r, results.FormatRatio))
		}
	}
}
