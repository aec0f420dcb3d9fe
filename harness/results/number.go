package results

import (
	"math"
	"strconv"
	"strings"
)

// Number writes v as people do, with three significant digits and no exponent: 0.92, 17.1, 1,350,
// 2.4 million.
func Number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case v < 0:
		return "-" + Number(-v)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	switch {
	case rounded >= 1e15:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case rounded >= 1e9:
		return Number(rounded/1e9) + " billion"
	case rounded >= 1e6:
		return Number(rounded/1e6) + " million"
	case rounded >= 1000:
		digits := strconv.FormatFloat(rounded, 'f', 0, 64)
		cut := len(digits) - 3
		return strings.Join([]string{digits[:cut], digits[cut:]}, ",")
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
