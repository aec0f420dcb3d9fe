package run

import (
	"errors"
	"fmt"
	"math"
	"time"

	"timerlab/harness/cost"
	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Limits bound one run. A cell that would exceed them is skipped.
type Limits struct {
	Run    time.Duration // of one run, its prefill included
	Memory int64         // bytes: of the scheme and the client of one run, and as many for all traces together

	Clocks Clocks // zero: RealTime
}

// ErrTime is wrapped by the error of a run that took longer than its limit.
var ErrTime = errors.New("abandoned")

// Within returns a stop function for Drive.RunTo. It returns an error wrapping ErrTime when limit of CPU time has been
// used. It reads the CPU time only when the wall clock, which takes less time to read, is past the limit.
func (c Clocks) Within(limit time.Duration) (stop func() error) {
	if c.Wall == nil {
		c = RealTime
	}
	began, used := c.Wall(), c.CPU()
	return func() error {
		if took := c.Wall() - began; took > limit && c.CPU()-used > limit {
			return fmt.Errorf("%w after %s (limit %s a run)", ErrTime, inWords(took), inWords(limit))
		}
		return nil
	}
}

func inWords(d time.Duration) string { return units.FormatNanos(float64(d)) }

func reasonf(kind results.ReasonKind, format string, args ...any) results.Reason {
	return results.Reason{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// Skip returns why a subject does not run a workload; a Reason without a Kind if it does. The time of the seven is
// predicted from the paper's costs, so that every machine skips the same cells. Other schemes, variants included, are
// tried.
func (l Limits) Skip(s Subject, t *workload.Trace) (why results.Reason) {
	if reach := s.Info.Range(s.Config(0)); t.Longest > reach {
		return reasonf(results.OutOfRange, "the longest interval is %d ticks, the range 1 to %d", t.Longest, reach)
	}
	if took := predict(s, t); predictable(s.Info) && took > l.Run {
		return reasonf(results.TooSlow, "predicted to take %s a run (limit %s)", inWords(took), inWords(l.Run))
	}
	bytes := drive.HandleBytes * int64(t.Timers)
	if s.Info.Bytes != nil {
		bytes += s.Info.Bytes(t.Spec.N, s.Config(t.Spec.N))
	}
	if bytes > l.Memory {
		return reasonf(results.TooLarge, "predicted to take %d MB (limit %d)", bytes>>20, l.Memory>>20)
	}
	scheme, err := s.Info.New(s.Config(0)) // last, since it may take the memory
	if err != nil {
		return reasonf(results.BadConfig, "%v", err)
	}
	if _, is := scheme.(byItself); is || predictable(s.Info) {
		return why
	}
	if err := drive.New(scheme, t).RunTo(t.Ticks, nil, l.Clocks.Within(l.Run)); errors.Is(err, ErrTime) {
		return reasonf(results.TooSlow, "%v", err)
	}
	return why // other errors are left to the samples
}

// predictable reports whether predict's costs are the scheme's: it is one of the paper's seven, or the null scheme.
func predictable(info *schemes.Info) bool {
	return info.Number > 0 && info.IsBase() || info == &drive.Null
}

// predict estimates how long a run takes, its prefill included.
func predict(s Subject, t *workload.Trace) time.Duration {
	n, slots, rate := t.Spec.N, max(s.Slots, 1), t.Spec.Rate()
	steps, filling := cost.Estimate(s.Info, n, slots, rate), cost.Estimate(s.Info, n/2, slots, rate)
	starts := float64(t.Count(workload.Start) + t.Count(workload.Restart) - t.Prefill)
	total := float64(t.Prefill)*filling.Start + starts*steps.Start + float64(t.Ticks)*steps.Tick
	// What touching one record costs if n timers are visited in random order: a hit in the second-level
	// cache, in the third, or a miss. Sizes and times are rough figures of server processors.
	const recordBytes = 32
	touch := 80.0 // ns
	switch bytes := n * recordBytes; {
	case bytes <= 1<<20:
		touch = 2
	case bytes <= 16<<20:
		touch = 12
	}
	return time.Duration(min(total*touch, math.MaxInt64/2))
}
