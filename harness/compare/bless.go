package compare

import (
	"bytes"
	"cmp"
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

// Bless writes what changed into the base file: the counts, bytes and allocations of the
// faults, in every line of their cells. All else stays as it is, byte for byte. The
// file is replaced in one step, a linked one where it is.
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
			return fmt.Errorf("%s: %s is %s (only changed values can be accepted)", path, cmp.Or(f.Cell, "all"), f.Kind)
		}
		if changes[f.Cell] == nil {
			changes[f.Cell] = map[string]float64{}
		}
		changes[f.Cell][f.Unit] = f.New.Median
	}
	var out bytes.Buffer
	for text := range strings.Lines(string(data)) {
		out.WriteString(blessLine(text, changes))
	}
	return maybe.WriteFile(path, out.Bytes(), info.Mode().Perm())
}

// blessLine returns a line with the changes of its cell. A count of 0 is left out, as the
// runner does.
func blessLine(text string, changes map[string]map[string]float64) string {
	lines := results.ParseResults([]byte(text))
	if len(lines) == 0 {
		return text
	}
	r := lines[0]
	change := changes[results.ParseKey(r.Name).String()]
	if change == nil {
		return text
	}
	now := results.Result{Name: r.Name, Iters: r.Iters}
	for _, v := range r.Values {
		changed, ok := change[v.Unit]
		switch {
		case !ok:
			now.Values = append(now.Values, v)
		case changed != 0 || isSize(v.Unit):
			now.Values = append(now.Values, benchfmt.Value{Value: changed, Unit: v.Unit})
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(change)) {
		known := slices.ContainsFunc(r.Values, func(v benchfmt.Value) bool { return v.Unit == unit })
		if !known && change[unit] != 0 {
			now.Values = append(now.Values, benchfmt.Value{Value: change[unit], Unit: unit})
		}
	}
	return now.String() + "\n"
}
