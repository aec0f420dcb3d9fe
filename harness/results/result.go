package results

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Result is one benchmark line.
type Result struct {
	Name   string // operation and keys, without "Benchmark"
	Iters  int
	Values []benchfmt.Value
}

// Add adds a value, rounded to six digits: far below any noise, and it halves the
// size of a file.
func (r *Result) Add(value float64, unit string) {
	value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'g', 6, 64), 64)
	r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: unit})
}

// Value returns the value of a unit, or 0.
func (r *Result) Value(unit string) float64 {
	i := slices.IndexFunc(r.Values, func(v benchfmt.Value) bool { return v.Unit == unit })
	if i < 0 {
		return 0
	}
	return r.Values[i].Value
}

// String returns the line as go test prints it, with a tab between fields, but without
// a newline. benchfmt.Writer separates fields with spaces, which some readers of the
// format reject.
func (r *Result) String() string {
	line := fmt.Sprintf("Benchmark%s\t%d", r.Name, r.Iters)
	for _, v := range r.Values {
		line += "\t" + strconv.FormatFloat(v.Value, 'f', -1, 64) + " " + v.Unit
	}
	return line
}

// ParseResults returns the results among a program's output.
func ParseResults(output []byte) (all []Result) {
	for line := range strings.Lines(string(output)) {
		if r, err := parseResult(line); err == nil && strings.HasPrefix(line, "Benchmark") {
			all = append(all, r)
		}
	}
	return all
}

// parseResult parses the format of String. Between fields there may be any white space.
func parseResult(line string) (r Result, err error) {
	fields := strings.Fields(strings.TrimPrefix(line, "Benchmark"))
	if len(fields) < 4 || len(fields)%2 != 0 {
		return r, fmt.Errorf("%.60q has no values (use a name, a number of iterations, and values with their units)", line)
	}
	r.Name = fields[0]
	r.Iters, err = strconv.Atoi(fields[1])
	for i := 2; i < len(fields); i += 2 {
		value, notNumber := strconv.ParseFloat(fields[i], 64)
		err = cmp.Or(err, notNumber)
		r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: fields[i+1]})
	}
	return r, err
}
