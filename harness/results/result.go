package results

import (
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

// appendLine appends the result as go test prints it, with a tab between fields.
// benchfmt.Writer separates fields with spaces, which some readers of the format reject.
func (r *Result) appendLine(line []byte) []byte {
	line = append(append(line, "Benchmark"...), r.Name...)
	line = strconv.AppendInt(append(line, '\t'), int64(r.Iters), 10)
	for _, v := range r.Values {
		line = strconv.AppendFloat(append(line, '\t'), v.Value, 'f', -1, 64)
		line = append(append(line, ' '), v.Unit...)
	}
	return append(line, '\n')
}

// String returns the result's benchmark line, without a newline.
func (r *Result) String() string {
	line := r.appendLine(nil)
	return string(line[:len(line)-1])
}

// Names of whole runs. Lifetime and PerTickLatency are operations in results too;
// the others are timed separately within a run of OperationsOp.
const (
	OperationsOp = "Operations"
	LifetimeOp   = "Lifetime"
	LatencyOp    = "PerTickLatency"
)

// SpinName is the benchmark of the noise probe.
const SpinName = "Spin"

// NullScheme is the name of the scheme that does nothing, whose time is the harness's.
const NullScheme = "null"

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

// ShortLap is the unit of the mean lap where it is below the clock's limit.
const ShortLap = "short-lap-ns"

// ExactUnits are the units whose values do not vary between runs.
var ExactUnits = []string{ComparesPerOp, VisitsPerOp, LinksPerOp, MigrationsPerOp, EmptyPerOp}
