package drive

import (
	"time"

	"timerlab/schemes"
)

// Stopwatch is a watch that sums the laps of one run or more, by their kind, and what the scheme
// counted in them.
type Stopwatch struct {
	Time    [NumLaps]time.Duration
	N       [NumLaps]uint64 // operations, or ticks
	Laps    [NumLaps]uint64
	Counts  [NumLaps]schemes.Counts
	counter schemes.Counter // the scheme, if it counts
	before  schemes.Counts
	begun   time.Duration
}

// Start makes the stopwatch go on with a run of a scheme.
func (w *Stopwatch) Start(s schemes.Scheme) {
	if w.counter, _ = s.(schemes.Counter); w.counter != nil {
		w.before = w.counter.Counts()
	}
}

// Each reports that laps are as long as the trace allows.
func (w *Stopwatch) Each() bool { return false }

// Begin begins a lap.
func (w *Stopwatch) Begin() { w.begun = Clock() }

// End ends a lap of n operations or ticks.
func (w *Stopwatch) End(lap Lap, n int) {
	w.Time[lap] += Clock() - w.begun
	w.N[lap] += uint64(n)
	w.Laps[lap]++
	if w.counter == nil {
		return
	}
	now := w.counter.Counts()
	w.Counts[lap] = w.Counts[lap].Add(now.Sub(w.before))
	w.before = now
}

// epoch anchors readings of the monotonic clock, which cost less than those of the
// wall clock.
var epoch = time.Now()

// Clock returns the time since the program began.
func Clock() time.Duration { return time.Since(epoch) }
