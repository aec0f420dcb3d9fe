package run

import (
	"fmt"
	"strings"

	"timerlab/harness/results"

	"timerlab/harness"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Mode is what a run times.
type Mode int

const (
	// Operations times Start, Stop, PerTick and Expire apart, in batches, and the
	// bytes that the scheme takes. The workload's operations come at multiples of
	// Spec.Every, so that a batch is long against the reading of the clock.
	Operations Mode = iota
	// Lifetimes times the whole run, by timers that ended in it. Nothing is timed
	// within.
	Lifetimes
	// Latency times every PerTick on its own, for percentiles.
	Latency
)

// Subject is a scheme as it enters a comparison, with its sizes.
type Subject struct {
	Label  string // the name in results: the scheme's, or that with Again
	Info   *schemes.Info
	Slots  int          // M
	Levels []int        // radices, if the scheme is number 7
	Late   schemes.Tick // ticks by which all its timers expire late, which is verified: a third party's mistake
	Tag    string       // further keys of the name, as in "/set=claims", for rows that must not be taken for others; mostly ""
}

// Config returns the scheme's configuration for n timers.
func (e Subject) Config(n int) schemes.Config {
	return schemes.Config{Capacity: n, Slots: e.Slots, Levels: e.Levels}
}

// Group is one workload and who runs it.
type Group struct {
	Mode     Mode
	Spec     workload.Spec
	Subjects []Subject
}

// slots returns the slots that the scheme has.
func (e Subject) slots() int {
	if len(e.Levels) == 0 {
		return e.Slots
	}
	sum := 0
	for _, radix := range e.Levels {
		sum += radix
	}
	return sum
}

// NewSubject returns a scheme with M slots in all; for scheme 7, m levels of M/m
// slots each, rounded down. Fewer than 1 level means 1.
func NewSubject(info *schemes.Info, slots, levels int) Subject {
	e := Subject{Label: info.Name, Info: info, Slots: slots}
	if info.Number == 7 {
		e.Levels = equalLevels(slots, max(levels, 1))
	}
	return e
}

func equalLevels(slots, levels int) []int {
	radices := make([]int, levels)
	for l := range radices {
		radices[l] = slots / levels
	}
	return radices
}

// Controls returns the rows that every table has beside the schemes: the null
// scheme, and e once more.
func Controls(e Subject) []Subject {
	again := e
	again.Label += results.Again
	return []Subject{{Label: harness.Null.Name, Info: &harness.Null, Slots: e.Slots}, again}
}

// Name returns the name of a benchmark without its operation. The keys are in
// fixed order; those after stop appear only where they are not the default.
func Name(s workload.Spec, e Subject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "scheme=%s/n=%s/M=%s", e.Label, results.FormatCount(uint64(s.N)), results.FormatCount(uint64(e.Slots)))
	if len(e.Levels) > 0 {
		fmt.Fprintf(&b, "/m=%s", results.Radices(e.Levels))
	}
	fmt.Fprintf(&b, "/T=%s/dist=%s", results.FormatCount(uint64(s.T)), s.Dist)
	b.WriteString(results.FractionKeys("stop", results.FormatFraction(s.Stop, s.StopAt)))
	if s.Restart > 0 {
		b.WriteString(results.FractionKeys("restart", results.FormatFraction(s.Restart, s.RestartAt)))
	}
	if s.Arrivals != workload.Hold {
		fmt.Fprintf(&b, "/arrivals=%s", s.Arrivals)
	}
	b.WriteString(e.Tag)
	return b.String()
}

// streamName is Name without what the stream of operations does not depend on:
// the scheme and its sizes.
func streamName(s workload.Spec) string {
	_, keys, _ := strings.Cut(Name(s, Subject{}), "/T=")
	return "n=" + results.FormatCount(uint64(s.N)) + "/T=" + keys
}
