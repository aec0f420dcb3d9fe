package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"

	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
)

// Plan is what is to be measured: every group, in every round. A process measures one round. The seed shuffles
// groups within it and subjects within a group.
type Plan struct {
	Groups []Group
	Rounds int // in all, but for groups with More
	Passes int // of a lifetime in a round, at least: see passes; 0: 1
	Round  int // that this process measures
	Seed   uint64
	Limits Limits

	Earlier *results.Table // what the file has that the run continues; nil: nothing
}

// Group is one workload and its subjects, which run in turn.
type Group struct {
	Mode     Mode
	Spec     workload.Spec
	Subjects []Subject
	More     int // rounds, beyond those of the plan; below 0: fewer
}

// Passes is how many passes a lifetime has at least, where the time allows it: the least of three is rarely disturbed.
const Passes = 3

// passes returns how many passes a lifetime has: the shorter its run, the more, as a short one is easily disturbed.
func (p Plan) passes(t *workload.Trace) int {
	const most, lives = 6, 60_000 // that end in all passes, which takes a millisecond or more
	return max(p.Passes, min(most, lives/int(max(1, t.Lifetimes()))))
}

// AllRounds returns how many processes measure the plan: the last ones only groups with More.
func (p Plan) AllRounds() int {
	rounds := p.Rounds
	for _, g := range p.Groups {
		rounds = max(rounds, p.Rounds+g.More)
	}
	return rounds
}

// Mode is what a run times, by the name under which it is skipped or fails.
type Mode string

const (
	// Operations times Start, Stop, PerTick and Expire separately, in batches, and measures the bytes that the scheme
	// holds. The workload's operations come at multiples of Spec.Every, so that a batch is long compared with a reading
	// of the clock.
	Operations Mode = units.OperationsOp
	// Lifetimes times the whole run, per timer that ended in it. Nothing is timed within.
	Lifetimes Mode = units.LifetimeOp
	// Latency times every PerTick on its own, for percentiles.
	Latency Mode = units.LatencyOp
)

func (m Mode) cellName(keys string) string { return string(m) + "/" + keys }

// ErrOutcome means that a run and its trace had different outcomes.
var ErrOutcome = errors.New("wrong outcome")

// Run measures the round until it is done, or ctx is, after the sample in progress.
// Wrong outcomes are reported to the sink; if the round comes to its end all the same, they make an error wrapping
// ErrOutcome, after which the next round may be measured. Progress is over the samples of all rounds.
func (p Plan) Run(ctx context.Context, sink Sink, progress Progress) error {
	cells, err := p.prepare(ctx, sink, progress)
	if err != nil {
		return err
	}
	// The collector runs only between passes, so that garbage from one is not charged to the next.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.LockOSThread() // whose CPU time is measured
	defer runtime.UnlockOSThread()
	r := Runner{Cells: cells, Rounds: []int{p.Round}, Seed: p.Seed, Done: p.measured, Begin: func(round int) error {
		if p.measured(units.SpinName, round) {
			return nil
		}
		const turns = 1_000_000 // of the noise probe, whose spread is the machine's own noise
		spin := results.Result{Name: units.SpinName, Iters: turns}
		spin.Add(float64(probe(turns))/turns, units.NsPerOp)
		return sink.Result(spin)
	}}
	made, failed, err := r.Run(ctx, sink, progress)
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d runs: %w", failed, made, ErrOutcome)
	}
	return err
}

// measured reports whether an earlier run made the sample of a cell in a round.
func (p Plan) measured(name string, round int) bool {
	return p.Earlier != nil && p.Earlier.Has(name, round)
}

// prepare makes the traces, which takes no part in any time, skips what cannot run, and returns the cells of the rest,
// also cells that have their sample of this round. A cell of two groups, as a control may be, is measured once: two
// samples in a round would count as two rounds.
func (p Plan) prepare(ctx context.Context, sink Sink, progress Progress) (cells []Cell, err error) {
	// All traces are kept until the plan is done, and groups share them. One is nil if it would take more memory than is
	// left.
	traces, memory := map[workload.Spec]*workload.Trace{}, int64(0)
	seen := map[string]workload.Spec{} // by the names of cells
	timers := 0                        // of the runs since garbage was collected
	limit := ClockLimit()
	for i, g := range p.Groups {
		progress(0, 0, fmt.Sprintf("workload %d of %d", i+1, len(p.Groups)))
		if err := g.Spec.Check(); err != nil {
			return nil, err
		}
		told := false // the stream
		for _, s := range g.Subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			name := g.Mode.cellName(Name(g.Spec, s))
			known, ok := seen[name]
			seen[name] = g.Spec
			c := Cell{Name: name, Rounds: p.Rounds + g.More, Group: i}
			switch {
			case ok && known != g.Spec:
				return nil, fmt.Errorf("run: %s is planned with two lengths or seeds", name)
			case ok, p.Earlier != nil && p.Earlier.Skipped(name):
				continue
			case p.Round >= c.Rounds, p.measured(name, p.Round):
				cells = append(cells, c)
				continue
			}
			t, ok := traces[g.Spec]
			if !ok {
				const opBytes = 24
				ops := float64(g.Spec.N) + g.Spec.Rate()*float64(g.Spec.Ticks)*(1+g.Spec.Stop) // an estimate
				if memory+int64(min(2*opBytes*ops, math.MaxInt64/2)) <= p.Limits.Memory {      // twice while it is generated
					if t, err = g.Spec.Trace(); err != nil {
						return nil, err
					}
					memory += opBytes * int64(len(t.Ops))
				}
				traces[g.Spec] = t
			}
			if t != nil && !told && p.Round == 0 { // of the other rounds it is the same
				if err := sink.Stream(results.ParseKey(name).Stream(), t.Hash); err != nil {
					return nil, err
				}
				told = true
			}
			var why results.Reason
			switch {
			case t == nil:
				why = reasonf(results.TooLarge, "the workload and those before it would take more than %d MB", p.Limits.Memory>>20)
			case t.Lifetimes() == 0:
				why = reasonf(results.NothingEnds, "no timer ends within the run")
			case !p.measured(name, 0): // else it was measured before, though a limit may be passed now
				why = p.Limits.Skip(s, t)
			}
			if why.Kind != "" {
				if err := sink.Skip(name, why); err != nil {
					return nil, err
				}
				continue
			}
			clock := drive.Clock // of what is timed singly
			if g.Mode == Lifetimes && s.Cold == (Cold{}) {
				clock, c.Passes = ThreadTime, p.passes(t)
			}
			var passes []pass
			c.Sample = func(context.Context, int) ([]results.Result, error) {
				if timers += t.Timers; timers > 1_000_000 { // some 50 MB
					runtime.GC() // which takes as long as a short run
					timers = 0
				}
				made, err := runOnce(g.Mode, s, t, clock, limit)
				if err != nil {
					return nil, err
				}
				passes = append(passes, made)
				return merge(passes), nil
			}
			cells = append(cells, c)
		}
	}
	return cells, nil
}
