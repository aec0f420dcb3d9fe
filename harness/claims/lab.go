package claims

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// seed is that of all counted runs. With another one the numbers differ within their
// intervals, but for the false alarms that falseAlarm allows.
const seed = 1987

// comparisons is how many sampled comparisons the list has at most, and falseAlarm
// the chance that any of them fails though its prediction is true: every interval
// is as wide as that takes (Bonferroni).
const (
	comparisons = 400
	falseAlarm  = 0.05
)

// batches is into how many parts of equal length a run is cut. Their means are
// nearly independent if a part is long against T, so their spread is the sampling
// error of the run (the method of batch means).
const batches = 32

// sampling is the reason given for the interval of a batched run.
var sampling = fmt.Sprintf(
	"interval: means of %d batches, t distribution, so wide that all sampled comparisons of the list together raise "+
		"a false alarm in %.0f %% of lists", batches, 100*falseAlarm)

// quantile is how many standard errors an interval reaches to either side.
var quantile = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: batches - 1}.Quantile(1 - falseAlarm/2/comparisons)

// lab makes the counted runs of one claim or figure. An error ends all of them.
type lab struct {
	evidence
}

// runError carries an error from check to attempt.
type runError struct{ error }

// check ends the runs of a claim or figure if err is not nil.
func (l *lab) check(err error) {
	if err != nil {
		panic(runError{err})
	}
}

// attempt calls runs with a new lab and returns the lab and the error that ended the runs.
func attempt(runs func(*lab)) (l *lab, err error) {
	l = &lab{}
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(runError)
			if !ok {
				panic(r)
			}
			err = failed.error
		}
	}()
	runs(l)
	return l, nil
}

// new returns a scheme of the registry.
func (l *lab) new(name string, cfg schemes.Config) counting {
	info, err := harness.Find(name)
	l.check(err)
	s, err := info.New(cfg)
	l.check(err)
	c, ok := s.(counting)
	if !ok {
		l.check(fmt.Errorf("claims: %s has no Counts, Len and View", name))
	}
	return c
}

// start starts a timer.
func (l *lab) start(s schemes.Scheme, interval schemes.Tick, id schemes.ID) schemes.Handle {
	handle, err := s.Start(interval, id)
	l.check(err)
	return handle
}

// place returns where the timer is, of which keep is true.
func (l *lab) place(s counting, keep func(schemes.Place) bool) (at schemes.Place) {
	found := false
	s.View(func(p schemes.Place) bool {
		at, found = p, keep(p)
		return !found
	})
	if !found {
		l.check(errors.New("claims: no such timer is outstanding"))
	}
	return at
}

// counting is what a scheme must have to take part in counted runs.
type counting interface {
	schemes.Scheme
	schemes.Counter
	schemes.Sized
	schemes.Viewer
}

// experiment is one counted run: a scheme on a workload, warmed up, then cut into
// batches.
type experiment struct {
	scheme string
	cfg    schemes.Config
	spec   workload.Spec // without Ticks and Seed
	warm   schemes.Tick  // ticks before the first batch
	each   schemes.Tick  // ticks of a batch
	singly bool          // run tick by tick, for quantities of single ticks
	tick   func(batch)   // if not nil, called with the counts of every single tick of the batches
}

// newExperiment returns a run of a scheme: warm ticks, then batches of each ticks.
func newExperiment(scheme string, cfg schemes.Config, spec workload.Spec, warm, each schemes.Tick) experiment {
	return experiment{scheme: scheme, cfg: cfg, spec: spec, warm: warm, each: each}
}

// expRun is newExperiment with n timers, exponential intervals of mean T and no stops.
func expRun(scheme string, cfg schemes.Config, n int, T, warm, each schemes.Tick) experiment {
	return newExperiment(scheme, cfg, hold(n, T, workload.Exp()), warm, each)
}

// tickByTick returns e with the quantities of single ticks.
func (e experiment) tickByTick() experiment {
	e.singly = true
	return e
}

// run makes a run, verifies its outcome and returns what was counted.
func (l *lab) run(e experiment) tally {
	check := func(err error) {
		if err != nil {
			l.check(fmt.Errorf("claims: %s: %w", e.name(), err))
		}
	}
	e.spec.Ticks, e.spec.Seed = e.warm+batches*e.each, seed
	trace, err := e.spec.Trace()
	check(err)
	s := l.new(e.scheme, e.cfg)
	r := running{counting: s, drive: run.NewDrive(s, trace)}
	check(r.drive.Fill())
	check(r.drive.RunTo(e.warm, nil))
	t := make(tally, batches)
	for b := range t {
		t[b], err = r.batch(e.warm+schemes.Tick(b)*e.each, e)
		check(err)
	}
	check(r.drive.Verify())
	l.rows = append(l.rows, t.row(e.name()))
	return t
}

// name is the run's name, as a benchmark's.
func (e experiment) name() string {
	s := subject(e.scheme, e.cfg.Slots, 1)
	if s.Levels != nil {
		s.Levels = e.cfg.Levels
		s.Slots += s.TotalSlots()
	}
	if e.spec.Every > 1 {
		s.Tag = "/every=" + results.FormatCount(uint64(e.spec.Every))
	}
	s.Tag += fmt.Sprintf("/seed=%d", seed)
	return strings.Replace(run.Name(e.spec, s), "/M=0", "", 1)
}
