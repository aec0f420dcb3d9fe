// Package units has the words of a raw file: operations, units, and the names of subjects that are no
// scheme. It formats values for people.
package units

import "slices"

// Names of whole runs. Lifetime and PerTickLatency are operations in results too;
// the others are timed separately within a run of OperationsOp.
const (
	OperationsOp = "Operations"
	LifetimeOp   = "Lifetime"
	LatencyOp    = "PerTickLatency"
	PairHotOp    = "PairHot" // of harness/peers: a start and the stop of that same timer

	TickOp   = "PerTick" // every run of OperationsOp times it
	SpinName = "Spin"    // the noise probe
)

// PeersSet is the value of the key set in the names of harness/peers. Its times are CPU time, so they are not compared
// with the main job's.
const PeersSet = "peers"

// ValueHeap is a yardstick of harness/peers: the fastest heap that we could write.
const ValueHeap = "valueheap"

// Lean is a yardstick of harness/peers: bare linked wheels.
const Lean = "lean"

// Again marks the second of an A/A pair: the same scheme under another name. The ratio of the two is noise.
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

// Units of what one tick does at most.
const (
	MostMigrations = "most-migrations"
	MostExpiries   = "most-expiries"
)

// InstrPerOp is the unit of instructions, which differ by less than one in a thousand from run to run: not ExactUnits.
const InstrPerOp = "instr/op"

// ClockLimit is the unit of the shortest time that the clock resolves, where single ticks are timed.
const ClockLimit = "limit-ns"

// ShortLap is the unit of the mean lap where it is below the clock's limit.
const ShortLap = "short-lap-ns"

// Units of how a sample was made. Within is by how much the median pass exceeds the sample; see package run.
const (
	Passes      = "passes"
	Within      = "within-%"
	WallOverCPU = "wall/cpu"
)

// ExactUnits are the units whose values do not vary between runs.
var ExactUnits = []string{ComparesPerOp, VisitsPerOp, LinksPerOp, MigrationsPerOp, EmptyPerOp, MostMigrations, MostExpiries}

// RunOf returns the name under which a run that measures the operation is skipped or
// fails: one run times several operations.
func RunOf(op string) string {
	if slices.Contains([]string{LifetimeOp, LatencyOp, PairHotOp, SpinName}, op) {
		return op
	}
	return OperationsOp
}
