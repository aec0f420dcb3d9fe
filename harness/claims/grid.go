// Package claims judges what the paper says against what was measured. It now
// holds the paper's main recommendation, the choice between scheme 6 and scheme
// 7; each claim is a prediction, a measurement and a verdict.
package claims

import (
	"slices"

	"timerlab/harness/measure"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// Grid is where schemes 6 and 7 are compared: at each M, at T of so many times M,
// with and without stops, at equal total slots.
type Grid struct {
	N      int       // timers outstanding
	Slots  []int     // M, the same in all wheels of scheme 7 together
	Levels []int     // m of scheme 7
	Spans  []float64 // T/M
	Stops  []Stops
	Dist   workload.Dist
	Turns  int // length of a run, in T
	Seed   uint64
}

// Stops is a share of timers that are stopped, at a part of their interval.
type Stops struct{ Share, At float64 }

// The constants c6 and c7 are fitted on one distribution of intervals and then
// judge another, with other T, stops and seeds.
var (
	fitDist   = workload.Uniform()
	judgeDist = workload.Exp()
)

// Grids returns the grid that fits c6 and c7 and the grid that is then judged.
func Grids(n int, slots, levels []int, spans []float64, turns int, seed uint64) (fit, judge Grid) {
	fit = Grid{
		N: n, Slots: []int{slots[0], slots[len(slots)-1]}, Levels: levels, Turns: turns,
		Spans: []float64{0.7, 3, 10, 24}, Stops: []Stops{{}, {0.5, 0.3}}, Dist: fitDist, Seed: seed + 1,
	}
	judge = Grid{
		N: n, Slots: slots, Levels: levels, Turns: turns,
		Spans: spans, Stops: []Stops{{}, {0.9, 0.05}}, Dist: judgeDist, Seed: seed,
	}
	return fit, judge
}

// Cases returns the grid's cells. Every case has the null scheme and the A/A
// pair of scheme 6.
func (g Grid) Cases() []measure.Case {
	var cases []measure.Case
	for _, slots := range g.Slots {
		entrants := g.entrants(slots)
		for _, span := range g.Spans {
			for _, stops := range g.Stops {
				T := schemes.Tick(max(1, span*float64(slots)))
				spec := workload.Spec{
					N: g.N, T: T, Dist: g.Dist, Stop: stops.Share, StopAt: stops.At,
					Ticks: T * schemes.Tick(g.Turns), Seed: g.Seed,
				}
				cases = append(cases, measure.Case{Mode: measure.Lifetimes, Spec: spec, Entrants: slices.Clone(entrants)})
			}
		}
	}
	return cases
}

func (g Grid) entrants(slots int) []measure.Entrant {
	six := measure.NewEntrant(&hashunsorted.Info, slots, 0)
	entrants := append(measure.Controls(six), six)
	for _, m := range g.Levels {
		entrants = append(entrants, measure.NewEntrant(&hierarchical.Info, slots, m))
	}
	return entrants
}
