package main

import (
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/tree"
)

// lowestWheels measures the longest PerTick of scheme 7 by the size of its lowest wheel, at n timers. A wheel of few
// slots wraps often, and one of many slots has more timers to migrate then. All cells have the same ticks, up to beyond
// the one on which the second of the largest wheels wraps.
func lowestWheels(n int, seed uint64) run.Group {
	const (
		T      = 100_000
		upper  = 256
		widest = 4096
	)
	g := run.Group{Mode: run.Latency, Spec: workload.Spec{
		N: n, T: T, Dist: workload.Exp, Ticks: widest*upper + widest, Seed: seed,
	}}
	g.Subjects = run.Controls(run.NewSubject(&hashunsorted.Info, widest, 0))
	for _, info := range []*schemes.Info{
		&hierarchical.Info, &hierarchical.Chunked, &hierarchical.Ahead, &hierarchical.AheadChunked,
	} {
		for lowest := 16; lowest <= widest; lowest *= 4 {
			seven := run.Subject{Label: info.Name, Info: info, Levels: []int{lowest, upper, upper}}
			seven.Slots = seven.TotalSlots()
			g.Subjects = append(g.Subjects, seven)
		}
	}
	for i := range g.Subjects {
		g.Subjects[i].Tag = "/set=lowest"
	}
	return g
}

// coldLifetimes measures what a lifetime costs where an application uses the caches between ticks, or the collector marks
// its heap.
func coldLifetimes(n int, seed uint64) run.Group {
	const (
		T     = 10_000
		slots = 16_384
		wheel = 256
		ticks = 2 * wheel // before each of which 8 MiB are written, in some 0.5 s altogether
	)
	g := run.Group{Mode: run.Lifetimes, Spec: workload.Spec{N: n, T: T, Dist: workload.Exp, Ticks: ticks, Seed: seed}}
	for _, cold := range []run.Cold{{}, {Touched: 1}, {Touched: 8}, {Collected: 1024}} {
		all := run.Controls(run.NewSubject(&hashunsorted.Info, slots, 0))
		for _, info := range []*schemes.Info{
			&tree.Info, &hashunsorted.Info, &hashunsorted.Chunked, &hierarchical.Info, &hierarchical.Chunked,
		} {
			s := run.NewSubject(info, slots, 1)
			if info.Kind.HasLevels() {
				s = run.NewSubject(info, 4*wheel, 4)
			}
			all = append(all, s)
		}
		for i := range all {
			all[i].Cold, all[i].Tag = cold, "/set=cold"
		}
		g.Subjects = append(g.Subjects, all...)
	}
	return g
}

// dividing measures what it costs that a start and a migration divide where slots are not powers of two: wheels of 60, 60
// and 24 slots beside wheels of 64, 64 and 16, which are as many in all. All other wheels of a plan have 2^k slots.
func dividing(T schemes.Tick, operations int, seed uint64) []run.Group {
	const slots = 60 + 60 + 24
	subjects := run.Controls(run.NewSubject(&hashunsorted.Info, slots, 0))
	for _, info := range []*schemes.Info{&hierarchical.Info, &hierarchical.Chunked} {
		for _, levels := range [][]int{{60, 60, 24}, {64, 64, 16}} {
			subjects = append(subjects, run.Subject{Label: info.Name, Info: info, Slots: slots, Levels: levels})
		}
	}
	for i := range subjects {
		subjects[i].Tag = "/set=dividing"
	}
	spec := workload.Spec{N: 10_000, T: T, Dist: workload.Exp, Seed: seed}
	return []run.Group{
		{Mode: run.Operations, Spec: run.Batched(spec, operations, subjects), Subjects: subjects},
		{Mode: run.Lifetimes, Spec: run.Lasting(spec, operations, subjects), Subjects: subjects},
	}
}
