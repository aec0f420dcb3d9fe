package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"timerlab/harness/results"
)

// FilterError says what is wrong with a filter.
type FilterError struct{ Text, Why string }

func (e *FilterError) Error() string { return fmt.Sprintf("filter %q: %s", e.Text, e.Why) }

// NewFilter parses a filter in benchstat's syntax, as in ".name:Start /n:1k .unit:ns/op". The empty one selects
// everything. The error is a *FilterError of one line.
func NewFilter(text string) (*benchproc.Filter, error) {
	f, err := benchproc.NewFilter(cmp.Or(text, "*"))
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // the lines below point into the text
		return nil, &FilterError{text, why}
	}
	return f, nil
}

// selection is what a filter selects of a table.
type selection struct {
	filter *benchproc.Filter
	table  *results.Table
	line   benchfmt.Result // with the machine's keys; the name and the units are those of a cell
}

func newSelection(f *benchproc.Filter, t *results.Table) *selection {
	s := &selection{filter: f, table: t, line: benchfmt.Result{Iters: 1}}
	for _, key := range slices.Sorted(maps.Keys(t.Machine)) {
		s.line.SetConfig(key, t.Machine[key])
	}
	return s
}

// units reports whether the filter selects a cell, and which of its units. A selected cell may have no unit that is
// a result: its percentiles may all be below the clock's limit.
func (s *selection) units(k results.Key) (units []string, selected bool) {
	s.line.Name, s.line.Values = benchfmt.Name(k.String()), nil
	for _, unit := range s.table.Units(k) {
		if !results.IsRemark(unit) {
			_, tidy := benchunit.Tidy(1, unit)
			s.line.Values = append(s.line.Values, benchfmt.Value{Unit: tidy, OrigUnit: unit})
		}
	}
	selected, _ = s.filter.Apply(&s.line)
	for _, v := range s.line.Values {
		units = append(units, v.OrigUnit)
	}
	return units, selected
}
