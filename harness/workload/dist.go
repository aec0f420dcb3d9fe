package workload

import (
	"errors"
	"fmt"
	"strings"

	"timerlab/schemes"
)

// Dist is a distribution of intervals. It is a shape alone, whose mean its user sets in
// ticks (Spec does), or has durations of its own (Class wants them). The zero value is
// Const().
type Dist struct {
	shape     uint8      // index into shapes
	durations *durations // nil for a shape alone
}

// durations is a distribution in seconds.
type durations struct {
	text     string // as ParseDist reads it
	quantile quantile
}

// Const makes every interval the mean.
func Const() Dist { return Dist{shape: constShape} }

// Uniform makes intervals of 1 to 2·mean-1 ticks equally likely.
func Uniform() Dist { return Dist{shape: uniformShape} }

// Exp is the negative exponential distribution: the median is 0.69 of the mean,
// the longest interval ln(2·Points) = 9.0 means.
func Exp() Dist { return Dist{shape: expShape} }

// Erlang is the sum of four exponential phases: the standard deviation is half the
// mean, the longest interval 4.2 means.
func Erlang() Dist { return Dist{shape: erlangShape} }

// Pareto has P(J > x) = (a/x)^1.5, of infinite variance but for the table's end
// at 140 means; a is 0.344 means, since the tail cut off would hold 3 % of the
// mean.
func Pareto() Dist { return Dist{shape: paretoShape} }

// Bimodal is 90 % short intervals of mean/9 and 10 % long ones of 9·mean.
func Bimodal() Dist { return Dist{shape: bimodalShape} }

// LogUniform spreads the logarithm of the interval evenly over four decades, from
// mean/1085 to 9.2 means: as many intervals from 1 to 10 as from 10 to 100.
func LogUniform() Dist { return Dist{shape: logUniformShape} }

// Dists returns all shapes, the simplest first.
func Dists() []Dist {
	all := make([]Dist, len(shapes))
	for i := range all {
		all[i].shape = uint8(i)
	}
	return all
}

// HasDurations reports whether the distribution has durations of its own. Only then
// does it have quantiles in seconds.
func (d Dist) HasDurations() bool { return d.durations != nil }

// String returns the distribution as ParseDist reads it. A shape's name is used in the
// names of benchmarks, as in dist=exp.
func (d Dist) String() string {
	if d.HasDurations() {
		return d.durations.text
	}
	return shapes[d.shape].name
}

// Quantile returns the duration, in seconds, that a share p of all stay below, for p
// above 0 and below 1, of a distribution that has durations.
func (d Dist) Quantile(p float64) float64 { return d.durations.quantile.within(p) }

// Quantiles returns Points equally likely intervals, at least 1 tick each, in
// ascending order, that realise the shape with this mean; nil if the mean is not
// within 1 to MaxMean, or if the distribution has durations.
//
// Before rounding, the i-th is the quantile at (i+½)/Points, so a tail ends at
// 1-1/(2·Points). Intervals that would be below 1 tick are 1, and the others are
// scaled so that the table's mean is the requested one; each is then rounded up
// or down, such that the mean is exact. Where the mean is so small that most
// intervals are 1 tick, the shape is what suffers.
func (d Dist) Quantiles(mean schemes.Tick) []schemes.Tick {
	if mean < 1 || mean > MaxMean || d.HasDurations() {
		return nil
	}
	return d.table(mean)
}

// ErrDist is wrapped by ParseDist's error.
var ErrDist = errors.New("invalid distribution")

// Forms says how a distribution with durations is written.
const Forms = "30s, uniform:1s,5s, exp:30s (mean), lognormal:20ms,60ms (p50, p75), pareto:1s,1.5 (least, " +
	"exponent), mix:0.9*const:30s+0.1*exp:5m, quantiles:FILE"

// ParseDist reads a distribution, a shape alone or one with durations:
//
//	exp                           a shape: const, uniform, exp, erlang, pareto, bimodal, loguniform
//	exp:30s                       the shape exp with a mean of 30 s; likewise const, erlang, bimodal, loguniform
//	30s, every:30s                the same as const:30s
//	uniform:1s,5s                 from 1 s to 5 s
//	lognormal:20ms,60ms           half are below 20 ms, three quarters below 60 ms
//	pareto:1s,1.5                 P(J > x) = (1s/x)^1.5
//	mix:0.9*const:30s+0.1*exp:5m  a tenth of another one; shares such as 1/3 are exact
//	quantiles:FILE                lines of a percentage and a duration, as in "99 2.5s"
//
// The error wraps ErrDist.
func ParseDist(text string) (Dist, error) {
	if d, err := ParseShape(text); err == nil {
		return d, nil
	}
	q, err := parseQuantile(text)
	if err == errForm {
		err = fmt.Errorf("use %s", Forms)
	}
	if err != nil {
		return Dist{}, fmt.Errorf("%w %q: %w", ErrDist, text, err)
	}
	return Dist{durations: &durations{text, q}}, nil
}

// ParseShape reads a shape, whose mean its user sets. The error wraps ErrDist.
func ParseShape(text string) (Dist, error) {
	var names []string
	for _, d := range Dists() {
		if names = append(names, d.String()); d.String() == text {
			return d, nil
		}
	}
	return Dist{}, fmt.Errorf("%w %q (use %s)", ErrDist, text, strings.Join(names, ", "))
}
