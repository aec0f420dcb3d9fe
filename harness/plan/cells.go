package plan

import (
	"timerlab/harness"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
)

// Cells that only claims read are known by a key of their names, and by T: trees and wheels, hashes and
// levels have timedT, ticks with one timer ticksT, operations of few timers fewTimers, and the tick that visits
// a timer on average visitT.
const (
	ownSet = "/set=claims"

	timedT    = 4_000 // intervals of 4 to 37,000 ticks
	ticksT    = 1_000
	hashSlots = 1_024  // a power of two; three fewer is not
	manySlots = 16_384 // as many as scheme 4 would need for half of the intervals
	fewTimers = 2_048  // and their T
	visitT    = 4_096  // and M and n
)

// lapStarts is the least number of starts in a lap, where there are enough timers. Then no lap is below
// the limit of a usual clock, which resolves 20 ns.
const lapStarts = 512

// claimCells returns the workloads by which claims about times are judged: trees against
// wheels with the given numbers of timers, ticks with next to no timers, operations of few timers, hashes, and levels.
// A run has at least about the given number of operations.
func claimCells(sizes []int, operations int, seed uint64) []run.Group {
	var groups []run.Group
	for _, n := range sizes {
		trees := subjects(manySlots, 0, "unordered", "ordered", "tree", "tree-4ary", "tree-bst", "hashsorted",
			"hashunsorted")
		spec := workload.Spec{N: n, T: timedT, Dist: workload.LogUniform, Seed: seed}
		trees = append(trees, subject("hierarchical", 4*256, 4))
		groups = append(groups, group(ownSet, run.Lifetimes, run.Lasting(spec, max(operations, n), trees), trees))
	}
	// Workloads on which single operations are timed, in longer batches than run.Batched makes, at the price
	// of a number of timers that varies more: only the times of single operations are read.
	add := func(n int, T schemes.Tick, subjects []run.Subject) {
		spec, operations := workload.Spec{N: n, T: T, Dist: workload.LogUniform, Seed: seed}, operations
		if n == fewTimers { // intervals that scheme 4 reaches, most of which are stopped
			spec.Dist, spec.Stop, spec.StopAt = workload.Uniform, 0.9, 0.5
		}
		if n < 100 {
			operations /= 8
		}
		batched := run.Batched(spec, operations, subjects)
		if n == fewTimers {
			batched.Every = T / 2 // for laps of STOPs that are long enough
		} else if n >= 2*lapStarts {
			batched.Every = max(batched.Every, T*lapStarts/schemes.Tick(n))
		}
		groups = append(groups, group(ownSet, run.Operations, batched, subjects))
	}
	add(1, ticksT, subjects(manySlots, 0, "simplewheel", "hashunsorted"))
	add(fewTimers, fewTimers,
		append(subjects(manySlots, 4, harness.Names()[:7]...), byKeySubject(manySlots)))
	hashes := subjects(hashSlots, 0, "hashunsorted")
	add(10_000, timedT, append(hashes, subject("hashunsorted", hashSlots-3, 0)))
	add(20_000, timedT, subjects(256, 4, "hashunsorted", "hierarchical"))
	add(visitT, visitT, subjects(visitT, 0, "hashunsorted"))
	return groups
}

// Sets of cells by n, which reach ten million timers. These have fewer rounds.
const (
	orderSet   = "/set=order"
	heapSet    = "/set=heap"
	heapT      = 1_000
	orderT     = 2_000
	byNSlots   = 16_384 // no interval without stops is longer
	tenMillion = 10_000_000
	fewer      = -2 // rounds, of the eight of Full: an interval needs six
)

// orders returns the cells that show how START, STOP and the memory of schemes 6 and 7 grow with n, at one T and M.
func orders(timers []int, operations int, seed uint64) (groups []run.Group) {
	for _, n := range timers {
		all := subjects(byNSlots, 4, "hashunsorted", "hashunsorted-chunked", "tree-4ary")
		all = append(all, wheels("hierarchical", 256, 256, 256, 256), wheels("hierarchical-chunked", 256, 256, 256, 256))
		spec := workload.Spec{N: n, T: orderT, Dist: workload.Exp, Stop: 0.5, StopAt: 0.5, Seed: seed}
		spec = run.Batched(spec, operations, all)
		spec.Every = max(spec.Every, orderT*lapStarts/schemes.Tick(n))
		groups = append(groups, group(orderSet, run.Operations, spec, all))
	}
	return groups
}

