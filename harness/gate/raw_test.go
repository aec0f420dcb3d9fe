package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
)

// raw makes raw files of some cells.
type raw struct {
	machine string // further lines at the head
	rounds  int
	noise   func() float64 // of a sample; nil: by some percent, and no two are equal
	cells   []rawCell
}

// rawCell is a cell that takes about ns, and what follows its time on each line.
type rawCell struct {
	name string
	ns   float64
	rest string
}

// text returns the file.
func (r raw) text() string {
	var b strings.Builder
	b.WriteString("Unit visits/op assume=exact better=lower\ngoos: linux\ncpu: Test CPU\n" + r.machine)
	for round := range r.rounds {
		fmt.Fprintf(&b, "# round %d\n", round)
		for i, c := range r.cells {
			noise := 1 + 0.01*float64((round*7+i*3)%10)/10 + 0.0001*float64(i)
			if r.noise != nil {
				noise = r.noise()
			}
			fmt.Fprintf(&b, "Benchmark%s\t1000\t%v ns/op%s\n", c.name, c.ns*noise, c.rest)
		}
	}
	return b.String() + "PASS\n"
}

func (r raw) table(t *testing.T) *results.Table { return tableOf(t, r.text()) }

func tableOf(t *testing.T, text string) *results.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "raw.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	table, err := results.Load(path)
	require.NoError(t, err)
	return table
}

// with returns a copy with one cell altered.
func (r raw) with(i int, alter func(*rawCell)) raw {
	r.cells = slices.Clone(r.cells)
	alter(&r.cells[i])
	return r
}

// without returns a copy that lacks a cell.
func (r raw) without(i int) raw {
	r.cells = slices.Delete(slices.Clone(r.cells), i, i+1)
	return r
}

const (
	wheel, twin, heap, null = 0, 1, 2, 3
)

// good has an A/A pair, another scheme and the null scheme.
func good() raw {
	return raw{rounds: 8, cells: []rawCell{
		{"Start/scheme=wheel/n=1k", 10, "\t2 visits/op"},
		{"Start/scheme=wheel-again/n=1k", 10, "\t2 visits/op"},
		{"Start/scheme=heap/n=1k", 20, ""},
		{"Start/scheme=null/n=1k", 1, ""},
	}}
}
