// Package claims judges what the paper says. A claim is a sentence, the
// comparisons that it stands or falls by, each a prediction, a measurement and the
// tolerance between them, and a verdict.
//
// Claims about counts are judged on runs of the virtual clock made for them: the
// same on every machine, in seconds. Claims about times are judged on raw files of
// package run, and undecided without them. A few are judged by argument alone.
//
// Claims are one list, in claims.txt, with a check each by identifier; those of the
// authors, of later articles and our own are counted apart.
package claims

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Verdict is the outcome of judging a claim.
type Verdict string

// Verdicts.
const (
	Holds     Verdict = "HOLDS"
	Fails     Verdict = "FAILS"
	Undecided Verdict = "UNDECIDED"
	Reported  Verdict = "REPORTED" // of another machine or program, which nothing here can refute
)

// Verdicts lists them all.
var Verdicts = []Verdict{Holds, Fails, Undecided, Reported}

// Whose a claim is.
type Whose string

const (
	Papers   Whose = "paper"   // of the authors of the schemes
	Articles Whose = "article" // of later books and articles
	Ours     Whose = "ours"    // derived here
)

// Groups lists whose claims there are.
var Groups = []Whose{Papers, Articles, Ours}

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

// exact returns a value without an interval.
func exact(x float64) Value { return Value{x, x, x} }

// finite reports whether nothing of v is NaN or infinite.
func (v Value) finite() bool {
	return !slices.ContainsFunc([]float64{v.Mean, v.Lo, v.Hi},
		func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
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

	rounds []float64 // the values of a time, round by round; nil if it is none
}

// Verdict compares the measured interval with the prediction and its slack. An
// interval that lies on both sides of a bound decides nothing; nor does a value
// that is missing.
func (p Point) Verdict() Verdict {
	if p.Relation == Report {
		return Reported
	}
	if p.Open != "" || !p.Measured.finite() || math.IsNaN(p.Predicted) {
		return Undecided
	}
	low, high := p.bounds()
	above, below := p.Measured.Lo > high, p.Measured.Hi < low // beyond doubt
	switch {
	case p.Relation == Equal && (above || below), p.Relation == AtMost && above, p.Relation == AtLeast && below:
		return Fails
	case p.Relation == AtMost && p.Measured.Hi > high, p.Relation == AtLeast && p.Measured.Lo < low:
		return Undecided
	}
	return Holds
}

// bounds returns the prediction less and plus its slack.
func (p Point) bounds() (low, high float64) { return p.Predicted - p.Slack, p.Predicted + p.Slack }

// Claim is one of the list, with its check.
type Claim struct {
	ID       string `json:"id"` // in the analysis; a trailing x, y or z marks a form that we derived
	Whose    Whose  `json:"whose"`
	Scheme   string `json:"scheme"` // the schemes it is about: names, or "all"
	Source   string `json:"source"` // a section of the paper, "derived", an article
	Sentence string `json:"claim"`
	Assumes  string `json:"assumes,omitempty"`
	Measure  string `json:"measure,omitempty"` // what the check makes of it
	Remark   string `json:"remark,omitempty"`
	Instead  string `json:"-"`                // what holds instead if the claim fails
	Figure   string `json:"figure,omitempty"` // the figure that shows it, without the format

	// Of a claim judged by argument.
	Argument string  `json:"argument,omitempty"`
	Argued   Verdict `json:"-"`

	check
}

// Kinds of judgement.
const (
	Exactly    = "exactly" // on counts
	ByTime     = "by time" // on raw files
	ByBoth     = "exactly and by time"
	ByArgument = "by argument"
)

// Judged returns how the claim is judged.
func (c Claim) Judged() string {
	switch {
	case c.Argument != "":
		return ByArgument
	case c.timed == nil:
		return Exactly
	case c.counted == nil:
		return ByTime
	}
	return ByBoth
}

// judge returns the verdict on comparisons: FAILS if any fails, HOLDS if all hold but those that
// only report. REPORTED if all do.
func judge(points []Point) Verdict {
	verdict := Reported
	for _, p := range points {
		switch p.Verdict() {
		case Fails:
			return Fails
		case Undecided:
			verdict = Undecided
		case Holds:
			if verdict == Reported {
				verdict = Holds
			}
		}
	}
	if len(points) == 0 {
		return Undecided
	}
	return verdict
}

// String writes a value with four digits and, unless it is exact, its interval; "-"
// if it is missing.
func (v Value) String() string {
	if math.IsNaN(v.Mean) {
		return "-"
	}
	if v.Lo == v.Mean && v.Hi == v.Mean {
		return formatValue(v.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", formatValue(v.Mean), formatValue(v.Lo), formatValue(v.Hi))
}

// formatValue writes whole numbers below ten million in full, others with four digits.
func formatValue(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e7 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// Prediction writes what is predicted, with relation and slack; "-" if it is
// missing.
func (p Point) Prediction() string {
	if math.IsNaN(p.Predicted) {
		return "-"
	}
	text := string(p.Relation) + " " + formatValue(p.Predicted)
	if p.Relation == Report {
		return "(" + formatValue(p.Predicted) + ")"
	}
	if p.Slack > 0 {
		text += " ± " + fmt.Sprintf("%.2g", p.Slack)
	}
	return text
}

// MarshalJSON writes a result for other programs. What is missing is null.
func (r Result) MarshalJSON() ([]byte, error) {
	type fields Result // without this method
	return json.Marshal(struct {
		fields
		Judged  string `json:"judged"`
		Instead string `json:"instead,omitempty"`
	}{fields(r), r.Judged(), r.WhatHolds()})
}

// MarshalJSON writes a comparison and its verdict.
func (p Point) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{
		"what": p.What, "relation": p.Relation, "predicted": nullable(p.Predicted),
		"measured": nullable(p.Measured.Mean), "low": nullable(p.Measured.Lo), "high": nullable(p.Measured.Hi),
		"slack": nullable(p.Slack), "tolerance": p.Why, "verdict": p.Verdict(), "open": p.Open,
	})
}

// nullable returns nil for what JSON has no number for.
func nullable(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
