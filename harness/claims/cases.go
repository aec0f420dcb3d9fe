package claims

import (
	"timerlab/harness"
	"timerlab/harness/results"
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

// Own reports whether a cell is of a set of its own, which claims or one table read. Curves and the choice between 6 and
// 7 are drawn from others.
func Own(k results.Key) bool { return k.Value("set") != "" }

// lapStarts is the least number of starts in a lap, where there are enough timers. Then no lap is below
// the limit of a usual clock, which resolves 20 ns.
const lapStarts = 512

// Cases returns the workloads by which claims about times are judged: trees against
// wheels with the given numbers of timers, ticks with next to no timers, operations of few timers, hashes, and levels.
// A run has at least about the given number of operations.
func Cases(sizes []int, operations int, seed uint64) []run.Group {
	var groups []run.Group
	group := func(mode run.Mode, spec workload.Spec, subjects []run.Subject) {
		for i := range subjects {
			subjects[i].Tag = ownSet
		}
		groups = append(groups, run.Group{Mode: mode, Spec: spec, Subjects: subjects})
	}
	for _, n := range sizes {
		trees := subjects(manySlots, 0, "unordered", "ordered", "tree", "tree-4ary", "tree-256ary", "tree-bst",
			"hashsorted", "hashunsorted")
		spec := workload.Spec{N: n, T: timedT, Dist: workload.LogUniform, Seed: seed}
		trees = append(trees, subject("hierarchical", 4*256, 4))
		group(run.Lifetimes, run.Lasting(spec, max(operations, n), trees), trees)
	}
	// Workloads on which single operations are timed or counted, in longer batches than run.Batched makes, at the price
	// of a number of timers that varies more: only the times of single operations are read.
	add := func(mode run.Mode, n int, T schemes.Tick, subjects []run.Subject) {
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
		group(mode, batched, subjects)
	}
	add(run.Operations, 1, ticksT, subjects(manySlots, 0, "simplewheel", "hashunsorted"))
	add(run.Operations, fewTimers, fewTimers,
		append(subjects(manySlots, 4, harness.Names()[:7]...), byKeySubject(manySlots)))
	hashes := subjects(hashSlots, 0, "hashunsorted", "hashunsorted-absolute", "hashunsorted-mulhash")
	add(run.Operations, 10_000, timedT, append(hashes, subject("hashunsorted", hashSlots-3, 0)))
	add(run.Operations, 20_000, timedT, subjects(256, 4, "hashunsorted", "hierarchical"))
	add(run.Instructions, 1, ticksT, subjects(manySlots, 0, "hashunsorted"))
	add(run.Instructions, fewTimers, fewTimers, subjects(manySlots, 4, "hashunsorted", "hierarchical"))
	for _, mode := range []run.Mode{run.Operations, run.Instructions} {
		add(mode, visitT, visitT, subjects(visitT, 0, "hashunsorted"))
	}
	return groups
}

// subject returns a scheme of the registry by a name that is known to be there.
func subject(name string, slots, levels int) run.Subject {
	info, err := harness.Find(name)
	if err != nil {
		panic(err) // the names are written here, or parsed before
	}
	return run.NewSubject(info, slots, levels)
}

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
