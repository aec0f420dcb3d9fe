package results

// Names of subjects of harness/peers that are no scheme and no third party's timers: the code that
// measures them is in a module of its own, and pages and gates single them out.
const (
	ValueHeap = "valueheap" // a yardstick: the fastest heap that we could write

	Floor    = "floor" // lower bounds: each does a part of a timer's work
	BareRing = "barering"
	Nothing  = "nothing"
	Lean     = "lean"
)

// LowerBounds names what is measured for comparison alone: no program could use it.
var LowerBounds = []string{Floor, BareRing, Nothing, Lean}
