package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// Plan is what is to be measured in this process: every group, in every round. The
// seed shuffles groups within a round and subjects within a group.
type Plan struct {
	Groups []Group
	Rounds int
	Seed   uint64
	Limits Limits
	Clock  ClockQuality // zero: it is measured

	Earlier *results.Table // what the file has that the run continues; nil: nothing
}

// Group is one workload and its subjects, which run in turn.
type Group struct {
	Mode     Mode
	Spec     workload.Spec
	Subjects []Subject
}

// Mode is what a run times, by the name under which it is skipped or fails.
type Mode string

const (
	// Operations times Start, Stop, PerTick and Expire separately, in batches, and
	// measures the bytes that the scheme holds. The workload's operations come at
	// multiples of Spec.Every, so that a batch is long compared with a reading of the
	// clock.
	Operations Mode = results.OperationsOp
	// Lifetimes times the whole run, per timer that ended in it. Nothing is timed
	// within.
	Lifetimes Mode = results.LifetimeOp
	// Latency times every PerTick on its own, for percentiles.
	Latency Mode = results.LatencyOp
	// Instructions counts retired instructions of the operations that Operations times. Reading
	// the counter takes longer than reading the clock, so nothing is timed meanwhile.
	Instructions Mode = results.InstructionsOp
)

// cellName names a cell of this mode.
func (m Mode) cellName(keys string) string { return string(m) + "/" + keys }

// ErrOutcome means that the outcome of a run was not that of its trace.
var ErrOutcome = errors.New("wrong outcome")

// Run measures the plan until it is done, or ctx is, after the sample in progress.
// Wrong outcomes are reported to the sink; at the end they make an error wrapping
// ErrOutcome.
func (p Plan) Run(ctx context.Context, sink Sink, progress Progress) error {
	if p.Clock == (ClockQuality{}) {
		p.Clock = MeasureClock()
	}
	prep := preparation{
		Plan: p, sink: sink,
		seen: map[string]workload.Spec{}, traces: map[workload.Spec]*workload.Trace{},
	}
	if err := prep.run(ctx, progress); err != nil {
		return err
	}
	// The collector runs only between samples, in LiveHeap, so that garbage from one
	// is not charged to the next.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	r := Runner{Cells: prep.cells, Seed: p.Seed, Computes: true, Done: p.done, Begin: func(round int) error {
		if p.done(results.SpinName, round) {
			return nil
		}
		return sink.Result(spin())
	}}
	tally, err := r.Run(ctx, sink, progress)
	if tally.Failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d runs: %w", tally.Failed, tally.Made, ErrOutcome))
	}
	return err
}

// done reports whether an earlier run made the sample of a cell in a round.
func (p Plan) done(name string, round int) bool {
	return p.Earlier != nil && p.Earlier.Has(name, round)
}

// Split leaves the groups that are in a shard. It changes the shard's Plan.
func (p *Plan) Split(s *results.Shard) {
	var names []string
	for _, g := range p.Groups {
		for _, subject := range g.Subjects {
			names = append(names, g.Mode.cellName(Name(g.Spec, subject)))
		}
	}
	keep := s.Split(names, p.Seed)
	p.Groups = slices.DeleteFunc(p.Groups, func(g Group) bool { return !keep(g.Mode.cellName(streamName(g.Spec))) })
}

// preparation makes the traces, which takes no part in any time, and skips what
// cannot run.
type preparation struct {
	Plan
	sink   Sink
	cells  []Cell
	seen   map[string]workload.Spec // by the names of cells
	traces map[workload.Spec]*workload.Trace
	bytes  int64 // of traces
}

func (p *preparation) run(ctx context.Context, progress Progress) error {
	for i, g := range p.Groups {
		progress(0, 0, fmt.Sprintf("workload %d of %d", i+1, len(p.Groups)))
		t, err := p.trace(g.Spec)
		if err != nil {
			return err
		}
		if t != nil {
			if err := p.sink.Stream(g.Mode.cellName(streamName(g.Spec)), t.Hash); err != nil {
				return err
			}
		}
		for _, s := range g.Subjects {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := p.admit(i, s, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// trace returns the trace of a workload, which groups share, or nil if it would
// take more memory than is left: all are kept until the plan is done.
func (p *preparation) trace(s workload.Spec) (*workload.Trace, error) {
	if t, ok := p.traces[s]; ok {
		return t, nil
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	if p.bytes+generationBytes(s) > p.Limits.Memory {
		p.traces[s] = nil
		return nil, nil
	}
	t, err := s.Trace()
	if err != nil {
		return nil, err
	}
	p.traces[s] = t
	p.bytes += opBytes * int64(len(t.Ops))
	return t, nil
}

// admit adds a subject's cell, or skips it. A cell that an earlier group has already,
// as controls may be, is measured once: two samples in a round would count as two
// rounds.
func (p *preparation) admit(group int, s Subject, t *workload.Trace) error {
	g := p.Groups[group]
	name := g.Mode.cellName(Name(g.Spec, s))
	if known, ok := p.seen[name]; ok {
		if known != g.Spec {
			return fmt.Errorf("run: %s is planned with two lengths or seeds", name)
		}
		return nil
	}
	p.seen[name] = g.Spec
	if p.Earlier != nil && p.Earlier.Skipped(name) {
		return nil
	}
	why := fmt.Sprintf("the workload and those before it would take more than %d MB", p.Limits.Memory>>20)
	switch {
	case t != nil && t.Lifetimes() == 0:
		why = "no timer ends within the run"
	case t != nil && p.done(name, 0): // measured before, though a limit may be passed now
		why = ""
	case t != nil:
		why = p.Limits.Skip(s, t)
	}
	if why != "" {
		return p.sink.Skip(name, why)
	}
	p.cells = append(p.cells, Cell{
		Name: name, Rounds: p.Rounds, Group: group,
		Sample: func(context.Context, int) ([]results.Result, error) { return runOnce(g.Mode, s, t, p.Clock) },
	})
	return nil
}
