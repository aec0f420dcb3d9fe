package gate

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
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

// selects reports whether a filter selects a cell of a table, and which of its units. A selected cell may have no unit
// that is a result: its percentiles may all be below the clock's limit.
func selects(f *benchproc.Filter, t *results.Table, k results.Key) (all []string, ok bool) {
	line := &benchfmt.Result{Name: benchfmt.Name(k.String()), Iters: 1}
	for _, unit := range t.Units(k) {
		if !units.IsRemark(unit) {
			_, tidy := benchunit.Tidy(1, unit)
			line.Values = append(line.Values, benchfmt.Value{Unit: tidy, OrigUnit: unit})
		}
	}
	ok, _ = f.Apply(line)
	for _, v := range line.Values {
		all = append(all, v.OrigUnit)
	}
	return all, ok
}
