package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/results"
)

// Relation is how a measurement must stand to a prediction.
type Relation string

// Relations.
const (
	Equal   Relation = "="
	AtMost  Relation = "≤"
	AtLeast Relation = "≥"
	Report  Relation = "reported" // the prediction is of something else: there is no verdict
)

// Value is a measurement with its interval. An exact one has none: Lo = Mean = Hi.
type Value struct{ Mean, Lo, Hi float64 }

func exact(x float64) Value { return Value{x, x, x} }

// unknown is the value of a cell that is missing: it decides nothing.
var unknown = exact(math.NaN())

// meanOf returns the mean of independent values, with its interval.
func meanOf(values []float64) Value {
	mean, deviation := stat.MeanStdDev(values, nil)
	half := quantile * stat.StdErr(deviation, float64(len(values)))
	return Value{mean, mean - half, mean + half}
}

// over returns v/w. The intervals' relative half-widths add up, which is wide
// enough for any dependence between the two.
func (v Value) over(w Value) Value {
	return Value{v.Mean / w.Mean, v.Lo / w.Hi, v.Hi / w.Lo}
}

// String writes a value with four digits and, unless it is exact, its interval; "-" if it is missing.
func (v Value) String() string {
	if math.IsNaN(v.Mean) {
		return "-"
	}
	if v.Lo == v.Mean && v.Hi == v.Mean {
		return formatValue(v.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", formatValue(v.Mean), formatValue(v.Lo), formatValue(v.Hi))
}

func formatValue(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// Point is one comparison: Measured must stand in Relation to Predicted.
type Point struct {
	What      string // what is compared, with its unit
	Relation  Relation
	Predicted float64
	Measured  Value
	Slack     float64 // how far the claim itself is an approximation, in the same unit; 0 for most
	Why       string  // where the interval and the slack come from
	Open      string  // why it decides nothing, whatever the interval; "": it may
	Level     float64 // of the interval of a time that may decide; 0 of others

	refutes float64 // of such a time: the p-value that it needs to refute, corrected for all of them
}

// decides reports whether the verdict can depend on the comparison.
func (p *Point) decides() bool { return p.Relation != Report }

// Verdict compares the interval with the prediction and its slack. An interval that lies on both sides of a bound
// decides nothing; nor does a value that is missing.
func (p *Point) Verdict() Verdict {
	switch {
	case p.Relation == Report:
		return Reported
	case p.Open != "", math.IsNaN(p.Predicted):
		return Undecided
	case slices.ContainsFunc([]float64{p.Measured.Lo, p.Measured.Mean, p.Measured.Hi},
		func(x float64) bool { return results.Finite(x) == nil }):
		return Undecided
	}
	low, high := p.Predicted-p.Slack, p.Predicted+p.Slack
	above, below := p.Measured.Lo > high, p.Measured.Hi < low // beyond doubt
	switch {
	case p.Relation == Equal && (above || below), p.Relation == AtMost && above, p.Relation == AtLeast && below:
		if p.refutes > level {
			return Undecided
		}
		return Fails
	case p.Relation == AtMost && p.Measured.Hi > high, p.Relation == AtLeast && p.Measured.Lo < low:
		return Undecided
	}
	return Holds
}

// WhyUndecided says why a comparison is undecided; it is "" of others.
func (p *Point) WhyUndecided() string {
	switch {
	case p.Verdict() != Undecided:
		return ""
	case p.Open != "":
		return p.Open
	case results.Finite(p.Predicted-p.Measured.Lo-p.Measured.Hi) == nil:
		return "a bound or an end of the interval is missing"
	case p.refutes > level && (p.Measured.Lo-p.Predicted)*(p.Measured.Hi-p.Predicted) > 0:
		return fmt.Sprintf("beyond the bound, but p is %.2g among all comparisons of times", p.refutes)
	}
	return "the interval lies on both sides of the bound"
}

// verdictOf returns the verdict on comparisons: FAILS if any fails, HOLDS if all hold that do not
// only report. REPORTED if all do.
func verdictOf(points []*Point) Verdict {
	for _, gravest := range []Verdict{Fails, Undecided, Holds, Reported} {
		if slices.ContainsFunc(points, func(p *Point) bool { return p.Verdict() == gravest }) {
			return gravest
		}
	}
	return Undecided
}

// Prediction writes what is predicted, with relation and slack; "-" if it is missing.
func (p *Point) Prediction() string {
	switch {
	case math.IsNaN(p.Predicted):
		return "-"
	case p.Relation == Report:
		return "(" + formatValue(p.Predicted) + ")"
	case p.Slack > 0:
		return fmt.Sprintf("%s %s ± %.2g", p.Relation, formatValue(p.Predicted), p.Slack)
	}
	return string(p.Relation) + " " + formatValue(p.Predicted)
}

// MarshalJSON writes a comparison and its verdict.
func (p *Point) MarshalJSON() ([]byte, error) {
	number := results.Finite
	return json.Marshal(map[string]any{
		"what": p.What, "relation": p.Relation, "predicted": number(p.Predicted),
		"measured": number(p.Measured.Mean), "low": number(p.Measured.Lo), "high": number(p.Measured.Hi),
		"slack": number(p.Slack), "tolerance": p.Why, "verdict": p.Verdict(), "open": p.Open,
	})
}

// evidence collects the comparisons of one claim, in their order.
type evidence struct{ points []*Point }

func (e *evidence) add(r Relation, predicted float64, measured Value, why, what string) *Point {
	p := &Point{What: what, Relation: r, Predicted: predicted, Measured: measured, Why: why}
	e.points = append(e.points, p)
	return p
}
