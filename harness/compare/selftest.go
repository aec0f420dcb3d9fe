package compare

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"timerlab/harness/report"
	"timerlab/harness/results"
)

// quiet holds two runs of the same code on a quiet machine, one after the other:
//
//	bench run -n 1k -M 4096 -m 2 -T 1k --schemes hashunsorted,hierarchical
//
//go:embed testdata/quiet-1.txt testdata/quiet-2.txt
var quiet embed.FS

// slowdown is what the self-test plants, and allowedGrowth what it lets times grow by.
const slowdown, allowedGrowth = 1.2, 0.1

// plantedCell is the cell that the self-test alters.
const plantedCell = "Lifetime/scheme=hierarchical/"

// plant is a change of the second run, and the kind of fault that it must give: one, of
// the planted cell, or none.
type plant struct {
	what  string
	want  Kind
	alter func(r results.Result) []results.Result // of each line of the planted cell
}

var plants = []plant{
	{"nothing: a second run of the same code", "", unaltered},
	{"a time 20 % longer", Slower, func(r results.Result) []results.Result {
		return scaled(r, results.NsPerOp, slowdown)
	}},
	{"one count in a million more", Changed, func(r results.Result) []results.Result {
		return scaled(r, results.LinksPerOp, 1+1e-6)
	}},
	{"a missing cell", Missing, func(results.Result) []results.Result { return nil }},
}

func unaltered(r results.Result) []results.Result { return []results.Result{r} }

func scaled(r results.Result, unit string, factor float64) []results.Result {
	r.Values = slices.Clone(r.Values)
	for i, v := range r.Values {
		if v.Unit == unit {
			r.Values[i] = benchfmt.Value{Value: v.Value * factor, Unit: unit}
		}
	}
	return []results.Result{r}
}

// ErrBlind means that a gate did not see what it must, or saw what is not there.
var ErrBlind = errors.New("the gate is wrong")

// SelfTest plants changes in copies of two kept runs and checks these. The error wraps
// ErrBlind if the gate does not see one, or sees more.
func SelfTest() (*report.Table, error) {
	dir, err := os.MkdirTemp("", "check")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	base, err := loadQuiet("quiet-1.txt", filepath.Join(dir, "base.txt"), unaltered)
	if err != nil {
		return nil, err
	}
	t := report.NewTable("planted", "expected", "seen", "verdict")
	wrong := 0
	for i, p := range plants {
		now, err := loadQuiet("quiet-2.txt", filepath.Join(dir, fmt.Sprintf("%d.txt", i)), p.alter)
		if err != nil {
			return nil, err
		}
		v, err := Check(base, now, Gate{Time: allowedGrowth})
		if err != nil {
			return nil, err
		}
		seen, want, verdict := v.summary(), string(p.want), "right"
		if want != "" {
			want = "1 " + want
		}
		if seen != want {
			verdict, wrong = "WRONG", wrong+1
		}
		t.Add(p.what, cmp.Or(want, "nothing"), cmp.Or(seen, "nothing"), verdict)
	}
	if wrong > 0 {
		return t, fmt.Errorf("%d of %d: %w", wrong, len(plants), ErrBlind)
	}
	return t, nil
}

// loadQuiet writes a kept run with the planted cell altered to path, and loads that.
func loadQuiet(name, path string, alter func(results.Result) []results.Result) (*results.Table, error) {
	data, err := quiet.ReadFile("testdata/" + name)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for l := range strings.Lines(string(data)) {
		if !strings.HasPrefix(l, "Benchmark"+plantedCell) {
			text.WriteString(l)
			continue
		}
		for _, r := range results.ParseResults([]byte(l)) {
			for _, altered := range alter(r) {
				text.WriteString(altered.String() + "\n")
			}
		}
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return nil, err
	}
	return results.Load(path)
}
