package pick

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/harness/cost"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/harness/workload/demand"
	"timerlab/harness/workload/tracefile"
	"timerlab/schemes"
)

// Workload is what candidates are measured on.
type Workload struct {
	workload.Numbers
	Source  string          `json:"source"`
	Assumed []string        `json:"assumed,omitempty"` // what no source says
	Tick    time.Duration   `json:"tick_ns"`
	Step    schemes.Tick    `json:"step_ticks,omitempty"`   // that the clock passes at once; 0: it passes tick by tick
	Slots   int             `json:"slots_in_use,omitempty"` // M of a hashed wheel that serves it today
	Lives   []workload.Life `json:"-"`                      // shares sum to 1
	Phases  workload.Phases `json:"-"`                      // of the timers; nil: random
	NoPhase bool            `json:"no_phases,omitempty"`    // they are not random, and unknown: no tick's time is known

	Warnings    []string `json:"warnings,omitempty"` // what the user may not have meant
	OneInterval bool     `json:"-"`                  // all intervals are equal, before they are rounded to ticks
}

const lengthens = 1.1 // by which whole ticks make the mean interval longer is worth a warning

// FromPreset returns the workload of a preset.
func FromPreset(p demand.Preset) Workload {
	w := Workload{Numbers: p.Numbers(), Lives: p.Lives(), Phases: p.Phases, Slots: p.Slots, Tick: p.Tick, Step: p.StepTicks()}
	w.Assumed, w.Source = p.Assumed(), fmt.Sprintf("preset %s: %s", p.Name, p.About)
	asked, equal := p.Interval()
	if w.OneInterval = equal; w.Interval > lengthens*asked {
		w.Warnings = append(w.Warnings, fmt.Sprintf("whole ticks of %v make the mean interval %.3g times as long (use a shorter --tick)",
			w.Tick, w.Interval/asked))
	}
	for _, c := range p.Classes {
		w.Warnings = append(w.Warnings, c.Skewed()...)
	}
	return w
}

// FromTrace returns the workload of what was read from a file. A tick of 0 means the trace's own.
func FromTrace(t *tracefile.Stat, file string, tick time.Duration) (w Workload, err error) {
	tick = cmp.Or(tick, t.Tick)
	switch {
	case len(t.Lives) == 0:
		return w, fmt.Errorf("%s: no timer ends within the trace", file)
	case t.Longest > workload.MaxTicks:
		return w, fmt.Errorf("%s: an interval of %d ticks (at most %d)", file, t.Longest, workload.MaxTicks)
	case tick == 0:
		return w, workload.Invalid("%s does not say how long a tick is (give the tick)", file)
	}
	w.Numbers, w.Lives = workload.NumbersOf(max(1, int(math.Round(t.N()))), t.Lives), t.Lives
	w.Expired, w.Stopped, w.Restarted = t.Share(workload.Expired), t.Share(workload.Stopped), t.Share(workload.Restarted)
	w.Longest = max(w.Longest, t.Longest)
	w.Tick, w.Source, w.NoPhase = tick, "trace "+file, true
	w.OneInterval = !slices.ContainsFunc(t.Lives, func(l workload.Life) bool { return l.Interval != t.Lives[0].Interval })
	w.Assumed = append(w.Assumed, "timers start independently of each other")
	if left := float64(t.Outstanding) / float64(t.Started); left > 0.01 {
		w.Assumed = append(w.Assumed,
			fmt.Sprintf("the %.2g %% of timers left at the trace's end are restarted there", 100*left))
	}
	if missing := t.Missing(); len(missing) > 0 {
		w.Warnings = append(w.Warnings, "the trace lacks "+strings.Join(missing, ", "))
	}
	return w, nil
}

// Bounded reports whether the workload has a longest interval.
func (w Workload) Bounded() bool { return w.Longest < workload.MaxTicks }

// PerSecond converts a number per tick.
func (w Workload) PerSecond(perTick float64) float64 { return perTick / w.Tick.Seconds() }

