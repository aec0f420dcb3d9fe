package emulate

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	_ "unsafe" // for go:linkname

	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Requests of callgrind.h.
const (
	report = 'C'<<24 | 'T'<<16     // write what was counted, and begin again at 0
	toggle = 'C'<<24 | 'T'<<16 | 2 // begin or end the counting of this thread's instructions
)

// procPin and procUnpin have the runtime's scheduler leave this goroutine alone: a preemption takes 1,100 instructions,
// and comes with the clock.
//
//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

// Ops are the operations that are counted, in this order. An empty tick is of a scheme without timers.
var Ops = []string{"Start", "Stop", "EmptyTick", units.LifetimeOp}

// least is how often a program does an operation. Two runs differ by some hundreds of instructions: a thousandth of what
// 100,000 operations of ten instructions take.
const least = 100_000

// Workload returns the workload of a subject's lifetimes, which its other operations take their intervals from: four
// times as many as there are timers, so that the wheels above the lowest turn too.
func Workload(s run.Subject, spec workload.Spec) workload.Spec {
	return run.Lasting(spec, max(4*spec.N, 4000), []run.Subject{s})
}

// Program does each of Ops of a subject with n timers on average, which is counted, and what that needs, which is not. It
// returns how often it did each. A lifetime includes its share of the ticks.
func Program(s run.Subject, spec workload.Spec) (times []int, err error) {
	runtime.LockOSThread() // of which the instructions are counted
	procPin()
	defer procUnpin()
	t, err := Workload(s, spec).Trace()
	if err != nil {
		return nil, err
	}
	for _, stop := range []bool{false, true} {
		done := 0
		for ; done < least && err == nil; done += spec.N {
			err = startOrStop(stop, s, t)
		}
		times = append(times, done)
		request(report)
	}
	scheme, errNew := s.Info.New(s.Config(spec.N))
	if err = cmp.Or(err, errNew); err != nil {
		return nil, err
	}
	request(toggle)
	for range least {
		scheme.PerTick()
	}
	request(toggle)
	request(report)

	if scheme, err = s.Info.New(s.Config(spec.N)); err != nil {
		return nil, err
	}
	d := drive.New(scheme, t)
	if err := d.Fill(); err != nil {
		return nil, err
	}
	request(toggle)
	err = d.Run(nil)
	request(toggle)
	request(report)
	if err == nil && s.Info != &drive.Null {
		err = d.Verify()
	}
	return append(times, least, int(t.Lifetimes())), err
}

// startOrStop starts n/2 timers and n more, or starts all of these and stops n: n are outstanding on average.
func startOrStop(stop bool, s run.Subject, t *workload.Trace) error {
	n := t.Spec.N
	starts := slices.DeleteFunc(slices.Clone(t.Ops), func(op workload.Op) bool { return op.Kind == workload.Stop })
	handles := make([]schemes.Handle, n/2+n)
	scheme, err := s.Info.New(s.Config(len(handles)))
	if err != nil {
		return err
	}
	for i := range handles {
		if i == n/2 && !stop {
			request(toggle)
			defer request(toggle)
		}
		if handles[i], err = scheme.Start(starts[i%len(starts)].Interval, schemes.ID(i)); err != nil {
			return err
		}
	}
	if !stop {
		return nil
	}
	request(toggle)
	defer request(toggle)
	for i, h := range handles[:n] {
		if !scheme.Stop(h) {
			return fmt.Errorf("emulate: timer %d was not outstanding", i)
		}
	}
	return nil
}
