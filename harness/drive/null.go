package drive

import (
	"math"

	"timerlab/schemes"
)

// NullName is the name of the null scheme in results.
const NullName = "null"

// Null describes a scheme that does nothing: its time is the harness's own. It is
// measured along with the others and exempt from the trace's outcome. It is not in
// the registry.
var Null = schemes.Info{
	Name:  NullName,
	Title: "Nothing: the harness alone",
	Doc:   "A scheme that does nothing. Its time is the harness's own.\n",
	New:   func(schemes.Config) (schemes.Scheme, error) { return &null{}, nil },
	Range: func(schemes.Config) schemes.Tick { return math.MaxUint64 },
}

type null struct{ starts schemes.Handle }

func (n *null) Start(schemes.Tick, schemes.ID) (schemes.Handle, error) {
	n.starts++
	return n.starts, nil
}
func (n *null) Stop(schemes.Handle) bool   { return true }
func (n *null) PerTick() int               { return 0 }
func (n *null) Expire(func(id schemes.ID)) {}
