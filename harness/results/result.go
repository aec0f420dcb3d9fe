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

// Names of runs as a whole. A lifetime and a latency are operations in results,
// too; the others are timed apart within a run of OperationsOp.
const (
	OperationsOp = "Operations"
	LifetimeOp   = "Lifetime"
	LatencyOp    = "PerTickLatency"
)

// SpinName is the benchmark of the noise probe.
const SpinName = "Spin"

// Again marks the second of an A/A pair: the same scheme under another name. The
// ratio of the two is noise.
const Again = "-again"

const NsPerOp = "ns/op"

// Units of counts and sizes. They are exact, and lower is better.
const (
	ComparesPerOp   = "compares/op"
	VisitsPerOp     = "visits/op"
	LinksPerOp      = "links/op"
	MigrationsPerOp = "migrations/op"
	EmptyPerOp      = "empty/op"
	BytesPerTimer   = "B/timer"
)

// ShortLap is the unit of the mean lap where it is below the clock's limit.
const ShortLap = "short-lap-ns"

var ExactUnits = []string{ComparesPerOp, VisitsPerOp, LinksPerOp, MigrationsPerOp, EmptyPerOp}

// Add adds a value, rounded to six digits: far below any noise, and a file of half
// the size.
func (r *Result) Add(value float64, unit string) {
	value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'g', 6, 64), 64)
	r.Values = append(r.Values, benchfmt.Value{Value: value, Unit: unit})
}
