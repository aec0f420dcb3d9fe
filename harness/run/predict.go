package run

import (
	"fmt"
	"math"
	"time"

	"timerlab/harness/cost"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
)

// stepTime estimates what touching one record costs when n timers are walked in
// random order: a hit in the second cache, in the third, or a miss. The sizes and
// times are rough figures of server processors; they only decide what is tried.
func stepTime(n int) time.Duration {
	switch bytes := n * 32; {
	case bytes <= 1<<20:
		return 2 * time.Nanosecond
	case bytes <= 16<<20:
		return 12 * time.Nanosecond
	default:
		return 80 * time.Nanosecond
	}
}

// predict estimates how long a run takes, its prefill included.
func predict(e Subject, t *workload.Trace) time.Duration {
	n := t.Spec.N
	steps, filling := estimate(e, n, t), estimate(e, n/2, t)
	starts := float64(t.Count(workload.Start) + t.Count(workload.Restart) - t.Prefill)
	total := float64(t.Prefill)*filling.Start + starts*steps.Start + float64(t.Ticks)*steps.Tick
	return time.Duration(min(total*float64(stepTime(n)), math.MaxInt64/2))
}

// estimate returns the steps with n timers outstanding: those of the base scheme,
// except where a variant can take many more.
func estimate(e Subject, n int, t *workload.Trace) cost.Steps {
	steps := cost.Estimate(e.Info, n, max(e.Slots, 1), t.Spec.Rate())
	size := float64(n)
	switch e.Info.Name {
	case tree.Unbalanced.Name: // its depth: n, √n or log n (claims S3-4 and S3-5)
		switch t.Spec.Dist {
		case workload.Const():
			steps.Start = 1 + size
		case workload.Exp(), workload.Pareto(), workload.LogUniform():
		default:
			steps.Start = 1 + 2*math.Sqrt(size)
		}
	case simplewheel.Overflow.Name: // a search among the longer timers
		if t.Longest > schemes.Tick(e.Slots) {
			steps.Start = 1 + size
		}
	case simplewheel.Tegas.Name, simplewheel.Decsim.Name: // two walks of the list in a turn
		steps.Tick += 2 * size / float64(max(e.Slots, 1))
	}
	return steps
}

// recordBytes is what a timer, or a slot, takes at most: a record, a heap's entry
// and a handle.
const recordBytes = 32 + 16 + HandleBytes

// opBytes is what an operation of a trace takes.
const opBytes = 24

// makingBytes estimates what a trace takes while it is made, which is twice what
// is kept of it.
func makingBytes(s workload.Spec) int64 {
	ops := float64(s.N) + s.Rate()*float64(s.Ticks)*(1+s.Stop)
	return int64(min(2*opBytes*ops, math.MaxInt64/2))
}

// skip returns why a subject does not run a workload, or "".
func skip(e Subject, t *workload.Trace, l Limits) string {
	if reach := e.Info.Range(e.Config(0)); t.Longest > reach {
		return fmt.Sprintf("the longest interval is %d ticks, the range 1 to %d", t.Longest, reach)
	}
	if took := predict(e, t); took > l.Run {
		return fmt.Sprintf("predicted to take %v a run, allowed %v", took.Round(time.Millisecond), l.Run)
	}
	if bytes := recordBytes * (int64(t.Timers) + int64(e.slots())); bytes > l.Memory {
		return fmt.Sprintf("predicted to take %d MB, allowed %d", bytes>>20, l.Memory>>20)
	}
	if t.Lifetimes() == 0 {
		return "no timer ends within the run"
	}
	if _, err := e.Info.New(e.Config(0)); err != nil { // last, since it may take the memory
		return err.Error()
	}
	return ""
}
