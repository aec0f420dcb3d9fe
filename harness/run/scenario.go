package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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
var Scenarios = []struct{ Name, Timed string }{
	{"PairHot", "a start and the stop of the same timer"},
	{"PairCold", "a stop of a random timer and a start"},
	{"Restart", "a random timer stopped and started at once"},
	{"Hold", "a lifetime: start, migrations, ticks, expiry"},
	{"Idle", "a tick"},
	{"Churn", "a restart, with the ticks and expiries that go with it"},
	{"Sparse", "10^9 ticks with ten timers"},
	{"Memory", "a timer"},
	{"Worst", "the longest single operation"},
}

// method returns what runs the scenario.
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
func (s Scenario) method() (func(*client) error, error) {
	methods := []func(*client) error{
		(*client).pairHot, (*client).pairCold, (*client).restart, (*client).hold, (*client).idle,
		(*client).churn, (*client).sparse, (*client).memory, (*client).worst,
	}
	names := make([]string, len(Scenarios))
	for i := range Scenarios {
		names[i] = Scenarios[i].Name
	}
	i := slices.Index(names, s.Name)
	if i < 0 {
		return nil, fmt.Errorf("run: unknown scenario %q (have %s)", s.Name, strings.Join(names, ", "))
	}
	return methods[i], nil
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
	method, err := s.method()
	if err != nil {
		return results.Result{}, err
	}
	s.Ops = cmp.Or(s.Ops, 1<<20)
	c, err := newClient(s, subject, round)
	if err != nil {
		return results.Result{}, err
	}
	err = method(c)
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

var errStop = errors.New("Stop of an outstanding timer is false")
