package claims

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// seed is the seed of all counted runs. With another one the numbers differ within their
// intervals, but for the false alarms that falseAlarm allows.
const seed = 1987

// comparisons is how many sampled comparisons the list has at most, and falseAlarm the chance that any of them fails
// though its prediction is true: every interval is as wide as that takes (Bonferroni).
const (
	comparisons = 200
	falseAlarm  = 0.05
)

// batches is into how many parts of equal length a run is cut. Their means are nearly independent if a part is long
// against T, so their spread is the sampling error of the run (the method of batch means).
const batches = 32

// sampling is the reason given for the interval of a batched run.
var sampling = fmt.Sprintf(
	"interval: means of %d batches, t distribution, so wide that all sampled comparisons of the list together raise "+
		"a false alarm in %.0f %% of lists", batches, 100*falseAlarm)

// isExact is the reason given for a value without an interval.
const isExact = "exact: a count without sampling error"

// quantile is how many standard errors an interval reaches to either side.
var quantile = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: batches - 1}.Quantile(1 - falseAlarm/2/comparisons)

// experiment is one counted run: a scheme on a workload, warmed up, then cut into batches.
type experiment struct {
	results.Cell              // its Spec has no Ticks and Seed
	warm         schemes.Tick // ticks before the first batch
	each         schemes.Tick // ticks of a batch
	text         string       // in sentences
}

// runKeys are the keys of a run's words, besides the scheme. Numbers are ticks or, with T, M or J at the end,
// mean stays, revolutions or mean intervals; T=n is one start a tick. oneslot is a run whose timers all
// share a slot: equal intervals, started when the pointer is at slot 0.
var runKeys = strings.Fields("oneslot n T M m dist stop restart arrivals warm each")

// multiple matches a number of T, M or J, such as 20T.
var multiple = regexp.MustCompile(`^([\d.]+)([TMJ])$`)

// newExperiment returns the run of some words and their values. Without warm and each it has 2 T, and batches of
// 4 T and of whole revolutions.
func newExperiment(words map[string]string) (e *experiment, err error) {
	for key := range words {
		if key != "scheme" && !slices.Contains(runKeys, key) {
			return nil, fmt.Errorf("unknown word %q of a run (have %s)", key, strings.Join(runKeys, ", "))
		}
	}
	if _, err := harness.Find(words["scheme"]); err != nil {
		return nil, err
	}
	cell, err := results.Key{
		Scheme: words["scheme"], N: words["n"], Slots: words["M"], Levels: words["m"], Dist: cmp.Or(words["dist"], "exp"),
		Stop: words["stop"], Restart: words["restart"], Arrivals: words["arrivals"],
	}.Cell()
	if err != nil {
		return nil, err
	}
	e = &experiment{Cell: cell}
	number := func(key string, otherwise schemes.Tick) schemes.Tick {
		if words[key] == "" {
			return otherwise
		}
		x, wrong := parseExpression(multiple.ReplaceAllString(words[key], "$1*$2"))
		if err = errors.Join(err, wrong); err != nil {
			return otherwise
		}
		return schemes.Tick(x.of(e))
	}
	e.Spec.T = number("T", 0)
	revolution := max(1, schemes.Tick(e.Slots))
	each := (max(4*e.Spec.T, 8*revolution) + revolution - 1) / revolution * revolution
	if _, ok := words["oneslot"]; ok {
		e.Spec.Dist, e.Spec.Every, each = workload.Const, revolution, e.Spec.T
	}
	e.warm, e.each = number("warm", 2*e.Spec.T), number("each", each)
	texts, stops := []string{e.Scheme}, "no stops"
	if e.Spec.Stop > 0 {
		stops = units.FormatPercent(e.Spec.Stop) + " stopped at " + units.FormatPercent(e.Spec.StopAt)
	}
	for _, key := range runKeys[:len(runKeys)-2] {
		if value, ok := words[key]; ok {
			short := map[string]string{"oneslot": "all in one slot", "dist": value, "stop": stops}
			texts = append(texts, cmp.Or(short[key], key+" = "+value))
		}
	}
	e.text = strings.Join(texts, ", ")
	return e, err
}

// counter makes the counted runs of one claim or figure. An error ends all of them.
type counter struct {
	evidence
	made map[string]tally // runs, for comparisons of the same one
}

type runError struct{ error }

// check ends the runs of a claim or figure if err is not nil.
func (c *counter) check(err error) {
	if err != nil {
		panic(runError{err})
	}
}

