// Package demand describes what a program asks of its timers in the program's own terms: the number of timers,
// intervals in seconds, the times after which timers are stopped or restarted, the length of a tick. From a
// Preset come the lives of a workload.Mixture and the numbers of the paper's formulas: n, λ and T, tied by
// Little's law, n = λ·T.
//
// The presets are known programs, and worst cases. Each field has a source or is marked as assumed.
package demand

import (
	"encoding"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Class is one kind of timer. A timer of it requests an interval, and is stopped or
// restarted first if the time drawn for that is shorter.
type Class struct {
	Name          string
	Share         float64 // of the lifetimes that begin
	Interval      Dist
	Stop, Restart End
}

// End is an end of lifetimes other than their expiry. The zero End never comes.
type End struct {
	Share float64 // of the lifetimes of a class for which a time is drawn
	After Dist
}

// ParseClass returns a class with a share of 1 from an interval that Dist's UnmarshalText reads, and
// from a stop and a restart that End's UnmarshalText reads. An error wraps workload.ErrDist.
func ParseClass(interval, stop, restart string) (c Class, err error) {
	c.Share = 1
	for _, part := range []struct {
		name, text string
		into       encoding.TextUnmarshaler
	}{{"interval", interval, &c.Interval}, {"stop", stop, &c.Stop}, {"restart", restart, &c.Restart}} {
		if err := part.into.UnmarshalText([]byte(part.text)); err != nil {
			return c, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return c, nil
}

// UnmarshalText reads a distribution, after a share of the timers and @ if it is not for
// all, as in 0.99@exp:1s; "" means never.
func (e *End) UnmarshalText(text []byte) (err error) {
	*e = End{Share: 1}
	share, dist, ok := strings.Cut(string(text), "@")
	switch {
	case len(text) == 0:
		e.Share = 0
		return nil
	case !ok:
		if part, err := parseShare(share); err == nil && part <= 1 {
			return fmt.Errorf("%w %q: a share needs a time, as in %s@exp:2s", workload.ErrDist, text, text)
		}
		return e.After.UnmarshalText(text)
	}
	if e.Share, err = parseShare(share); err != nil || !(e.Share >= 0 && e.Share <= 1) {
		return fmt.Errorf("%w %q (use a share of timers from 0 to 1, @ and a distribution, "+
			"as in 0.99@lognormal:30ms,60ms)", workload.ErrDist, text)
	}
	return e.After.UnmarshalText([]byte(dist))
}

// String describes what the class does, without its share.
func (c Class) String() string {
	text := c.Interval.String()
	if c.Stop.Share > 0 {
		text += fmt.Sprintf(", %.3g %% stopped after %v", 100*c.Stop.Share, c.Stop.After)
	}
	switch c.Restart.Share {
	case 0:
		return text
	case 1:
		return text + fmt.Sprintf(", restarted after %v", c.Restart.After)
	}
	return text + fmt.Sprintf(", %.3g %% restarted after %v", 100*c.Restart.Share, c.Restart.After)
}

// Skewed says which distributions of the class have a mean that hardly any of their times come near, as quantiles that
// were meant as bounds do.
func (c Class) Skewed() (all []string) {
	const most = 100 // medians: P75 of a lognormal distribution is then 7.7 times P50
	for _, d := range []Dist{c.Interval, c.Stop.After, c.Restart.After} {
		for _, part := range d.parts {
			mean, median := 0.0, part.at(0.5)
			for i := range points {
				mean += part.at((float64(i)+0.5)/points) / points
			}
			if mean > most*median {
				all = append(all, fmt.Sprintf("%v has a mean of %s and a median of %s (lognormal:P50,P75 are quantiles; "+
					"uniform:A,B is from A to B)", d, units.FormatNanos(1e9*mean), units.FormatNanos(1e9*median)))
			}
		}
	}
	return all
}

const (
	points   = 4096    // times drawn from each distribution
	maxLives = 1 << 20 // of a workload.Mixture
)

// Check returns an error wrapping workload.ErrSpec if a field is invalid.
func (p Preset) Check() error {
	switch {
	case p.N < 1 || p.N > workload.MaxOps:
		return workload.Invalid("N = %d timers (use 1 to %d)", p.N, workload.MaxOps)
	case p.Tick <= 0:
		return workload.Invalid("tick %v (use a duration above 0)", p.Tick)
	case p.Step%p.Tick != 0:
		return workload.Invalid("tick %v (use one of which %v, which the clock passes at once, is a multiple)", p.Tick, p.Step)
	case len(p.Classes) == 0:
		return workload.Invalid("no class of timers (use one or more)")
	}
	for _, c := range p.Classes {
		if err := c.check(p.Tick); err != nil {
			if c.Name != "" {
				err = fmt.Errorf("%w, in class %q", err, c.Name)
			}
			return err
		}
	}
	return nil
}

func (c Class) check(tick time.Duration) error {
	short, most := 0.0, 0.0
	for _, part := range c.Interval.parts {
		for i := range points {
			s := part.at((float64(i) + 0.5) / points)
			if most = max(most, s); s < tick.Seconds()*(1-1e-9) {
				short += part.share / points
			}
		}
	}
	if short > 0.5 {
		return workload.Invalid("interval %v: %.0f %% of all are shorter than a tick of %v (use a shorter tick)",
			c.Interval, 100*short, tick)
	}
	if ticks := most / tick.Seconds(); ticks > float64(workload.MaxTicks) {
		err := workload.Invalid("interval %v is up to %.3g ticks of %v (use at most %d)", c.Interval, ticks, tick, workload.MaxTicks)
		if skewed := c.Skewed(); len(skewed) > 0 {
			err = fmt.Errorf("%w; %s", err, skewed[0])
		}
		return err
	}
	lives := Preset{Tick: tick, Classes: []Class{c}}.Lives()
	for fate, end := range map[workload.Fate]End{workload.Stopped: c.Stop, workload.Restarted: c.Restart} {
		if end.Share > 0 && !slices.ContainsFunc(lives, func(l workload.Life) bool { return l.Fate() == fate }) {
			return workload.Invalid("timers are never %v after %v, as their interval %v ends before (use a shorter time)",
				fate, end.After, c.Interval)
		}
	}
	return nil
}

// Lives returns the lifetimes that the preset's timers draw from, in ticks, rounded up
// because a timer must not expire early. Equal lifetimes are merged. Every stratum of a class has as many,
// up to points, spread evenly and not at random: the error of their means is about 1/points of the spread.
func (p Preset) Lives() (lives []workload.Life) {
	index, step := map[workload.Life]int{}, max(1, p.StepTicks())
	all := p.strata()
	n := max(1, min(points, maxLives/len(all)))
	for _, s := range all {
		for i := range n {
			l := s.life(i, n, p.Tick)
			if l.Stay < l.Interval { // it is ended after a step of the clock
				l.Stay = min((l.Stay+step-1)/step*step, l.Interval)
			}
			at, known := index[l]
			if !known {
				at = len(lives)
				index[l], lives = at, append(lives, l)
			}
			lives[at].Share += s.share / float64(n)
		}
	}
	return lives
}

// stratum is a part of a class whose timers draw from the same distributions. Rare timers may stay far longer than
// the others: with a stratum of their own they have their exact share.
type stratum struct {
	share                   float64
	interval, stop, restart part
}

// strata divides the classes by the parts of their distributions and by what ends their timers, with shares that
// sum to 1.
func (p Preset) strata() (all []stratum) {
	sum := 0.0
	for _, c := range p.Classes {
		sum += c.Share
	}
	for _, c := range p.Classes {
		for _, interval := range c.Interval.parts {
			for _, stop := range c.Stop.parts() {
				for _, restart := range c.Restart.parts() {
					share := c.Share / sum * interval.share * stop.share * restart.share
					all = append(all, stratum{share, interval, stop, restart})
				}
			}
		}
	}
	return all
}

// parts returns the parts of the distribution of times, and a part without a time for the timers that draw none.
func (e End) parts() (all []part) {
	if e.Share < 1 {
		all = append(all, part{share: 1 - e.Share})
	}
	for _, after := range e.After.parts {
		if e.Share > 0 {
			all = append(all, part{e.Share * after.share, after.quantile})
		}
	}
	return all
}

// life returns the i-th life of n of a stratum, with a share of 0. Its draws are a point of a sequence that fills the
// cube evenly (Roberts' generalised golden ratio of four dimensions: powers of 1/φ, with φ^5 = φ + 1).
func (s stratum) life(i, n int, tick time.Duration) workload.Life {
	const phi = 1.1673039782614187
	draw := func(k float64) float64 {
		_, u := math.Modf(0.5 + float64(i+1)*math.Pow(phi, -k))
		return min(max(u, 1e-9), 1-1e-9)
	}
	interval := inTicks(s.interval.at((float64(i)+0.5)/float64(n)), tick)
	l := workload.Life{Interval: interval, Stay: interval}
	if s.stop.quantile != nil {
		l.Stay = min(l.Stay, inTicks(s.stop.at(draw(2)), tick))
	}
	if s.restart.quantile != nil {
		if again := inTicks(s.restart.at(draw(3)), tick); again < l.Stay {
			l.Stay, l.Restarts = again, true
		}
	}
	return l
}

func inTicks(seconds float64, tick time.Duration) schemes.Tick {
	return schemes.Tick(max(1, min(math.Ceil(seconds/tick.Seconds()-1e-9), float64(workload.MaxTicks))))
}

// StepTicks returns the ticks that the clock passes at once; 0: it passes tick by tick.
func (p Preset) StepTicks() schemes.Tick { return schemes.Tick(p.Step / p.Tick) }

// Interval returns the mean interval in ticks before intervals are rounded up to whole ones, and reports whether all
// of them are equal.
func (p Preset) Interval() (mean float64, equal bool) {
	least, most := math.Inf(1), 0.0
	for _, s := range p.strata() {
		for i := range points {
			ticks := s.interval.at((float64(i)+0.5)/points) / p.Tick.Seconds()
			mean += s.share * ticks / points
			least, most = min(least, ticks), max(most, ticks)
		}
	}
	return mean, least == most
}

// Numbers returns the paper's numbers of the workload. The longest interval is the longest that a program
// may request, up to workload.MaxTicks. In a distribution without a longest, such as exp, it is the
// interval that one of 2^53 exceeds.
func (p Preset) Numbers() workload.Numbers {
	n := workload.NumbersOf(p.N, p.Lives())
	for _, s := range p.strata() {
		n.Longest = max(n.Longest, inTicks(s.interval.at(1-0x1p-53), p.Tick))
	}
	return n
}
