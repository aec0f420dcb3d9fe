package gate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"golang.org/x/perf/benchfmt"

	"timerlab/harness/results"
)

// ErrNotBlessed is the error of faults that are no changed value.
var ErrNotBlessed = errors.New("only changed values can be accepted")

// Bless writes what changed into the base file: the counts, bytes and allocations of the faults, in every line of
// their cells. All else stays as it is, byte for byte. The file is replaced in one step, a linked one where it is.
// Faults of other kinds are ErrNotBlessed: a base without a cell that was removed, or with one that was added, has to be
// measured.
func Bless(path string, faults []Fault) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changes := map[string]map[string]float64{} // by cell and unit
	for _, f := range faults {
		if f.Kind != Changed {
			return fmt.Errorf("%w, and %s is %s", ErrNotBlessed, cmp.Or(f.Cell, "all"), f.Kind)
		}
		if changes[f.Cell] == nil {
			changes[f.Cell] = map[string]float64{}
		}
		changes[f.Cell][f.Unit] = f.New.Median
	}
	var out bytes.Buffer
	for text := range strings.Lines(string(data)) {
		if r := results.ParseResults([]byte(text)); len(r) > 0 {
			if change := changes[results.ParseKey(r[0].Name).String()]; change != nil {
				text = blessLine(r[0], change)
			}
		}
		out.WriteString(text)
	}
	return maybe.WriteFile(path, out.Bytes(), info.Mode().Perm())
}

// blessLine returns a line with other values in some units. A count of 0 is left out, as the runner does.
func blessLine(r results.Result, change map[string]float64) string {
	now := results.Result{Name: r.Name, Iters: r.Iters}
	for _, v := range r.Values {
		if value, ok := change[v.Unit]; ok {
			v = benchfmt.Value{Value: value, Unit: v.Unit}
			if value == 0 && !isSize(v.Unit) {
				continue
			}
		}
		now.Values = append(now.Values, v)
	}
	for _, unit := range slices.Sorted(maps.Keys(change)) {
		known := slices.ContainsFunc(r.Values, func(v benchfmt.Value) bool { return v.Unit == unit })
		if !known && change[unit] != 0 {
			now.Values = append(now.Values, benchfmt.Value{Value: change[unit], Unit: unit})
		}
	}
	return now.String() + "\n"
}
