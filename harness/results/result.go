package results

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"timerlab/harness/drive"
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

// Names of whole runs. Lifetime and PerTickLatency are operations in results too;
// the others are timed separately within a run of OperationsOp.
const (
	OperationsOp = "Operations"
	LifetimeOp   = "Lifetime"
	LatencyOp    = "PerTickLatency"

	InstructionsOp = "Instructions" // it begins the names of its rows: InstructionsStart, …
)

// TickOp is the operation that every run of OperationsOp times.
const TickOp = "PerTick"

// SpinName is the benchmark of the noise probe.
const SpinName = "Spin"

// NullScheme is the name of the scheme that does nothing, whose time is the harness's.
const NullScheme = drive.NullName

// ValueHeap is a yardstick of harness/peers: the fastest heap that we could write.
const ValueHeap = "valueheap"

// LowerBounds names the subjects of harness/peers that are measured for comparison alone. Each does a part of a
// timer's work: no program could use it.
var LowerBounds = []string{"floor", "barering", "nothing", "lean"}

// Again marks the second of an A/A pair: the same scheme under another name. The
// ratio of the two is noise.
const Again = "-again"

// Units of times, counts and sizes. Lower is better. Counts are exact.
const (
	NsPerOp         = "ns/op"
	ComparesPerOp   = "compares/op"
	VisitsPerOp     = "visits/op"
	LinksPerOp      = "links/op"
	MigrationsPerOp = "migrations/op"
	EmptyPerOp      = "empty/op"
	BytesPerTimer   = "B/timer"
)

// InstructionsPerOp is the unit of retired instructions, which vary a little between runs.
const InstructionsPerOp = "instructions/op"

// ShortLap is the unit of the mean lap where it is below the clock's limit.
const ShortLap = "short-lap-ns"

// ExactUnits are the units whose values do not vary between runs.
var ExactUnits = []string{ComparesPerOp, VisitsPerOp, LinksPerOp, MigrationsPerOp, EmptyPerOp}

// IsRemark reports whether values of a unit say how a sample was measured and are no
// result: the limit of the clock, a lap that is short for it, the tick of a maximum.
func IsRemark(unit string) bool {
	return slices.Contains([]string{ShortLap, "limit-ns", "max-at-tick"}, unit)
}
