package units

import (
	"fmt"
	"math"
	"strconv"

	"golang.org/x/perf/benchunit"
)

// Numbers for people have three significant digits, no exponent and, after a
// space, their unit. What is not finite is "-".

// FormatNumber writes a number without a unit: 0.92, 17.1, 1,350, 2.4 million.
func FormatNumber(v float64) string {
	switch rounded := math.Abs(round(v)); {
	case !(rounded < 1e15):
		return digits(v)
	case rounded >= 1e9:
		return digits(v/1e9) + " billion"
	case rounded >= 1e6:
		return digits(v/1e6) + " million"
	case rounded >= 1000:
		text := digits(v)
		return text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return digits(v)
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
	if math.Abs(ns) < 1 { // 0, too
		return digits(ns) + " ns"
	}
	return scaled(ns/1e9, benchunit.Decimal, "s")
}

// Plural writes a number of things: "1 scheme", "2 schemes".
func Plural[N int | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

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
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(round(v), 'f', -1, 64)
}

func round(v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return rounded
}

// scaled writes a number with its unit, which gets a prefix of its class.
func scaled(v float64, class benchunit.Class, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	s := benchunit.CommonScale([]float64{round(v)}, class)
	return digits(v/s.Factor) + " " + s.Prefix + unit
}
