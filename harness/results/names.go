package results

import (
	"fmt"
	"strconv"
	"strings"
)

// Radices writes the slots of each level, the lowest first: 60x60x24.
func Radices(levels []int) string {
	parts := make([]string, len(levels))
	for l, radix := range levels {
		parts[l] = fmt.Sprint(radix)
	}
	return strings.Join(parts, "x")
}

// fraction writes a share of timers and when in their interval: 0, or 0.9@0.05.
func FormatFraction(share, at float64) string {
	if share == 0 {
		return "0"
	}
	return decimal(share) + "@" + decimal(at)
}

// decimal writes a fraction without an exponent, whose sign the format would take
// for the one before GOMAXPROCS.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// ParseRadices reads what Radices writes.
func ParseRadices(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var levels []int
	for _, part := range strings.Split(text, "x") {
		radix, err := strconv.Atoi(part)
		if err != nil || radix < 1 {
			return nil, fmt.Errorf("%q are not the slots of levels, allowed: whole numbers from 1 with x between them, as in 60x60x24", text)
		}
		levels = append(levels, radix)
	}
	return levels, nil
}

// ParseFraction reads a share of timers and when in their interval, as names of
// benchmarks have it: 0, or 0.9@0.05.
func ParseFraction(text string) (share, at float64, err error) {
	first, second, has := strings.Cut(text, "@")
	share, err = strconv.ParseFloat(first, 64)
	if err == nil && has {
		at, err = strconv.ParseFloat(second, 64)
	}
	if err != nil || !(share >= 0 && share <= 1 && at >= 0 && at <= 1) || has != (share > 0) {
		return 0, 0, fmt.Errorf("%q is not a share of timers, allowed: 0, or a share and the part of the interval, both above 0 and up to 1, as in 0.9@0.05", text)
	}
	return share, at, nil
}
