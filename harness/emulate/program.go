// Package emulate counts the instructions of a scheme's operations in valgrind, an emulator of processors. With equal
// code, Go and architecture a count is the same on every machine and at every load, to one in a thousand.
package emulate

import (
	"fmt"

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// program is what is counted of an operation: a program that does it, in two lengths.
type program struct {
	op string
	// run prepares, and returns what does the operation that many times and the number of times for n timers.
	run func(s run.Subject, t *workload.Trace) (do func(times int) error, times int, err error)
}

// EmptyTick is a tick of a scheme without timers.
const EmptyTick = "EmptyTick"

// Ops are the operations that are counted.
var Ops = []string{"Start", "Stop", EmptyTick, units.LifetimeOp}

// least is how many operations the longer length has more than the shorter one. What differs from run to run, most of
// it in the runtime's scheduler, is some thousands of instructions, and an operation takes ten or more.
const least = 200_000

// Run does an operation of a subject in the shorter length, 0, or the longer one, 1. It returns by how many operations
// the longer one is longer.
func Run(op string, s run.Subject, spec workload.Spec, length int) (times int, err error) {
	t, err := spec.Trace()
	if err != nil {
		return 0, err
	}
	switch op {
	case EmptyTick:
		scheme, err := s.Info.New(s.Config(spec.N))
		if err != nil {
			return 0, err
		}
		for range (1 + length) * least {
			scheme.PerTick()
		}
		return least, nil
	case units.LifetimeOp:
		scheme, err := s.Info.New(s.Config(spec.N))
		if err != nil {
			return 0, err
		}
		d := drive.New(scheme, t)
		if err := d.Fill(); err != nil || length == 0 {
			return int(t.Lifetimes()), err
		}
		if err := d.Run(nil); err != nil || s.Info == &drive.Null {
			return int(t.Lifetimes()), err
		}
		return int(t.Lifetimes()), d.Verify()
	}
	half := spec.N / 2
	copies := max(1, least/spec.N)
	for range copies {
		scheme, err := s.Info.New(s.Config(spec.N))
		if err != nil {
			return 0, err
		}
		if err := startStop(op, scheme, t.Ops, half, spec.N, length); err != nil {
			return 0, err
		}
	}
	return copies * spec.N, nil
}

// startStop starts n/2 timers and, for the longer length, n more, so that n are outstanding on average. To count a STOP, both
// lengths do all of this and the longer one stops n.
func startStop(op string, s schemes.Scheme, ops []workload.Op, half, n, length int) error {
	end := half
	if op == "Stop" || length > 0 {
		end += n
	}
	handles := make([]schemes.Handle, half+n)
	for i := range end {
		h, err := s.Start(ops[i%len(ops)].Interval, schemes.ID(i))
		if err != nil {
			return err
		}
		handles[i] = h
	}
	if op != "Stop" || length == 0 {
		return nil
	}
	for i, h := range handles[:n] {
		if !s.Stop(h) {
			return fmt.Errorf("emulate: timer %d was not outstanding", i)
		}
	}
	return nil
}
