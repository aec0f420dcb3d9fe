package results

import (
	"fmt"
	"strconv"
	"strings"
)

// Radices formats the slots of each level, lowest first: 60x60x24.
func Radices(levels []int) string {
	parts := make([]string, len(levels))
	for l, radix := range levels {
		parts[l] = strconv.Itoa(radix)
	}
	return strings.Join(parts, "x")
}

// ParseRadices parses the format of Radices. The empty string means no levels.
func ParseRadices(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var levels []int
	for _, part := range strings.Split(text, "x") {
		radix, err := strconv.Atoi(part)
		if err != nil || radix < 1 {
			return nil, fmt.Errorf("invalid radices %q (use whole numbers from 1, separated by x, as in 60x60x24)",
				text)
		}
		levels = append(levels, radix)
	}
	return levels, nil
}

// FormatFraction formats a share of timers and the part of their interval after
// which something happens to them: 0, or 0.9@0.05.
func FormatFraction(share, part float64) string {
	if share == 0 {
		return "0"
	}
	return decimal(share) + "@" + decimal(part)
}

// decimal formats x without an exponent: benchmark names give "-" another meaning.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// ParseFraction parses the format of FormatFraction.
func ParseFraction(text string) (share, part float64, err error) {
	first, second, has := strings.Cut(text, "@")
	share, err = strconv.ParseFloat(first, 64)
	if err == nil && has {
		part, err = strconv.ParseFloat(second, 64)
	}
	if err != nil || !(share >= 0 && share <= 1 && part >= 0 && part <= 1) || has != (share > 0) {
		return 0, 0, fmt.Errorf("invalid share of timers %q (use 0, or a share and a part of the interval, both "+
			"above 0 and at most 1, as in 0.9@0.05)", text)
	}
	return share, part, nil
}

// FractionKeys returns the keys of a benchmark name for a fraction as FormatFraction
// formats it: FractionKeys("stop", "0.9@0.05") is /stop=0.9/after=0.05. Tools that read
// the Go benchmark format do not accept "@" in a name.
func FractionKeys(key, fraction string) string {
	share, part, has := strings.Cut(fraction, "@")
	if !has {
		return "/" + key + "=" + share
	}
	return "/" + key + "=" + share + "/" + partKeys[key] + "=" + part
}

// partKeys maps the key of a share to the key of its part of the interval.
var partKeys = map[string]string{"stop": "after", "restart": "restart-after"}
