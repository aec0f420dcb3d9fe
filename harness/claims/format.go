package claims

import (
	"encoding/json"
	"fmt"
	"math"
)

// String writes a value with four digits and, unless it is exact, its interval; "-"
// if it is missing.
func (v Value) String() string {
	if math.IsNaN(v.Mean) {
		return "-"
	}
	if v.Lo == v.Mean && v.Hi == v.Mean {
		return number(v.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", number(v.Mean), number(v.Lo), number(v.Hi))
}

// number writes whole numbers below ten million in full, others with four digits.
func number(x float64) string {
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
	text := string(p.Relation) + " " + number(p.Predicted)
	if p.Slack > 0 {
		text += " ± " + fmt.Sprintf("%.2g", p.Slack)
	}
	return text
}

// MarshalJSON writes a result for other programs. What is missing is null.
func (r Result) MarshalJSON() ([]byte, error) {
	points := make([]pointJSON, len(r.Points))
	for i, p := range r.Points {
		points[i] = pointJSON{
			p.What, p.Relation, finite(p.Predicted), finite(p.Measured.Mean), finite(p.Measured.Lo), finite(
				p.Measured.Hi), finite(p.Slack), p.Why, p.Verdict(),
		}
	}
	out := resultJSON{ID: r.ID, Scheme: r.Scheme, Source: r.Source, Sentence: r.Sentence, Verdict: r.Verdict,
		Missing: r.Missing, Instead: r.WhatHolds(), Figure: r.Figure, Points: points, Rows: r.Rows}
	return json.Marshal(out)
}

type resultJSON struct {
	ID       string      `json:"id"`
	Scheme   string      `json:"scheme"`
	Source   string      `json:"source"`
	Sentence string      `json:"claim"`
	Verdict  Verdict     `json:"verdict"`
	Instead  string      `json:"instead,omitempty"`
	Missing  string      `json:"missing,omitempty"`
	Figure   string      `json:"figure,omitempty"`
	Points   []pointJSON `json:"comparisons"`
	Rows     []string    `json:"rows"`
}

type pointJSON struct {
	What      string   `json:"what"`
	Relation  Relation `json:"relation"`
	Predicted *float64 `json:"predicted"`
	Measured  *float64 `json:"measured"`
	Lo        *float64 `json:"low"`
	Hi        *float64 `json:"high"`
	Slack     *float64 `json:"slack"`
	Why       string   `json:"tolerance"`
	Verdict   Verdict  `json:"verdict"`
}

// finite returns nil for what JSON has no number for.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
