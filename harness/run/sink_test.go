package run

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
	"timerlab/schemes/hashsorted"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
	"timerlab/schemes/ordered"
	"timerlab/schemes/simplewheel"
	"timerlab/schemes/tree"
	"timerlab/schemes/unordered"
)

// seven are the paper's schemes.
var seven = []*schemes.Info{
	&unordered.Info, &ordered.Info, &tree.Info, &simplewheel.Info, &hashsorted.Info, &hashunsorted.Info, &hierarchical.Info,
}

// sink keeps what is reported.
type sink struct {
	results []results.Result
	skipped map[string]results.Reason
	failed  map[string]error
	lines   []string // what happened, in order
	breakAt int      // the line from which on every call returns errSink; 0: none
}

var errSink = errors.New("disk full")

func newSink(breakAt int) *sink {
	return &sink{skipped: map[string]results.Reason{}, failed: map[string]error{}, breakAt: breakAt}
}

func (s *sink) note(line string) error {
	if s.lines = append(s.lines, line); s.breakAt > 0 && len(s.lines) >= s.breakAt {
		return errSink
	}
	return nil
}

func (s *sink) Stream(string, uint64) error { return nil }

func (s *sink) Round(int) error { return s.note("round") }

func (s *sink) Result(sample ...results.Result) (err error) {
	for _, r := range sample {
		s.results = append(s.results, r)
		err = errors.Join(err, s.note(r.Name))
	}
	return err
}

func (s *sink) Skip(name string, why results.Reason) error {
	s.skipped[name] = why
	return s.note("skip " + name)
}

func (s *sink) Fail(name string, err error) error {
	s.failed[name] = err
	return s.note("fail " + name + ": " + err.Error())
}

// names returns the names of all results in order.
func (s *sink) names() []string {
	var names []string
	for _, r := range s.results {
		names = append(names, r.Name)
	}
	return names
}

// rounds returns the names of the results by round, each of which begins with the noise probe.
func (s *sink) rounds() [][]string {
	var rounds [][]string
	for _, name := range s.names() {
		if name == units.SpinName {
			rounds = append(rounds, nil)
			continue
		}
		rounds[len(rounds)-1] = append(rounds[len(rounds)-1], name)
	}
	return rounds
}

func quiet(int, int, string) {}

// some are the seven, and variants that are exact, lazy and bounded.
var some = append(seven[:7:7], &ordered.Rear, &hashunsorted.Lazy, &hierarchical.NoMigrate)

// all are the seven, a variant of each kind and the controls, at small sizes that reach every interval of spec.
func all(t *testing.T, spec workload.Spec) []Subject {
	t.Helper()
	trace, err := spec.Trace()
	require.NoError(t, err)
	var subjects []Subject
	for _, info := range some {
		e := NewSubject(info, 64, 2)
		if e.Info.Range(e.Config(0)) < trace.Longest {
			e = NewSubject(info, int(trace.Longest), 1)
		}
		subjects = append(subjects, e)
	}
	return append(subjects, Controls(subjects[5])...)
}

// roomy are limits that nothing here exceeds.
var roomy = Limits{Run: time.Hour, Memory: math.MaxInt64}

// tiny is a plan over all schemes in all modes, with two workloads.
func tiny(t *testing.T, rounds int, seed uint64) Plan {
	one := workload.Spec{N: 30, T: 20, Dist: workload.Exp, Ticks: 200, Stop: 0.3, StopAt: 0.5, Restart: 0.2, RestartAt: 0.5, Every: 4}
	two := workload.Spec{N: 20, T: 10, Dist: workload.Uniform, Ticks: 100, Arrivals: workload.Poisson}
	return Plan{Rounds: rounds, Seed: seed, Limits: roomy, Groups: []Group{
		{Operations, one, all(t, one), 0}, {Lifetimes, one, all(t, one), 0}, {Latency, one, all(t, one), 0},
		{Operations, two, all(t, two), 0}, {Lifetimes, two, all(t, two), 0},
	}}
}

// runTiny runs all rounds of a plan that must succeed.
func runTiny(t *testing.T, p Plan) *sink {
	t.Helper()
	s := newSink(0)
	for p.Round = range p.Rounds {
		require.NoError(t, p.Run(t.Context(), s, quiet))
	}
	require.Empty(t, s.skipped)
	require.Empty(t, s.failed)
	return s
}

var tinyOnce *sink

// tinyRun returns a run of two rounds with seed 1, made once for all tests, which only read it.
func tinyRun(t *testing.T) *sink {
	t.Helper()
	if tinyOnce == nil {
		tinyOnce = runTiny(t, tiny(t, 2, 1))
	}
	return tinyOnce
}

// wrapped describes what wrap makes of scheme 6.
func wrapped(name string, wrap func(schemes.Scheme) schemes.Scheme) *schemes.Info {
	info := *seven[5]
	info.Name = name
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := seven[5].New(cfg)
		return wrap(s), err
	}
	return &info
}

// lossy describes a scheme that drops the timer of its fifth start.
func lossy() *schemes.Info {
	return wrapped("lossy", func(s schemes.Scheme) schemes.Scheme { return &dropping{Scheme: s} })
}

type dropping struct {
	schemes.Scheme
	starts int
}

func (d *dropping) Start(interval schemes.Tick, id schemes.ID) (schemes.Handle, error) {
	h, err := d.Scheme.Start(interval, id)
	if d.starts++; d.starts == 5 {
		d.Scheme.Stop(h)
	}
	return h, err
}

// of returns the names that are about one scheme.
func of(names []string, scheme string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.Contains(name, "scheme="+scheme+"/")
	})
}
