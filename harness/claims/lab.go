package claims

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"timerlab/harness"
	"timerlab/harness/drive"
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

// isExact is the reason given for a value without an interval.
const isExact = "exact: a count without sampling error"

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

// attempt calls checks with a new lab and returns the lab and the error that ended the runs.
func attempt(checks ...func(*lab)) (l *lab, err error) {
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
	for _, check := range checks {
		check(l)
	}
	return l, nil
}

// sampled compares a mean over a run with its prediction.
func (l *lab) sampled(predicted float64, measured Value, format string, args ...any) *Point {
	return l.add(Equal, predicted, measured, sampling, format, args...)
}

// counted compares a number that has no sampling error.
func (l *lab) counted(predicted, measured float64, format string, args ...any) *Point {
	return l.add(Equal, predicted, exact(measured), isExact, format, args...)
}

// counting is what a scheme must have to take part in counted runs.
type counting interface {
	schemes.Scheme
	schemes.Counter
	schemes.Sized
	schemes.Viewer
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

// place returns where a timer is.
func (l *lab) place(s counting, id schemes.ID) (at schemes.Place) {
	found := false
	s.View(func(p schemes.Place) bool {
		at, found = p, p.ID == id
		return !found
	})
	if !found {
		l.check(errors.New("claims: no such timer is outstanding"))
	}
	return at
}

// experiment returns the run of some words, which are those of a line of Counts after "of".
func (l *lab) experiment(format string, args ...any) experiment {
	runs, err := parseRuns(strings.Fields(fmt.Sprintf(format, args...)))
	l.check(err)
	e, err := runs[0].experiment()
	l.check(err)
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
	r := running{counting: s, drive: drive.New(s, trace)}
	check(r.drive.Fill())
	check(r.drive.RunTo(e.warm, nil, nil))
	t := make(tally, batches)
	for b := range t {
		t[b], err = r.batch(e.warm+schemes.Tick(b)*e.each, e)
		check(err)
	}
	check(r.drive.Verify())
	l.rows = append(l.rows, t.row(e.name()))
	return t
}

// dueAfter starts one timer and returns the ticks until it is due.
func (l *lab) dueAfter(scheme string, cfg schemes.Config, interval schemes.Tick) float64 {
	s := l.new(scheme, cfg)
	l.start(s, interval, 1)
	for tick := 1.0; tick <= 4*float64(interval); tick++ {
		if s.PerTick() > 0 {
			return tick
		}
	}
	l.check(fmt.Errorf("claims: %s: a timer of %d ticks is not due after four times that", scheme, interval))
	return 0
}

// mostlyStopped stops timers as retransmission timers are.
func mostlyStopped(s workload.Spec) workload.Spec {
	s.Stop, s.StopAt = 0.9, 0.05
	return s
}

// withStops names the two kinds of workload in sentences.
func withStops(stops bool) string {
	if stops {
		return "90 % stopped at 5 %"
	}
	return "no stops"
}
