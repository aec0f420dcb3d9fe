package player

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/workload"
	"timerlab/harness/workload/tracefile/follow"
	"timerlab/schemes"
)

// Op is an operation of the run: of the workload, of a trace file, or an edit of the reader's, which
// comes at the end of its tick's operations. Its Timer is the ID; a Start of the reader's has 0.
type Op follow.Op

// String returns an edit as a link has it: 3:start:40, 5:stop:7, 6:restart:7:40.
func (o Op) String() string {
	text := fmt.Sprintf("%d:%v", o.Tick, o.Kind)
	if o.Kind != workload.Start {
		text += fmt.Sprintf(":%d", o.Timer)
	}
	if o.Kind != workload.Stop {
		text += fmt.Sprintf(":%d", o.Interval)
	}
	return text
}

// ParseEdit reads what Op.String writes: tick, kind, timer, interval. A stop has no interval, and a start no timer.
func ParseEdit(text string) (Op, error) {
	parts := strings.Split(text, ":")
	if len(parts) > 2 && parts[1] == workload.Start.String() {
		parts = slices.Insert(parts, 2, "0")
	}
	o, err := parseOp(strings.Join(parts, " "))
	if err != nil {
		return Op{}, fmt.Errorf("invalid edit %q (use TICK:start:INTERVAL, TICK:stop:ID or TICK:restart:ID:INTERVAL)", text)
	}
	return Op(o), nil
}

// parseOp reads an operation as a trace has it, whose numbers a page can hold.
func parseOp(line string) (follow.Op, error) {
	o, err := follow.Parse(line)
	if err == nil && max(uint64(o.Tick), o.Timer, uint64(o.Interval)) > maxNumber {
		err = fmt.Errorf("a number is above %d, which is too much for a page", uint64(maxNumber))
	}
	return o, err
}

// input is all operations of a run, by tick.
type input struct {
	ops     []Op
	first   []int // by tick: the place of its first operation in ops
	prefill int   // the first ops, which bring the workload to its steady state
}

// newInput returns the operations of a state. A timer that the reader has touched is the reader's from then on:
// the workload leaves it alone. New timers have IDs above all others, in the order of their starts.
func newInput(s *State, file []Op) (*input, error) {
	in := &input{}
	next := uint64(0)
	if s.N > 0 {
		trace, err := s.Spec().Trace()
		if err != nil {
			return nil, err
		}
		for _, o := range trace.Ops {
			in.ops = append(in.ops, Op{o.Tick, o.Kind, uint64(o.Timer), o.Interval})
		}
		in.prefill, next = trace.Prefill, uint64(trace.Timers)
	}
	for _, o := range file {
		in.ops = append(in.ops, o)
		next = max(next, o.Timer+1)
	}
	touched := map[uint64]schemes.Tick{} // since when
	for _, e := range s.Edits {
		if _, before := touched[e.Timer]; e.Kind != workload.Start && !before {
			touched[e.Timer] = e.Tick
		}
	}
	in.ops = slices.DeleteFunc(in.ops, func(o Op) bool {
		since, ok := touched[o.Timer]
		return ok && o.Tick > since
	})
	for _, e := range s.Edits {
		if e.Kind == workload.Start {
			e.Timer = next
			next++
		}
		in.ops = append(in.ops, e)
	}
	slices.SortStableFunc(in.ops[in.prefill:], func(a, b Op) int { return cmp.Compare(a.Tick, b.Tick) })
	in.first = make([]int, s.Ticks+2) // one tick more than there are
	for tick := range in.first {
		in.first[tick], _ = slices.BinarySearchFunc(in.ops, schemes.Tick(tick),
			func(o Op, t schemes.Tick) int { return cmp.Compare(o.Tick, t) })
	}
	return in, nil
}

// at returns the operations of a tick. On tick 0 the prefill is among them.
func (in *input) at(tick schemes.Tick) []Op { return in.ops[in.first[tick]:in.first[tick+1]] }

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
func (in *input) operations(tick schemes.Tick, step int) []Op {
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

// ParseTrace reads a trace in the text format of package tracefile, and accepts what that accepts. The first
// operation is on tick 0 of the run. A last line without an end is left out, and cut is then true.
func ParseTrace(text string) (ops []Op, cut bool, err error) {
	timers := follow.New(func(_, _, _ schemes.Tick, _ workload.Fate) {})
	end := strings.LastIndexByte(text, '\n') + 1
	for i, line := range strings.Split(text[:end], "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		o, err := parseOp(line)
		if err == nil {
			err = timers.Apply(o)
		}
		if err != nil {
			return nil, false, fmt.Errorf("line %d: %w", i+1, err)
		}
		if ops = append(ops, Op(o)); len(ops) > maxOps {
			return nil, false, fmt.Errorf("the file has more than %d operations, which is too much for a page", maxOps)
		}
	}
	if len(ops) == 0 {
		return nil, false, fmt.Errorf("the file has no operations (use lines such as \"0 start 17 300\")")
	}
	first := ops[0].Tick
	for i := range ops {
		ops[i].Tick -= first
	}
	return ops, end < len(text), nil
}
