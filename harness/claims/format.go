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
		Instead string `json:"instead,omitempty"`
	}{fields(r), r.WhatHolds()})
}

// MarshalJSON writes a comparison and its verdict.
func (p Point) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{
		"what": p.What, "relation": p.Relation, "predicted": nullable(p.Predicted),
		"measured": nullable(p.Measured.Mean), "low": nullable(p.Measured.Lo), "high": nullable(p.Measured.Hi),
		"slack": nullable(p.Slack), "tolerance": p.Why, "verdict": p.Verdict(),
	})
}

// nullable returns nil for what JSON has no number for.
func nullable(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
