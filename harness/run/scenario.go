package run

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"timerlab/harness/results"
	"timerlab/schemes"
)

// Scenario is a closed-loop workload at one size. It needs no trace, so that a hundred
// million timers fit into memory, and its seed alone determines its outcome. Time is
// CPU time of the process: it includes what a subject leaves to other goroutines or
// to the garbage collector.
type Scenario struct {
	Name string       // one of Scenarios
	N    int          // timers outstanding
	T    schemes.Tick // mean interval, exponential
	Ops  int          // operations that are timed, approximately; 0 means 2^20
}

// Scenarios lists the scenarios by name, with what their time is of.
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
var Scenarios = []struct {
	Name, Timed string
	run         func(*client) error
}{
	{"PairHot", "a start and the stop of the same timer", (*client).pairHot},
	{"PairCold", "a stop of a random timer and a start", (*client).pairCold},
	{"Restart", "a random timer stopped and started at once", (*client).restart},
	{"Hold", "a lifetime: start, migrations, ticks, expiry", (*client).hold},
	{"Idle", "a tick", (*client).idle},
	{"Churn", "a restart, with the ticks and expiries that go with it", (*client).churn},
	{"Sparse", "10^9 ticks with ten timers", (*client).sparse},
	{"Memory", "a timer", (*client).memory},
	{"Worst", "the longest single operation", (*client).worst},
}

// CellName returns the name of the scenario's results for a subject. M is in it if
// the subject says so.
func (s Scenario) CellName(subject Subject) string {
	name := fmt.Sprintf("%s/scheme=%s/n=%s", s.Name, subject.Label, results.FormatCount(uint64(s.N)))
	if subject.Slots > 0 {
		name += "/M=" + results.FormatCount(uint64(subject.Slots))
	}
	return name + "/T=" + results.FormatCount(uint64(s.T))
}

// Sample runs the scenario once and verifies its outcome. The round varies the phase
// of the wheels in which short runs begin, and what is random. After an error no time
// of the run counts.
func (s Scenario) Sample(subject Subject, round int) (results.Result, error) {
	s.Ops = cmp.Or(s.Ops, 1<<20)
	c, err := newClient(s, subject, round)
	if err != nil {
		return results.Result{}, err
	}
	err = c.run()
	if closer, ok := c.scheme.(interface{ Close() }); ok {
		closer.Close()
	}
	if err != nil {
		return results.Result{}, fmt.Errorf("%s: %w", c.result.Name, err)
	}
	if c.late > 0 {
		c.result.Add(float64(c.late), "ticks-late")
	}
	return c.result, nil
}

// run runs the client's scenario.
func (c *client) run() error {
	var names []string
	for _, s := range Scenarios {
		if s.Name == c.Name {
			return s.run(c)
		}
		names = append(names, s.Name)
	}
	return fmt.Errorf("run: unknown scenario %q (have %s)", c.Name, strings.Join(names, ", "))
}

var errStop = errors.New("Stop of an outstanding timer is false")