// Stream makes the workload's operations.
func (w Workload) Stream(seed uint64) (*workload.Stream, error) {
	return workload.Mixture{N: w.N, Lives: w.Lives, Phases: w.Phases, Seed: seed, Step: w.Step}.Stream()
}

// copyOf returns the workload with n timers, and so with fewer lives a tick.
func (w Workload) copyOf(n int) Workload {
	w.N, w.Rate = n, w.Rate*float64(n)/float64(w.N)
	return w
}

const (
	raceLives   = 300_000   // that are timed in a pass: some 10 ms
	stepLives   = 1_000_000 // at most, for a wheel to advance
	raceTicks   = 1 << 21   // at most; some milliseconds if all are empty
	negligible  = 0.02      // of a migration per life
	phasedStays = 16        // of a timer, after which no order in memory is left where all expire together
	stale       = 0.1       // of a visit to an entry of a stopped timer per life: an entry of an array takes 1 or 2 ns
)

// ticksFor returns the ticks in which this many lives begin, at most most: a power of two, so
// that most wheels make whole revolutions.
func (w Workload) ticksFor(lives float64, most schemes.Tick) schemes.Tick {
	return schemes.Tick(powerOfTwo(uint64(min(math.Ceil(lives/w.Rate), float64(most)))))
}

// timedTicks returns the length of what is timed in a pass: a few hundred thousand lives, and a step of each wheel that
// matters, unless such a step takes more than stepLives or four lives of each timer. Where timers have phases it is one
// life of each, as no timer may end in a part of a period.
func (w Workload) timedTicks(all []*candidate) schemes.Tick {
	step, lives := schemes.Tick(1), float64(raceLives)
	for _, c := range all {
		for k := len(c.Levels) - 1; k > 0 && step < schemes.Span(c.Levels[:k]); k-- {
			if w.unseen(c.Subject, schemes.Span(c.Levels[:k])-1) > negligible {
				step = schemes.Span(c.Levels[:k])
			}
		}
	}
	most := float64(min(4*w.N, stepLives))
	if w.Phases != nil {
		step, lives, most = max(step, w.Longest), max(lives, float64(w.N)), max(most, float64(w.N)) // a period
	}
	step = min(step, w.ticksFor(most, raceTicks))
	return max(w.ticksFor(lives, raceTicks), step)
}

// segments returns how many rounds of some ticks follow one filling of all timers: as many as take as long as it, up to five,
// as a filling has one layout in memory. A start takes about three times as long as a life, since memory is new.
func (w Workload) segments(warm, timed schemes.Tick) int {
	const most = 5
	return int(max(1, min(most, (3*float64(w.N)+w.Rate*float64(warm))/(w.Rate*float64(timed)))))
}

// unseen returns the migrations per life, by the formula of their mean, from wheels that do not
// advance within this many ticks.
func (w Workload) unseen(c run.Subject, ticks schemes.Tick) float64 {
	seen := 1
	for seen < len(c.Levels) && schemes.Span(c.Levels[:seen]) <= ticks {
		seen++
	}
	if seen >= len(c.Levels) {
		return 0
	}
	return cost.Migrations7(w.Lives, c.Levels) - cost.Migrations7(w.Lives, c.Levels[:seen])
}