// HeapOrWheel returns the cells of what a timer costs in the best heaps, a list and wheels, with n timers: exponential
// intervals, without stops and nearly all stopped.
func HeapOrWheel(timers []int, operations int, seed uint64) (groups []run.Group) {
	for _, n := range timers {
		for _, stops := range []workload.Stops{{}, {Share: 0.99, At: 0.05}} {
			all := subjects(byNSlots, 0, "hashunsorted", "hashunsorted-chunked", "tree-4ary", "tree-lazy")
			all = append(all, wheels("hierarchical", 256, 256, 256, 256), wheels("hierarchical-chunked", 256, 256, 256, 256))
			if n <= 1_000 { // a start costs O(n)
				all = append(all, subject("ordered-rear", 0, 0))
			}
			spec := workload.Spec{N: n, T: heapT, Dist: workload.Exp, Stop: stops.Share, StopAt: stops.At, Seed: seed}
			groups = append(groups, group(heapSet, run.Lifetimes, run.Lasting(spec, operations, all), all))
		}
	}
	return groups
}

// lowestWheels returns the cells of the longest PerTick of scheme 7 by the size of its lowest wheel, at n timers. A wheel
// of few slots wraps often, and one of many slots has more timers to migrate then. All cells have the same ticks, up to
// beyond the one on which the second of the largest wheels wraps.
func lowestWheels(n int, seed uint64) run.Group {
	const upper, widest = 256, 4096
	all := subjects(widest, 0)
	for _, name := range []string{
		"hierarchical", "hierarchical-chunked", "hierarchical-ahead", "hierarchical-ahead-chunked",
	} {
		for lowest := 16; lowest <= widest; lowest *= 4 {
			all = append(all, wheels(name, lowest, upper, upper))
		}
	}
	spec := workload.Spec{N: n, T: 100_000, Dist: workload.Exp, Ticks: widest*upper + widest, Seed: seed}
	return group("/set=lowest", run.Latency, spec, all)
}

// coldLifetimes returns the cells of what a lifetime costs where an application uses the caches between ticks, or the
// collector marks its heap.
func coldLifetimes(n int, seed uint64) run.Group {
	const (
		wheel = 256
		ticks = 2 * wheel // before each of which 8 MiB are written, in some 0.5 s altogether
	)
	var all []run.Subject
	for _, cold := range []run.Cold{{}, {Touched: 1}, {Touched: 8}, {Collected: 1024}} {
		here := append(subjects(manySlots, 0, "tree", "hashunsorted", "hashunsorted-chunked"),
			wheels("hierarchical", wheel, wheel, wheel, wheel), wheels("hierarchical-chunked", wheel, wheel, wheel, wheel))
		for i := range here {
			here[i].Cold = cold
		}
		all = append(all, here...)
	}
	spec := workload.Spec{N: n, T: 10_000, Dist: workload.Exp, Ticks: ticks, Seed: seed}
	return group("/set=cold", run.Lifetimes, spec, all)
}

// group returns cells of a set of their own.
func group(set string, mode run.Mode, spec workload.Spec, subjects []run.Subject) run.Group {
	for i := range subjects {
		subjects[i].Tag = set
	}
	return run.Group{Mode: mode, Spec: spec, Subjects: subjects}
}

// subject returns a scheme of the registry by a name that is known to be there.
func subject(name string, slots, levels int) run.Subject {
	info, err := harness.Find(name)
	if err != nil {
		panic(err) // the names are written here, or parsed before
	}
	return run.NewSubject(info, slots, levels)
}

// wheels returns a form of scheme 7 with wheels of these sizes, lowest first.
func wheels(name string, levels ...int) run.Subject {
	s := subject(name, len(levels), len(levels))
	s.Levels = levels
	s.Slots = s.TotalSlots()
	return s
}

// subjects returns the controls and schemes with as many slots.
func subjects(slots, levels int, names ...string) []run.Subject {
	all := run.Controls(subject("hashunsorted", slots, 0))
	for _, name := range names {
		all = append(all, subject(name, slots, levels))
	}
	return all
}

// byKey is scheme 6 for clients that keep no handle: it finds a timer by its ID, which is unique
// among the outstanding ones of a trace, in a hash table.
type byKey struct {
	schemes.Scheme
	handles map[schemes.ID]schemes.Handle
	action  func(schemes.ID)
	expired func(schemes.ID)
}

func byKeySubject(slots int) run.Subject {
	info := hashunsorted.Info
	info.Name = "hashunsorted-bykey"
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.New(cfg)
		if err != nil {
			return nil, err
		}
		b := &byKey{Scheme: s, handles: make(map[schemes.ID]schemes.Handle, cfg.Capacity)}
		b.expired = func(id schemes.ID) {
			delete(b.handles, id)
			b.action(id)
		}
		return b, nil
	}
	return run.NewSubject(&info, slots, 0)
}

// Start returns the ID and one as the handle: the zero handle names no timer.
func (b *byKey) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, err := b.Scheme.Start(interval, id)
	if err != nil {
		return 0, err
	}
	b.handles[id] = h
	return schemes.Handle(id) + 1, nil
}

func (b *byKey) Stop(key schemes.Handle) bool {
	id := schemes.ID(key - 1)
	h, ok := b.handles[id]
	delete(b.handles, id)
	return ok && b.Scheme.Stop(h)
}

func (b *byKey) Expire(action func(schemes.ID)) {
	b.action = action
	b.Scheme.Expire(b.expired)
}
