// Package measure times schemes on traces: cells in seeded, shuffled, interleaved
// rounds, each run checked against the trace's outcome, written in the Go
// benchmark format as they come.
package measure

import (
	"fmt"
	"strconv"
	"strings"

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

// Names of runs as a whole. A lifetime and a latency are operations in results,
// too; the others are timed apart within a run of OperationsOp.
const (
	OperationsOp = "Operations"
	LifetimeOp   = "Lifetime"
	LatencyOp    = "PerTickLatency"
)

// Entrant is a scheme as it enters a comparison, with its sizes.
type Entrant struct {
	Label  string // the name in results: the scheme's, or that with Again
	Info   *schemes.Info
	Slots  int    // M
	Levels []int  // radices, if the scheme is number 7
	Tag    string // further keys of the name, as in "/set=claims", for rows that must not be taken for others; mostly ""
}

// Again marks the second of an A/A pair: the same scheme under another name. The
// ratio of the two is noise.
const Again = "-again"

// Config returns the scheme's configuration for n timers.
func (e Entrant) Config(n int) schemes.Config {
	return schemes.Config{Capacity: n, Slots: e.Slots, Levels: e.Levels}
}

// Case is one workload and who runs it.
type Case struct {
	Mode     Mode
	Spec     workload.Spec
	Entrants []Entrant
}

// slots returns the slots that the scheme has.
func (e Entrant) slots() int {
	if len(e.Levels) == 0 {
		return e.Slots
	}
	sum := 0
	for _, radix := range e.Levels {
		sum += radix
	}
	return sum
}

// NewEntrant returns a scheme with M slots in all; for scheme 7, m levels of M/m
// slots each, rounded down. Fewer than 1 level means 1.
func NewEntrant(info *schemes.Info, slots, levels int) Entrant {
	e := Entrant{Label: info.Name, Info: info, Slots: slots}
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
func Controls(e Entrant) []Entrant {
	again := e
	again.Label += Again
	return []Entrant{{Label: harness.Null.Name, Info: &harness.Null, Slots: e.Slots}, again}
}

// Name returns the name of a benchmark without its operation. The keys are in
// fixed order; those after stop appear only where they are not the default.
func Name(s workload.Spec, e Entrant) string {
	var b strings.Builder
	fmt.Fprintf(&b, "scheme=%s/n=%s/M=%s", e.Label, FormatCount(uint64(s.N)), FormatCount(uint64(e.Slots)))
	if len(e.Levels) > 0 {
		fmt.Fprintf(&b, "/m=%s", Radices(e.Levels))
	}
	fmt.Fprintf(&b, "/T=%s/dist=%s/stop=%s", FormatCount(uint64(s.T)), s.Dist, fraction(s.Stop, s.StopAt))
	if s.Restart > 0 {
		fmt.Fprintf(&b, "/restart=%s", fraction(s.Restart, s.RestartAt))
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
	_, keys, _ := strings.Cut(Name(s, Entrant{}), "/T=")
	return "n=" + FormatCount(uint64(s.N)) + "/T=" + keys
}

// Radices writes the slots of each level, the lowest first: 60x60x24.
func Radices(levels []int) string {
	parts := make([]string, len(levels))
	for l, radix := range levels {
		parts[l] = fmt.Sprint(radix)
	}
	return strings.Join(parts, "x")
}

// fraction writes a share of timers and when in their interval: 0, or 0.9@0.05.
func fraction(share, at float64) string {
	if share == 0 {
		return "0"
	}
	return decimal(share) + "@" + decimal(at)
}

// decimal writes a fraction without an exponent, whose sign the format would take
// for the one before GOMAXPROCS.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// ParseRadices reads what Radices writes.
func ParseRadices(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var levels []int
	for _, part := range strings.Split(text, "x") {
		radix, err := strconv.Atoi(part)
		if err != nil || radix < 1 {
			return nil, fmt.Errorf("%q are not the slots of levels, allowed: whole numbers from 1 with x between them, as in 60x60x24", text)
		}
		levels = append(levels, radix)
	}
	return levels, nil
}

// ParseFraction reads a share of timers and when in their interval, as names of
// benchmarks have it: 0, or 0.9@0.05.
func ParseFraction(text string) (share, at float64, err error) {
	first, second, has := strings.Cut(text, "@")
	share, err = strconv.ParseFloat(first, 64)
	if err == nil && has {
		at, err = strconv.ParseFloat(second, 64)
	}
	if err != nil || !(share >= 0 && share <= 1 && at >= 0 && at <= 1) || has != (share > 0) {
		return 0, 0, fmt.Errorf("%q is not a share of timers, allowed: 0, or a share and the part of the interval, both above 0 and up to 1, as in 0.9@0.05", text)
	}
	return share, at, nil
}