// warmUps returns for how many ticks a scheme must run until what stopped timers leave in its slots
// is at its steady number: until the visits per life that have not begun are negligible, for the
// mean, and until hardly any entry is older, for single ticks. Timers that expire or are restarted
// are in the steady state from the beginning, but their places in memory are not.
//
// The schemes that may be picked keep about one entry per timer. So the entries that wait for W ticks
// or longer come up T/W times per life at most, where T is the mean stay: when that is negligible,
// the wait for the mean ends.
func (w Workload) warmUps() (forMean, forTicks schemes.Tick) {
	byInterval := slices.SortedFunc(slices.Values(w.Lives), func(a, b workload.Life) int {
		return cmp.Compare(b.Interval, a.Interval)
	})
	left := 0.0
	for _, l := range byInterval { // the longest first
		if l.Fate() == workload.Stopped {
			left += l.Share
		}
		if left > stale && forMean == 0 {
			forMean = l.Interval
		}
		if left > stale/50 && forTicks == 0 {
			forTicks = l.Interval
		}
	}
	stay := schemes.Tick(math.Ceil(w.MeanStay))
	if w.Phases != nil {
		stay = max(stay, min(w.Longest, phasedStays*stay))
	}
	most := schemes.Tick(w.MeanStay / stale)
	return max(min(forMean, most), stay), max(forMean, forTicks, stay)
}

// Request describes a workload as its user does. The zero value of a field means that it is
// not given. A preset's n and tick are replaced by those given.
type Request struct {
	Preset   string
	N        uint64        // timers outstanding
	Rate     float64       // timers started a second, restarts included
	Interval string        // a distribution, as demand.ParseClass reads it
	Stop     string        // "
	Restart  string        // "
	Tick     time.Duration // default 1 ms
}

// Workload returns the workload that is requested. Its errors wrap workload.ErrSpec, ErrDist
// or ErrPreset.
func (r Request) Workload() (w Workload, err error) {
	p, err := r.demand()
	if err != nil {
		return w, err
	}
	var changed []string
	if r.N > 0 || r.Rate > 0 {
		changed = append(changed, "n")
	}
	if r.Tick > 0 {
		p.Tick, changed = r.Tick, append(changed, "tick")
	}
	if p.Phases != nil && len(changed) > 0 {
		return w, workload.Invalid("preset %s has fixed phases, so its %s cannot be changed",
			p.Name, strings.Join(changed, " and "))
	}
	if err := p.Check(); err != nil {
		return w, err
	}
	if r.Preset == "" || slices.Contains(changed, "n") {
		if p.N, err = r.timers(p.Numbers().MeanStay * p.Tick.Seconds()); err != nil {
			return w, err
		}
	}
	w = FromPreset(p)
	w.Assumed = slices.DeleteFunc(w.Assumed, func(field string) bool { return slices.Contains(changed, field) })
	switch {
	case r.Preset == "":
		w.Source = p.Classes[0].String()
	case len(changed) > 0:
		w.Source += ", with another " + strings.Join(changed, " and ")
	}
	return w, nil
}

// demand returns the preset, or one of the requested class.
func (r Request) demand() (p demand.Preset, err error) {
	class := r.Interval != "" || r.Stop != "" || r.Restart != ""
	switch {
	case r.Preset != "" && class:
		return p, workload.Invalid("preset %s has its own intervals, stops and restarts (change n or tick only)", r.Preset)
	case r.Preset != "":
		return demand.FindPreset(r.Preset)
	case r.Interval == "":
		return p, workload.Invalid("no interval (use a distribution such as 30s)")
	}
	c, err := demand.ParseClass(r.Interval, r.Stop, r.Restart)
	notes := []demand.Note{{Fields: []string{"tick"}}}
	return demand.Preset{N: 1, Tick: time.Millisecond, Classes: []demand.Class{c}, Notes: notes}, err
}

// timers returns n: as requested, or by Little's law from the rate and the mean stay in seconds.
func (r Request) timers(stays float64) (int, error) {
	n := float64(r.N)
	switch {
	case r.N == 0 && r.Rate == 0:
		return 0, workload.Invalid("neither n nor rate given (use one of them: n = rate × mean stay)")
	case r.N == 0:
		n = r.Rate * stays
	}
	if !(n >= 1 && n <= workload.MaxOps) {
		return 0, workload.Invalid("n = rate × mean = %.4g/s × %.4gs = %.4g timers (use 1 to %d)", n/stays, stays, n, workload.MaxOps)
	}
	return int(math.Round(n)), nil
}
