package player

import (
	"cmp"
	"fmt"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Op is an operation of the reader's, which comes at the end of its tick's operations. A Start has no Timer: it gets
// an ID when it is applied.
type Op workload.Op

// String returns an edit as a link has it: 3:start:40, 5:stop:7, 6:restart:7:40.
func (o Op) String() string {
	switch o.Kind {
	case workload.Start:
		return fmt.Sprintf("%d:start:%d", o.Tick, o.Interval)
	case workload.Stop:
		return fmt.Sprintf("%d:stop:%d", o.Tick, o.Timer)
	}
	return fmt.Sprintf("%d:restart:%d:%d", o.Tick, o.Timer, o.Interval)
}

// ParseEdit reads what Op.String writes, with numbers that a page can hold.
func ParseEdit(text string) (o Op, err error) {
	scan := func(form string, numbers ...any) bool {
		_, err := fmt.Sscanf(text+"\n", form+"\n", numbers...)
		return err == nil && max(o.Tick, o.Interval) <= maxNumber
	}
	switch {
	case scan("%d:start:%d", &o.Tick, &o.Interval):
		o.Kind = workload.Start
	case scan("%d:stop:%d", &o.Tick, &o.Timer):
		o.Kind = workload.Stop
	case scan("%d:restart:%d:%d", &o.Tick, &o.Timer, &o.Interval):
		o.Kind = workload.Restart
	default:
		return o, fmt.Errorf("invalid edit %q (use TICK:start:INTERVAL, TICK:stop:ID or TICK:restart:ID:INTERVAL)", text)
	}
	return o, nil
}

// input is all operations of a run, by tick.
type input struct {
	ops     []workload.Op
	first   []int // by tick: the place of its first operation in ops
	prefill int   // the first ops, which bring the workload to its steady state
}

// newInput returns the operations of a state. A timer that the reader has touched is the reader's from then on:
// the workload leaves it alone. New timers have IDs above all others, in the order of their starts.
func newInput(s *State) (*input, error) {
	in := &input{}
	next := uint32(0)
	if s.N > 0 {
		trace, err := s.Spec().Trace()
		if err != nil {
			return nil, err
		}
		in.ops, in.prefill, next = trace.Ops, trace.Prefill, uint32(trace.Timers)
	}
	touched := map[uint32]schemes.Tick{} // since when
	for _, e := range s.Edits {
		if _, before := touched[e.Timer]; e.Kind != workload.Start && !before {
			touched[e.Timer] = e.Tick
		}
	}
	in.ops = slices.DeleteFunc(in.ops, func(o workload.Op) bool {
		since, ok := touched[o.Timer]
		return ok && o.Tick > since
	})
	for _, e := range s.Edits {
		if e.Kind == workload.Start {
			e.Timer = next
			next++
		}
		in.ops = append(in.ops, workload.Op(e))
	}
	slices.SortStableFunc(in.ops[in.prefill:], func(a, b workload.Op) int { return cmp.Compare(a.Tick, b.Tick) })
	in.first = make([]int, s.Ticks+2) // one tick more than there are
	at := 0
	for tick := range in.first {
		for at < len(in.ops) && in.ops[at].Tick < schemes.Tick(tick) {
			at++
		}
		in.first[tick] = at
	}
	return in, nil
}

// at returns the operations of a tick. On tick 0 the prefill is among them.
func (in *input) at(tick schemes.Tick) []workload.Op { return in.ops[in.first[tick]:in.first[tick+1]] }

// steps returns the steps of a tick: PerTick, Expire and its operations. Tick 0, before
// the clock moves, has only operations, and the prefill is one step.
func (in *input) steps(tick schemes.Tick) int {
	n := len(in.at(tick))
	if tick > 0 {
		return n + 2
	}
	return n - max(0, in.prefill-1)
}

// operations returns the operations of a step that is neither PerTick nor Expire.
func (in *input) operations(tick schemes.Tick, step int) []workload.Op {
	ops := in.at(tick)
	switch {
	case tick > 0:
		return ops[step-2 : step-1]
	case step == 0 && in.prefill > 0:
		return ops[:in.prefill]
	}
	step += max(0, in.prefill-1)
	return ops[step : step+1]
}
