package pick

import (
	"math"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
)

// Workload is what a race is about.
type Workload struct {
	workload.Numbers
	Lives  []workload.Life  // shares sum to 1
	Script *workload.Script // the phases of its timers; nil: as chance has them
	passed float64          // the share of an ordered list that a START passes
}

// NewWorkload returns the workload of n timers with some lives.
func NewWorkload(n int, lives []workload.Life) Workload {
	return Workload{Numbers: workload.NumbersOf(n, lives), Lives: lives, passed: cost.PassedFromHead(lives)}
}

// Spanning returns the workload with room for intervals of up to longest, which are asked
// for too seldom to be among the lives.
func (w Workload) Spanning(longest schemes.Tick) Workload {
	w.Longest = max(w.Longest, longest)
	return w
}

// Scaled returns the workload with every time, and n, multiplied.
func (w Workload) Scaled(times, timers float64) Workload {
	lives := make([]workload.Life, len(w.Lives))
	for i, l := range w.Lives {
		scaled := workload.Life{Interval: stretch(l.Interval, times), Stay: stretch(l.Stay, times), Share: l.Share, Restarts: l.Restarts}
		if scaled.Stay == scaled.Interval && !l.Expires() { // rounding must not make it expire
			scaled.Interval++
		}
		lives[i] = scaled
	}
	n := max(1, int(math.Round(float64(w.N)*timers)))
	s := Workload{Numbers: workload.NumbersOf(n, lives), Lives: lives, passed: w.passed}
	return s.Spanning(stretch(w.Longest, times))
}

func stretch(t schemes.Tick, times float64) schemes.Tick {
	return schemes.Tick(math.Max(1, math.Min(math.Round(float64(t)*times), float64(workload.MaxTicks))))
}

// Steps are what a timer's life takes on average, by kind.
type Steps [kinds]float64

type kind int

const (
	expiries kind = iota // lives that expire: START, the visit that moves it to the due list, the hand-out
	stops                // lives that are stopped: START and STOP
	restarts             // lives that are restarted
	moves                // what the scheme does between: see Candidate.moves
	ticks                // of the clock
	batches              // ticks on which timers begin or end, whose first touches of memory nothing hides
	spread               // doublings by which the slots exceed the second cache
	kinds
)

// steps returns the steps of a life. Those of scheme 4 to 7 are means over all phases of
// the clock, by the formulas of package cost. O(levels · lives).
func (c Candidate) steps(w Workload) Steps {
	return Steps{
		expiries: w.Expired, stops: w.Stopped, restarts: w.Restarted,
		moves: c.moves(w), ticks: 1 / w.Rate, batches: batchesAt(w.Rate), spread: c.spread(),
	}
}

// batchesAt returns, for each life, the ticks on which one begins, if they come as chance
// has it.
func batchesAt(rate float64) float64 { return -math.Expm1(-rate) / rate }

// moves returns how often a timer is touched between its start and its end: counted down
// by scheme 1 and, before its last time round, by scheme 6; passed by another's START in
// schemes 2 and 5; migrated by scheme 7. A tree's steps grow with log n and are part of
// its starts and stops.
func (c Candidate) moves(w Workload) float64 {
	switch c.Info.Number {
	case 1:
		return w.Residence
	case 2:
		if c.Info == &ordered.Rear {
			return (1 - w.passed) * float64(w.N)
		}
		return w.passed * float64(w.N)
	case 5:
		return 1 + w.passed*float64(w.N)/float64(c.used(w))
	case 6:
		return cost.Wasted6(w.Lives, c.Slots)
	case 7:
		if c.Info != &hierarchical.NoMigrate {
			return cost.Migrations7(w.Lives, c.Levels)
		}
	}
	return 0
}

// used returns the slots in which timers wait: no more than the longest interval has ticks,
// and, of sorted ones, one at worst where phases are not left to chance.
func (c Candidate) used(w Workload) int {
	if w.Script != nil && c.Info.Number == 5 {
		return 1
	}
	return max(1, int(min(schemes.Tick(c.Slots), w.Longest)))
}

const (
	slotBytes   = 32
	secondCache = 1 << 20 // of today's server processors, 0.5 to 2 MiB
)

func (c Candidate) spread() float64 {
	return math.Max(0, math.Log2(float64(c.Total())*slotBytes/secondCache))
}
