// Package harness holds the registry of all schemes, and Bench, by which go test -bench measures schemes one after the
// other. The packages below it, in the order in which results pass through them:
//
//	workload     operations of timers, made before anything is timed, with the outcome that they must have
//	drive        one scheme, taken through a workload on the virtual clock and checked
//	cost         the paper's cost formulas, and refined ones
//	run          samples of many subjects in interleaved rounds, each round a process
//	emulate      instructions of an operation, counted in valgrind
//	plan         what the main job measures
//	peers        other people's timers as subjects, in a module of its own
//	results      raw files, cells by name, medians and intervals
//	choice       scheme 6 against scheme 7: zones, and rules
//	claims       the paper's sentences, each with its comparisons and a verdict
//	gate         whether a change of the code changed results, and what a machine can tell
//	reproduce    a second run against the first
//	pick         a scheme and its sizes for a workload of one's own
//	figures      plots
//	report       pages
package harness

import (
	"fmt"
	"strings"

	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
	"timerlab/schemes/unordered"
)

// Schemes is the registry: the paper's seven in its order, then variants. A new
// scheme is a package of its own and one line here.
var Schemes = []*schemes.Info{
	&unordered.Info,
	&ordered.Info,
	&tree.Info,
	&simplewheel.Info,
	&hashsorted.Info,
	&hashunsorted.Info,
	&hierarchical.Info,

	&ordered.Rear,
	&ordered.Durations,
	&tree.Quaternary,
	&tree.Unbalanced,
	&tree.Lazy,
	&simplewheel.Overflow,
	&simplewheel.Tegas,
	&hashunsorted.Absolute,
	&hashunsorted.Lazy,
	&hashunsorted.Chunked,
	&hierarchical.ByInterval,
	&hierarchical.NoMigrate,
	&hierarchical.Once,
	&hierarchical.Chunked,
	&hierarchical.Ahead,
	&hierarchical.AheadChunked,
}

// Find returns the scheme of this name in Schemes.
func Find(name string) (*schemes.Info, error) {
	for _, info := range Schemes {
		if info.Name == name {
			return info, nil
		}
	}
	return nil, fmt.Errorf("unknown scheme %q (have %s)", name, strings.Join(Names(), ", "))
}

// Names returns the names of Schemes.
func Names() (names []string) {
	for _, info := range Schemes {
		names = append(names, info.Name)
	}
	return names
}
