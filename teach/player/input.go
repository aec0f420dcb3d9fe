package player

import (
	"fmt"
	"slices"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// op is an operation of the run: of the workload, of a trace file, or of the reader's.
type op struct {
	tick     schemes.Tick
	interval schemes.Tick
	id       schemes.ID
	kind     workload.Kind
}

// input is all operations of a run, by tick.
type input struct {
	ops     []op
	first   []int // by tick: the place of its first operation in ops
	prefill int   // the first ops, which bring the workload to its steady state
}

// newInput returns the operations of a state. A timer that the reader has touched is
// the reader's from then on: the workload leaves it alone. New timers get IDs above
// those of the workload, in the order of their starts.
func newInput(s *State, file []Edit) (*input, error) {
	in := &input{}
	next := schemes.ID(0)
	if s.N > 0 {
		trace, err := s.Spec().Trace()
		if err != nil {
			return nil, err
		}
		for _, o := range trace.Ops {
			in.ops = append(in.ops, op{o.Tick, o.Interval, schemes.ID(o.Timer), o.Kind})
		}
		in.prefill, next = trace.Prefill, schemes.ID(trace.Timers)
	}
	if file != nil {
		in.add(file, 0)
		for _, e := range file {
			next = max(next, schemes.ID(e.Timer)+1)
		}
	}
	in.detach(s.Edits)
	edits := slices.Clone(s.Edits)
	for i := range edits {
		if edits[i].Kind == workload.Start {
			edits[i].Timer = uint64(next)
			next++
		}
	}
	in.add(edits, in.prefill)
	in.index(s.Ticks)
	return in, nil
}

// add puts edits after the operations of their ticks.
func (in *input) add(edits []Edit, prefill int) {
	for _, e := range edits {
		in.ops = append(in.ops, op{e.Tick, e.Interval, schemes.ID(e.Timer), e.Kind})
	}
	slices.SortStableFunc(in.ops[prefill:], func(a, b op) int {
		if a.tick != b.tick {
			return int(int64(a.tick) - int64(b.tick))
		}
		return 0
	})
}

// detach drops what the workload would do to timers that the reader has touched.
func (in *input) detach(edits []Edit) {
	touched := map[schemes.ID]schemes.Tick{}
	for _, e := range edits {
		if _, before := touched[schemes.ID(e.Timer)]; e.Kind != workload.Start && !before {
			touched[schemes.ID(e.Timer)] = e.Tick
		}
	}
	in.ops = slices.DeleteFunc(in.ops, func(o op) bool {
		since, ok := touched[o.id]
		return ok && o.tick > since
	})
}

// index computes first, for one tick more than there are.
func (in *input) index(ticks schemes.Tick) {
	in.first = make([]int, ticks+2)
	at := 0
	for tick := range in.first {
		for at < len(in.ops) && in.ops[at].tick < schemes.Tick(tick) {
			at++
		}
		in.first[tick] = at
	}
}

// at returns the operations of a tick. On tick 0 the prefill is among them.
func (in *input) at(tick schemes.Tick) []op { return in.ops[in.first[tick]:in.first[tick+1]] }

// steps returns the steps of a tick: PerTick, Expire and its operations. Tick 0, before
// the clock moves, has only operations, and the prefill is one step.
func (in *input) steps(tick schemes.Tick) int {
	n := len(in.at(tick))
	if tick > 0 {
		return n + 2
	}
	return n - max(0, in.prefill-1)
}

// longest returns the longest interval that is asked for.
func (in *input) longest() (longest schemes.Tick) {
	for _, o := range in.ops {
		longest = max(longest, o.interval)
	}
	return longest
}

// ParseTrace reads a trace file: lines such as "0 start 17 30000", "4 restart 17 30000"
// and "9 stop 17", which are tick, operation, timer and interval. The first one is on tick 0 of the
// run.
func ParseTrace(text string) ([]Edit, error) {
	edits := []Edit{}
	for i, line := range splitLines(text) {
		if line == "" || line[0] == '#' {
			continue
		}
		e, err := parseTraceLine(line)
		if n := len(edits); err == nil && n > 0 && e.Tick < edits[n-1].Tick {
			err = fmt.Errorf("tick %d after %d (ticks must not decrease)", e.Tick, edits[n-1].Tick)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if edits = append(edits, e); len(edits) > maxOps {
			return nil, fmt.Errorf("the file has more than %d operations, which is too much for a page", maxOps)
		}
	}
	if len(edits) == 0 {
		return nil, fmt.Errorf("the file has no operations (use lines such as \"0 start 17 300\")")
	}
	first := edits[0].Tick
	for i := range edits {
		edits[i].Tick -= first
	}
	return edits, nil
}