// count calls checks with a new counter and returns it, and the error that ended the runs.
func count(checks ...func(*counter)) (c *counter, err error) {
	c = &counter{made: map[string]tally{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runError:
			err = r.error
		default:
			panic(r)
		}
	}()
	for _, check := range checks {
		check(c)
	}
	return c, nil
}

func (c *counter) line(l *line) {
	for _, r := range l.runs {
		what := l.measure.String() + ", " + r.over.text
		if l.against != nil {
			what += "; over"
			if *l.against != l.measure {
				what += " " + l.against.String() + ","
			}
			what += " " + r.under.text
		}
		if l.predicted.varies {
			what += "; predicted: " + l.predicted.text
		}
		found := c.found(l, r)
		why := sampling
		if found.Lo == found.Hi {
			why = isExact
		}
		p := c.add(l.relation, l.predicted.of(r.over), found, why, what)
		if l.why != "" {
			p.Slack = l.slack.of(r.over)
			p.Why += "; slack: " + l.why
		}
	}
}

// found makes the runs and returns what they measure. Where both are of the same operations and measure the same,
// their quotient is exact.
func (c *counter) found(l *line, r runs) Value {
	over := c.measured(r.over, l.measure)
	if l.against == nil {
		return over
	}
	under := c.measured(r.under, *l.against)
	if r.over.Spec == r.under.Spec && r.over.each == r.under.each && *l.against == l.measure {
		return exact(over.Mean / under.Mean)
	}
	return over.over(under)
}

func (c *counter) measured(e *experiment, m measure) Value {
	switch most := 0.0; m.how {
	case "worst":
		c.run(e, true, func(b batch) { most = max(most, b[m.num]) })
		return exact(most)
	case "deviation":
		var values, deviations []float64
		c.run(e, true, func(b batch) {
			if values = append(values, b[m.num]); len(values) == int(e.each) {
				mean, deviation := stat.PopMeanStdDev(values, nil)
				deviations, values = append(deviations, deviation/mean), values[:0]
			}
		})
		return meanOf(deviations)
	}
	return c.run(e, quantities[m.num].singly || quantities[m.den].singly, nil).per(m.num, m.den)
}

// counting is what a scheme must have to take part in counted runs.
type counting interface {
	schemes.Scheme
	schemes.Counter
	schemes.Sized
	schemes.Viewer
}

func (c *counter) new(name string, cfg schemes.Config) counting {
	info, err := harness.Find(name)
	c.check(err)
	s, err := info.New(cfg)
	c.check(err)
	return s.(counting)
}

func (c *counter) start(s schemes.Scheme, interval schemes.Tick, id schemes.ID) schemes.Handle {
	handle, err := s.Start(interval, id)
	c.check(err)
	return handle
}

// run makes a run, verifies its outcome and returns what was counted. Singly runs it tick by tick, for quantities of
// single ticks. A tick that is not nil is called with the counts of each of these in the batches.
func (c *counter) run(e *experiment, singly bool, tick func(batch)) tally {
	key := fmt.Sprint(e.Scheme, e.Slots, e.Levels, e.Spec, e.warm, e.each, singly)
	if t, ok := c.made[key]; ok && tick == nil {
		return t
	}
	check := func(err error) {
		if err != nil {
			c.check(fmt.Errorf("claims: %s: %w", e.text, err))
		}
	}
	spec := e.Spec
	spec.Ticks, spec.Seed = e.warm+batches*e.each, seed
	trace, err := spec.Trace()
	check(err)
	s := c.new(e.Scheme, schemes.Config{Slots: e.Slots, Levels: e.Levels})
	r := running{counting: s, drive: drive.New(s, trace)}
	check(r.drive.Fill())
	check(r.drive.RunTo(e.warm, nil, nil))
	t, now, step := make(tally, batches), e.warm, e.each
	if singly {
		step = 1
	}
	for b := range t {
		for end := now + e.each; now < end; {
			now += step
			some, err := r.runTo(now, step)
			check(err)
			if tick != nil {
				tick(some)
			}
			floats.Add(t[b][:], some[:])
		}
	}
	check(r.drive.Verify())
	if tick == nil {
		c.made[key] = t
	}
	return t
}

// span is what a run did in some ticks, and what it held after them.
type span struct {
	ticks, started, stopped, expired float64
	counts                           schemes.Counts
	starts, stops                    schemes.Counts // the parts of counts that START and STOP made
	outstanding, held                float64        // timers and records
}

// quantity is what can be counted.
type quantity struct {
	name, noun string // in lines, and in sentences
	per        string // in sentences after "per", if others are counted for it
	singly     bool   // of single ticks only; of several it is their sum
	of         func(span) float64
}

