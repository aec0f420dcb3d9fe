package drive_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"timerlab/harness/drive"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// kinds are traces of every kind, small enough to run many times: all
// distributions, both arrivals, stops, restarts, and operations on few ticks.
func kinds(t *testing.T) map[string]*workload.Trace {
	t.Helper()
	base := workload.Spec{N: 200, T: 100, Ticks: 1500, Seed: 7}
	specs := map[string]workload.Spec{}
	add := func(name string, change func(*workload.Spec)) {
		s := base
		change(&s)
		specs[name] = s
	}
	for _, d := range workload.Dists {
		add(d.String(), func(s *workload.Spec) { s.Dist = d })
		add(d.String()+", poisson", func(s *workload.Spec) { s.Dist, s.Arrivals = d, workload.Poisson })
	}
	add("stops", func(s *workload.Spec) { s.Dist, s.Stop, s.StopAt = workload.Exp, 0.9, 0.5 })
	add("stops at once", func(s *workload.Spec) { s.Dist, s.Stop, s.StopAt = workload.Uniform, 0.5, 0 })
	add("restarts", func(s *workload.Spec) { s.Dist, s.Restart, s.RestartAt = workload.Uniform, 0.5, 0.5 })
	add("restarts for ever", func(s *workload.Spec) { s.Dist, s.Restart, s.RestartAt = workload.Exp, 0.95, 0.2 })
	add("every 16th tick", func(s *workload.Spec) { s.Dist, s.Every = workload.Exp, 16 })
	add("all at once", func(s *workload.Spec) {
		s.Dist, s.Every, s.Arrivals = workload.LogUniform, 7, workload.Poisson
		s.Stop, s.StopAt, s.Restart, s.RestartAt = 0.4, 0.6, 0.3, 0.1
	})
	traces := map[string]*workload.Trace{}
	for name, spec := range specs {
		trace, err := spec.Trace()
		require.NoError(t, err, name)
		require.NotZero(t, trace.Want.Expired, name)
		traces[name] = trace
	}
	return traces
}

// laps is a watch that adds up how often and how long each lap was.
type laps struct {
	each   bool
	open   bool
	longer bool // a lap of more than one tick was seen
	n      [drive.NumLaps]int
	broken string
}

func (l *laps) Each() bool { return l.each }

func (l *laps) Begin() {
	if l.open {
		l.broken = "Begin within a lap"
	}
	l.open = true
}

func (l *laps) End(lap drive.Lap, n int) {
	if !l.open {
		l.broken = "End without Begin"
	}
	l.open = false
	l.n[lap] += n
	l.longer = l.longer || lap == drive.Ticks && n > 1
}

// ways are the ways of running a trace.
var ways = map[string]func() drive.Watch{
	"unwatched":    func() drive.Watch { return nil },
	"in batches":   func() drive.Watch { return &laps{} },
	"each by each": func() drive.Watch { return &laps{each: true} },
}

// through drives a scheme through the trace and returns the first error, also of Verify.
func through(s schemes.Scheme, trace *workload.Trace, w drive.Watch) (*drive.Drive, error) {
	d := drive.New(s, trace)
	if err := d.Fill(); err != nil {
		return d, err
	}
	if err := d.Run(w); err != nil {
		return d, err
	}
	return d, d.Verify()
}

// small sizes a scheme such that the trace makes many rounds and migrations, or as small as its range allows.
func small(info *schemes.Info, longest schemes.Tick) schemes.Config {
	cfg := schemes.Config{Now: 1<<32 - 300, Slots: 32, Levels: []int{10, 16, 7, 100}}
	if info.Range(cfg) < longest {
		cfg.Slots = int(longest)
		cfg.Levels = []int{10, 16, 7, int(longest)/1120 + 1}
	}
	return cfg
}

func newSmall(t *testing.T, info *schemes.Info, trace *workload.Trace) schemes.Scheme {
	t.Helper()
	s, err := info.New(small(info, trace.Longest))
	require.NoError(t, err)
	return s
}

// bounded reports whether a scheme trades precision.
func bounded(t *testing.T, info *schemes.Info) bool {
	t.Helper()
	s, err := info.New(schemes.Config{})
	require.NoError(t, err)
	_, ok := s.(schemes.Bounder)
	return ok
}
