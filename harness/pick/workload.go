package pick

import (
	"cmp"
	"math"
	"slices"
	"time"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Workload is what candidates are measured on.
type Workload struct {
	workload.Numbers
	Source  string           `json:"source"`
	Assumed []string         `json:"assumed,omitempty"` // what no source says
	Tick    time.Duration    `json:"tick_ns"`
	Slots   int              `json:"slots_in_use,omitempty"` // M of a hashed wheel that serves it today
	Lives   []workload.Life  `json:"-"`                      // shares sum to 1
	Script  *workload.Script `json:"-"`                      // the phases of the timers; nil: random
	passed  float64          // share of a sorted list that START passes
}

// NewWorkload returns the workload of n timers with these lives.
func NewWorkload(n int, lives []workload.Life) Workload {
	return Workload{Numbers: workload.NumbersOf(n, lives), Lives: lives, passed: cost.PassedFromHead(lives)}
}

// Spanning returns the workload with room for intervals of up to longest that are too rare
// to be among its lives.
func (w Workload) Spanning(longest schemes.Tick) Workload {
	w.Longest = max(w.Longest, longest)
	return w
}

// PerSecond converts a number per tick.
func (w Workload) PerSecond(perTick float64) float64 { return perTick / w.Tick.Seconds() }

// scaled returns the workload with every time, and n, multiplied.
func (w Workload) scaled(times, timers float64) Workload {
	s := w
	s.Lives = make([]workload.Life, len(w.Lives))
	for i, l := range w.Lives {
		l.Interval, l.Stay = stretch(l.Interval, times), stretch(l.Stay, times)
		if l.Stay == l.Interval && !w.Lives[i].Expires() { // rounding must not make it expire
			l.Interval++
		}
		s.Lives[i] = l
	}
	s.Numbers = workload.NumbersOf(max(1, int(math.Round(float64(w.N)*timers))), s.Lives)
	return s.Spanning(stretch(w.Longest, times))
}

func stretch(t schemes.Tick, times float64) schemes.Tick {
	return schemes.Tick(math.Max(1, math.Min(math.Round(float64(t)*times), float64(workload.MaxTicks))))
}

// maxLives is how many lives a prediction needs at most.
const maxLives = 4096

// thinned returns the workload with at most maxLives lives, each for several neighbours that
// end in the same way.
func (w Workload) thinned() Workload {
	size := (len(w.Lives) + maxLives - 1) / maxLives
	if size <= 1 {
		return w
	}
	all := slices.SortedFunc(slices.Values(w.Lives), func(a, b workload.Life) int {
		return cmp.Or(cmp.Compare(a.Fate(), b.Fate()), cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Stay, b.Stay))
	})
	w.Lives = nil
	for group := range slices.Chunk(all, size) {
		life := group[len(group)/2]
		life.Share = cost.Weight(group)
		w.Lives = append(w.Lives, life)
	}
	return w
}