var quantities = [...]quantity{
	{"ticks", "ticks", "tick", false, func(s span) float64 { return s.ticks }},
	{"started", "started", "START", false, func(s span) float64 { return s.started }},
	{"stopped", "stopped", "STOP", false, func(s span) float64 { return s.stopped }},
	{"ended", "ended", "timer", false, func(s span) float64 { return s.stopped + s.expired }},
	{"compares", "comparisons", "", false, func(s span) float64 { return float64(s.counts.Compares) }},
	{"starting", "comparisons of STARTs", "", false, func(s span) float64 { return float64(s.starts.Compares) }},
	{"stopping", "comparisons of STOPs", "", false, func(s span) float64 { return float64(s.stops.Compares) }},
	{"visits", "visits", "", false, func(s span) float64 { return float64(s.counts.Visits) }},
	{"wasted", "visits that expire nothing", "", false,
		func(s span) float64 { return float64(s.counts.Visits) - s.expired }},
	{"links", "links", "", false, func(s span) float64 { return float64(s.counts.Links) }},
	{"migrations", "migrations", "", false, func(s span) float64 { return float64(s.counts.Migrations) }},
	{"occupied", "ticks on an occupied slot", "", false,
		func(s span) float64 { return s.ticks - float64(s.counts.EmptySlots) }},
	{"passed", "timers passed by STARTs", "", false, // a search ends at one more
		func(s span) float64 { return float64(s.starts.Compares) - s.started }},
	{"stopsteps", "comparisons of STOPs and 1", "", false,
		func(s span) float64 { return float64(s.stops.Compares) + s.stopped }},
	{"instructions", "VAX instructions", "", false, // at the paper's unit costs
		func(s span) float64 { return 4*s.ticks + 6*float64(s.counts.Visits) + 9*s.expired }},
	{"outstanding", "timers outstanding", "live timer", true, func(s span) float64 { return s.outstanding }},
	{"held", "records held", "", true, func(s span) float64 { return s.held }},
	// The tick's operations are over: the last of its starts found all but itself outstanding, the first as many fewer
	// as there were others.
	{"others", "others", "timer that STARTs find", true,
		func(s span) float64 { return s.started*s.outstanding - s.started*(s.started+1)/2 }},
}

// batch holds the quantities of a span.
type batch [len(quantities)]float64

type tally []batch

// running is a scheme on its way through a run. It is the run's watch, which counts by laps instead of timing them.
type running struct {
	counting
	drive *drive.Drive
	begun schemes.Counts
	laps  [drive.NumLaps]schemes.Counts
}

// Begin, End and Each make running a drive.Watch, for which ticks without operations between them may be one lap.
func (r *running) Begin() { r.begun = r.Counts() }

func (r *running) End(lap drive.Lap, _ int) {
	r.laps[lap] = r.laps[lap].Add(r.Counts().Sub(r.begun))
}

func (r *running) Each() bool { return false }

// runTo runs to a tick, which is the given number of ticks away, and returns the counts of these ticks.
func (r *running) runTo(tick, length schemes.Tick) (b batch, err error) {
	counts, outcome := r.Counts(), r.drive.Outcome()
	r.laps = [drive.NumLaps]schemes.Counts{}
	err = r.drive.RunTo(tick, r, nil)
	now := r.drive.Outcome()
	s := span{
		ticks:       float64(length),
		started:     float64(now.Started - outcome.Started),
		stopped:     float64(now.Stopped - outcome.Stopped),
		expired:     float64(now.Expired - outcome.Expired),
		counts:      r.Counts().Sub(counts),
		starts:      r.laps[drive.Starts],
		stops:       r.laps[drive.Stops],
		outstanding: float64(r.Len()),
		held:        float64(r.Len()),
	}
	if h, ok := r.counting.(schemes.Holder); ok {
		s.held = float64(h.Held())
	}
	for q := range quantities {
		b[q] = quantities[q].of(s)
	}
	return b, err
}

// per returns the ratio of two sums over the run. Its interval comes from the spread
// of the batches, as for a ratio estimator, whose residuals are num - ratio·den.
func (t tally) per(num, den int) Value {
	n, d := 0.0, 0.0
	for _, b := range t {
		n, d = n+b[num], d+b[den]
	}
	ratio, square := n/d, 0.0
	for _, b := range t {
		r := b[num] - ratio*b[den]
		square += r * r
	}
	k := float64(len(t))
	half := quantile * math.Sqrt(square/(k-1)*k) / d
	return Value{ratio, ratio - half, ratio + half}
}
