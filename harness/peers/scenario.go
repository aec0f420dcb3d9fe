package peers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/schemes"
)

// Scenario is a closed-loop workload at one size. It needs no trace, so that a hundred
// million timers fit into memory, and its seed alone determines its outcome. Time is
// CPU time of the process: it includes what a subject leaves to other goroutines or
// to the garbage collector.
type Scenario struct {
	Name string       // one of scenarios
	N    int          // timers outstanding
	T    schemes.Tick // mean interval, exponential
	Ops  int          // operations that are timed, approximately; 0 means 2^20
}

// scenarios are the scenarios by name.
//
//	PairHot   starts a timer and stops that same one
//	PairCold  stops up to 4096 random timers, does a thousand other operations, starts them again
//	Restart   stops a random timer and starts it at once, by Restart if there is one;
//	          unlike PairCold, it includes access to the client's own table
//	Hold      steady state: every timer that expires starts again
//	Idle      the same, per tick
//	Churn     the same, with 99 restarts for each timer that expires
//	Sparse    ten timers in 10^9 ticks
//	Memory    what n timers take: fresh, and at most while all restart twice in random order
//	Worst     Churn with every operation timed on its own: the longest of each kind
var scenarios = map[string]func(*client) error{
	"PairHot":  prefilled((*client).pairHot),
	"PairCold": prefilled((*client).pairCold),
	"Restart":  prefilled((*client).restart),
	"Hold":     prefilled((*client).hold),
	"Idle":     prefilled((*client).idle),
	"Churn":    prefilled((*client).churn),
	"Sparse":   (*client).sparse,
	"Memory":   (*client).memory,
	"Worst":    (*client).worst,
}

// Subject is a scheme, ours or a third party's, that takes part in a scenario.
type Subject struct {
	run.Subject
	Late  schemes.Tick // ticks by which all of its timers expire late, which is verified
	Inert bool         // nothing expires, as in the null scheme: no outcome is verified
}

// CellName returns the name of the scenario's results for a subject. M is in it if
// the subject says so.
func (s Scenario) CellName(subject Subject) string {
	k := results.Key{
		Op: s.Name, Scheme: subject.Label, N: results.FormatCount(uint64(s.N)), T: results.FormatCount(uint64(s.T)),
	}
	if subject.Slots > 0 {
		k.Slots = results.FormatCount(uint64(subject.Slots))
	}
	return k.String()
}

// Sample runs the scenario once and verifies its outcome. The round varies the phase
// of the wheels in which short runs begin, and what is random. After an error no time
// of the run counts.
func (s Scenario) Sample(subject Subject, round int) (results.Result, error) {
	scenario, ok := scenarios[s.Name]
	if !ok {
		names := slices.Sorted(maps.Keys(scenarios))
		return results.Result{}, fmt.Errorf("peers: unknown scenario %q (have %s)", s.Name, strings.Join(names, ", "))
	}
	s.Ops = cmp.Or(s.Ops, 1<<20)
	c, err := newClient(s, subject, round)
	if err != nil {
		return results.Result{}, err
	}
	err = scenario(c)
	if closer, ok := c.scheme.(interface{ Close() }); ok {
		closer.Close()
	}
	if err != nil {
		return results.Result{}, fmt.Errorf("%s: %w", c.result.Name, err)
	}
	if c.Late > 0 {
		c.result.Add(float64(c.Late), "ticks-late")
	}
	return c.result, nil
}
