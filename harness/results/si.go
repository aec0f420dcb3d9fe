package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// suffixes are the SI suffixes of counts, largest first.
var suffixes = []struct {
	letter string
	factor uint64
}{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}}

// FormatCount formats a count with an SI suffix where that is exact: 100k, 4096.
func FormatCount(n uint64) string {
	for _, s := range suffixes {
		if n >= s.factor && n%s.factor == 0 {
			return strconv.FormatUint(n/s.factor, 10) + s.letter
		}
	}
	return strconv.FormatUint(n, 10)
}

// ParseCount parses the format of FormatCount.
func ParseCount(text string) (uint64, error) {
	digits, factor := text, uint64(1)
	for _, s := range suffixes {
		if d, ok := strings.CutSuffix(text, s.letter); ok {
			digits, factor = d, s.factor
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > math.MaxUint64/factor {
		return 0, fmt.Errorf("invalid count %q (use a whole number below 2^64, optionally with suffix k, M or G, as "+
			"in 5000 or 5k)", text)
	}
	return n * factor, nil
}
