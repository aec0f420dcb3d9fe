package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"timerlab/harness/results"

	"timerlab/harness/workload"
)

// Plan is what is to be measured: every case, in every round, with all its
// subjects in turn. The order of cases in a round and of subjects in a case is
// shuffled by the seed.
type Plan struct {
	Groups []Group
	Rounds int
	Seed   uint64
	Limits Limits
	Clock  ClockQuality // zero: it is measured
}

// Limits bound one run. A cell predicted to exceed them is skipped.
type Limits struct {
	Run    time.Duration // of one run, its prefill included
	Memory int64         // bytes: of the scheme and client of one run, and as many for all workloads together
}

// Sink takes what a plan measures, as it comes. An error ends the measuring.
type Sink interface {
	RowSink
	Stream(workload string, hash uint64) error // of the operations that a workload stands for
}

// Progress is told before each run; runs is how many there are in all, or 0 while
// workloads are made.
type Progress func(run, runs int, what string)

// ErrOutcome says that runs did not come to the outcome of their traces.
var ErrOutcome = errors.New("wrong outcome")

// Run measures the plan until it is done or ctx is, when it ends behind the
// present run. Runs with a wrong outcome are told to the sink; their number is an
// error wrapping ErrOutcome at the end.
func (p Plan) Run(ctx context.Context, sink Sink, progress Progress) error {
	x := execution{
		sink: sink, clock: p.Clock, progress: progress,
		seen: map[string]workload.Spec{}, traces: map[workload.Spec]*workload.Trace{},
	}
	if x.clock == (ClockQuality{}) {
		x.clock = MeasureClock()
	}
	err := x.prepare(ctx, p)
	if err == nil {
		err = x.rounds(ctx, p)
	}
	if x.failures > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d runs: %w", x.failures, x.run, ErrOutcome))
	}
	return err
}

// rounds runs without the garbage collector, which LiveHeap calls between runs:
// what one run leaves is not the next one's to pay.
func (x *execution) rounds(ctx context.Context, p Plan) error {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for round := range p.Rounds {
		if err := x.sink.Round(round); err != nil {
			return err
		}
		random := rand.New(rand.NewPCG(p.Seed, uint64(round)))
		if err := x.spin(); err != nil {
			return err
		}
		for _, c := range random.Perm(len(x.cases)) {
			if err := x.runCase(ctx, x.cases[c], random, round); err != nil {
				return err
			}
		}
	}
	return nil
}

// execution is a plan on its way.
type execution struct {
	sink      Sink
	clock     ClockQuality
	progress  Progress
	cases     []readyGroup
	seen      map[string]workload.Spec // by the names of cells
	traces    map[workload.Spec]*workload.Trace
	held      int64 // bytes of traces
	run, runs int
	failures  int
}

// readyGroup is a case with its trace, and the subjects that are not skipped.
type readyGroup struct {
	mode     Mode
	trace    *workload.Trace
	subjects []Subject
}

// prepare makes the traces, which takes no part in any time, and skips what
// cannot run.
func (x *execution) prepare(ctx context.Context, p Plan) error {
	for i, c := range p.Groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.progress(0, 0, fmt.Sprintf("workload %d of %d", i+1, len(p.Groups)))
		t, err := x.trace(c.Spec, p.Limits)
		if err != nil {
			return err
		}
		if t != nil {
			if err := x.sink.Stream(c.Mode.prefix()+streamName(c.Spec), t.Hash); err != nil {
				return err
			}
		}
		ready := readyGroup{mode: c.Mode, trace: t}
		if ready.subjects, err = x.admit(c, t, p.Limits); err != nil {
			return err
		}
		x.cases = append(x.cases, ready)
		x.runs += p.Rounds * len(ready.subjects)
	}
	return nil
}

// trace returns the trace of a workload, which cases share, or nil if it would
// take more memory than is left: all are kept until the plan is done.
func (x *execution) trace(s workload.Spec, l Limits) (*workload.Trace, error) {
	if t, ok := x.traces[s]; ok {
		return t, nil
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	if x.held+makingBytes(s) > l.Memory {
		x.traces[s] = nil
		return nil, nil
	}
	t, err := s.Trace()
	if err != nil {
		return nil, err
	}
	x.traces[s] = t
	x.held += opBytes * int64(len(t.Ops))
	return t, nil
}

// admit returns the subjects of a case that are to run. A cell that an earlier
// case has already, as controls may be, is measured once: two samples in a round
// would count as two rounds.
func (x *execution) admit(c Group, t *workload.Trace, l Limits) ([]Subject, error) {
	tooLarge := fmt.Sprintf("the workload and those before it would take more than %d MB", l.Memory>>20)
	var admitted []Subject
	for _, e := range c.Subjects {
		name := c.Mode.prefix() + Name(c.Spec, e)
		if known, ok := x.seen[name]; ok {
			if known != c.Spec {
				return nil, fmt.Errorf("%s is planned with two lengths or seeds, allowed one", name)
			}
			continue
		}
		x.seen[name] = c.Spec
		why := tooLarge
		if t != nil {
			why = skip(e, t, l)
		}
		if why != "" {
			if err := x.sink.Skip(name, why); err != nil {
				return nil, err
			}
			continue
		}
		admitted = append(admitted, e)
	}
	return admitted, nil
}

func (x *execution) runCase(ctx context.Context, c readyGroup, random *rand.Rand, round int) error {
	for _, k := range random.Perm(len(c.subjects)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := c.subjects[k]
		keys := Name(c.trace.Spec, e)
		x.progress(x.run, x.runs, fmt.Sprintf("round %d, %s", round+1, keys))
		x.run++
		results, err := runOnce(c.mode, e, c.trace, x.clock)
		if err != nil {
			x.failures++
			if err := x.sink.Fail(c.mode.prefix()+keys, err); err != nil {
				return err
			}
			continue
		}
		for _, r := range results {
			if err := x.sink.Result(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// spin times a fixed piece of work that no scheme takes part in: by its spread
// the machine's own noise can be told from a scheme's.
func (x *execution) spin() error {
	const turns = 1_000_000
	begun := read()
	state := uint64(turns)
	for range turns {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
	}
	took := read() - begun
	r := results.Result{Name: results.SpinName, Iters: turns}
	r.Add(float64(took)/turns, results.NsPerOp)
	if state == 0 { // never: xorshift has no path to 0; keeps the loop
		return errors.New("spin")
	}
	return x.sink.Result(r)
}

func (m Mode) prefix() string {
	return [...]string{Operations: results.OperationsOp, Lifetimes: results.LifetimeOp, Latency: results.LatencyOp}[m] + "/"
}
