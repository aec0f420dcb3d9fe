package results

import (
	"bytes"
	"fmt"
	"strconv"

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
	for r := benchfmt.NewReader(bytes.NewReader(output), "output"); r.Scan(); {
		if line, ok := r.Result().(*benchfmt.Result); ok {
			all = append(all, asWritten(line))
		}
	}
	return all
}

// asWritten returns a line with its own units: the format's reader has made sec/op of
// ns/op.
func asWritten(line *benchfmt.Result) Result {
	r := Result{Name: string(line.Name), Iters: line.Iters}
	for _, v := range line.Values {
		if v.OrigUnit != "" {
			v = benchfmt.Value{Value: v.OrigValue, Unit: v.OrigUnit}
		}
		r.Values = append(r.Values, v)
	}
	return r
}
