package player

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	for _, e := range file {
		in.ops = append(in.ops, op{e.Tick, e.Interval, schemes.ID(e.Timer), e.Kind})
		next = max(next, schemes.ID(e.Timer)+1)
	}
	touched := map[schemes.ID]schemes.Tick{} // since when
	for _, e := range s.Edits {
		if _, before := touched[schemes.ID(e.Timer)]; e.Kind != workload.Start && !before {
			touched[schemes.ID(e.Timer)] = e.Tick
		}
	}
	in.ops = slices.DeleteFunc(in.ops, func(o op) bool {
		since, ok := touched[o.id]
		return ok && o.tick > since
	})
	for _, e := range s.Edits {
		id := schemes.ID(e.Timer)
		if e.Kind == workload.Start {
			id = next
			next++
		}
		in.ops = append(in.ops, op{e.Tick, e.Interval, id, e.Kind})
	}
	slices.SortStableFunc(in.ops[in.prefill:], func(a, b op) int { return cmp.Compare(a.tick, b.tick) })
	in.first = make([]int, s.Ticks+2) // one tick more than there are
	at := 0
	for tick := range in.first {
		for at < len(in.ops) && in.ops[at].tick < schemes.Tick(tick) {
			at++
		}
		in.first[tick] = at
	}
	return in, nil
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

// ParseTrace reads a trace file: lines such as "0 start 17 30000", "4 restart 17 30000" and "9 stop
// 17", which are tick, operation, timer and interval. The first one is on tick 0 of the run. It is
// the text format of package tracefile, which a page cannot link: it keeps statistics, of several
// megabytes of code.
func ParseTrace(text string) ([]Edit, error) {
	var edits []Edit
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		e, ok := readEdit(strings.Fields(line), true)
		if !ok {
			return nil, fmt.Errorf("line %d: invalid operation %q (use TICK start TIMER INTERVAL, TICK restart TIMER INTERVAL "+
				"or TICK stop TIMER)", number, line)
		}
		if n := len(edits); n > 0 && e.Tick < edits[n-1].Tick {
			return nil, fmt.Errorf("line %d: tick %d after %d (ticks must not decrease)", number, e.Tick, edits[n-1].Tick)
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
