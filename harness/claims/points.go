package claims

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// evidence collects the comparisons of one claim, in their order, and what was counted or
// timed for them, in the Go benchmark format.
type evidence struct {
	points []*Point
	rows   []string
}

func (c *evidence) add(r Relation, predicted float64, measured Value, why, format string, args ...any) *Point {
	p := &Point{What: fmt.Sprintf(format, args...), Relation: r, Predicted: predicted, Measured: measured, Why: why}
	c.points = append(c.points, p)
	return p
}

// sampled compares a mean over a run with its prediction.
func (l *lab) sampled(predicted float64, measured Value, format string, args ...any) *Point {
	return l.add(Equal, predicted, measured, sampling, format, args...)
}

const isExact = "exact: a count without sampling error"

// counted compares a number that has no sampling error.
func (l *lab) counted(predicted, measured float64, format string, args ...any) *Point {
	return l.add(Equal, predicted, exact(measured), isExact, format, args...)
}

// about widens a comparison by how far the claim is an approximation, and says why.
func (p *Point) about(slack float64, why string) *Point {
	p.Slack = slack
	p.Why += "; slack: " + why
	return p
}

// as replaces the relation of a comparison.
func (p *Point) as(r Relation) *Point {
	p.Relation = r
	return p
}

// over returns a/b. The intervals' relative half-widths add up, which is wide
// enough for any dependence between the two.
func (v Value) over(w Value) Value {
	return Value{v.Mean / w.Mean, v.Lo / w.Hi, v.Hi / w.Lo}
}

// times returns v in other units.
func (v Value) times(x float64) Value { return Value{v.Mean * x, v.Lo * x, v.Hi * x} }

// plus returns v moved.
func (v Value) plus(x float64) Value { return Value{v.Mean + x, v.Lo + x, v.Hi + x} }

// hold is the closed workload without stops.
func hold(n int, T schemes.Tick, dist workload.Dist) workload.Spec {
	return workload.Spec{N: n, T: T, Dist: dist}
}

// stoppedAt makes a share of a workload's timers end at a part of their interval.
func stoppedAt(s workload.Spec, share, part float64) workload.Spec {
	s.Stop, s.StopAt = share, part
	return s
}

// mostlyStopped stops timers as retransmission timers are, halfStopped half of them halfway.
func mostlyStopped(s workload.Spec) workload.Spec { return stoppedAt(s, 0.9, 0.05) }
func halfStopped(s workload.Spec) workload.Spec   { return stoppedAt(s, 0.5, 0.5) }

// unsized is the configuration of lists and trees.
var unsized schemes.Config

// withSlots and withLevels are configurations of wheels.
func withSlots(m int) schemes.Config         { return schemes.Config{Slots: m} }
func withLevels(radix ...int) schemes.Config { return schemes.Config{Levels: radix} }

// equalLevels returns m levels of M/m slots.
func equalLevels(slots, levels int) schemes.Config {
	return schemes.Config{Levels: subject(sevenName, slots, levels).Levels}
}

// withStops names the two kinds of workload in sentences.
func withStops(stops bool) string {
	if stops {
		return "90 % stopped at 5 %"
	}
	return "no stops"
}

// relativeDeviation returns the standard deviation of a population over its mean.
func relativeDeviation(values []float64) float64 {
	mean, deviation := stat.PopMeanStdDev(values, nil)
	return deviation / mean
}

// meanOf returns the mean of independent values, with its interval.
func meanOf(values []float64) Value {
	mean, deviation := stat.MeanStdDev(values, nil)
	return around(mean, quantile*stat.StdErr(deviation, float64(len(values))))
}

// around returns an interval of the given half-width.
func around(mean, half float64) Value { return Value{mean, mean - half, mean + half} }
