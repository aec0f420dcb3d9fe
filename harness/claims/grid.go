package claims

import (
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Grid is where schemes 6 and 7 are compared: at every M and T, with and without
// stops, at equal total slots.
type Grid struct {
	N      int            // timers outstanding
	Slots  []int          // M, ascending: the same in all wheels of scheme 7 together
	Levels []int          // m of scheme 7, ascending
	Means  []schemes.Tick // T
	Stops  []Stops
	Dist   workload.Dist
	Turns  int // length of a run, in T, rounded up to whole turns of the lowest wheels
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

// Fitting returns the grid on which c6 and c7 are fitted before they judge g.
func (g Grid) Fitting() Grid {
	g.Slots = []int{g.Slots[0], g.Slots[len(g.Slots)-1]}
	g.Means = []schemes.Tick{180, 700, 3_000, 11_000, 40_000}
	g.Stops = []Stops{{}, {0.5, 0.3}}
	g.Dist = fitDist
	g.Seed++
	return g
}

// Judging returns g with the distribution and the stops that are judged.
func (g Grid) Judging() Grid {
	g.Stops = []Stops{{}, {0.9, 0.05}}
	g.Dist = judgeDist
	return g
}

// Cases returns the grid's cells. Every case has the null scheme and the A/A
// pair of scheme 6.
func (g Grid) Cases() []run.Group {
	var cases []run.Group
	for _, slots := range g.Slots {
		for _, T := range g.Means {
			for _, stops := range g.Stops {
				spec := stoppedAt(hold(g.N, T, g.Dist), stops.Share, stops.At)
				spec.Ticks, spec.Seed = g.ticks(T), g.Seed
				cases = append(cases, run.Group{Mode: run.Lifetimes, Spec: spec, Subjects: g.subjects(slots)})
			}
		}
	}
	return cases
}

// ticks returns the length of a run: whole turns of the largest lowest wheel,
// since timers migrate at the end of its revolution.
func (g Grid) ticks(T schemes.Tick) schemes.Tick {
	turn := schemes.Tick(g.Slots[len(g.Slots)-1] / g.Levels[0])
	return (T*schemes.Tick(g.Turns) + turn - 1) / turn * turn
}

func (g Grid) subjects(slots int) []run.Subject {
	all := subjects(slots, 0, sixName)
	for _, m := range g.Levels {
		all = append(all, subject(sevenName, slots, m))
	}
	return all
}
