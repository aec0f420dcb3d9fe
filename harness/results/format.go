package results

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"golang.org/x/perf/benchunit"
)

// Numbers for people have three significant digits, no exponent and, after a
// space, their unit. What is not finite is "-".

// FormatNumber writes a number without a unit: 0.25, 24, 1810, 551M.
func FormatNumber(v float64) string {
	if math.Abs(v) < 1e6 {
		return digits(v)
	}
	return scaled(v, benchunit.Decimal, "")
}

// FormatNanos writes a time given in nanoseconds: 9.7 ns, 1.63 µs, 4.2 min.
func FormatNanos(ns float64) string {
	if math.IsInf(ns, 0) {
		return "-"
	}
	for _, long := range []struct {
		ns   float64
		unit string
	}{{24 * 3600e9, " days"}, {3600e9, " h"}, {60e9, " min"}} {
		if math.Abs(ns) >= 2*long.ns {
			return digits(ns/long.ns) + long.unit
		}
	}
	switch {
	case math.Abs(ns) >= 1e9:
		return digits(ns/1e9) + " s"
	case math.Abs(ns) < 1:
		return digits(ns) + " ns"
	}
	return scaled(ns/1e9, benchunit.Decimal, "s")
}

// FormatDuration is FormatNanos for a Duration.
func FormatDuration(d time.Duration) string { return FormatNanos(float64(d)) }

// FormatBytes writes a size: 35.2 B, 1.78 MiB.
func FormatBytes(bytes float64) string { return scaled(bytes, benchunit.Binary, "B") }

// FormatRatio writes a ratio with two decimals, a large one with three digits.
func FormatRatio(v float64) string {
	if math.Abs(v) >= 100 || math.IsNaN(v) {
		return FormatNumber(v)
	}
	return fmt.Sprintf("%.2f", v)
}

// FormatPercent writes a share as a percentage: 0.5 is 50 %.
func FormatPercent(share float64) string { return digits(100*share) + " %" }

// digits writes three significant digits, and all before the decimal point.
func digits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(round(v), 'f', -1, 64)
}

func round(v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return rounded
}

// scaled writes a number with a prefix of its class and its unit, if it has one.
func scaled(v float64, class benchunit.Class, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	s := benchunit.CommonScale([]float64{round(v)}, class)
	if unit == "" {
		return digits(v/s.Factor) + s.Prefix
	}
	return digits(v/s.Factor) + " " + s.Prefix + unit
}
