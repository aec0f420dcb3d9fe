package workload

import (
	"encoding"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The values that benchmark names, flags, links and JSON share. Each has one text form: String
// writes it and UnmarshalText reads it.

// Parse reads a value of a type that has a text form: Parse[Count]("100k") is 100,000.
func Parse[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](text string) (v T, err error) {
	err = P(&v).UnmarshalText([]byte(text))
	return v, err
}

// Count is a whole number that is written with an SI suffix where that is exact: 100k, 4096.
type Count uint64

var suffixes = []struct {
	letter string
	factor Count
}{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}}

// String returns the count with the largest suffix that is exact.
func (c Count) String() string {
	for _, s := range suffixes {
		if c >= s.factor && c%s.factor == 0 {
			return strconv.FormatUint(uint64(c/s.factor), 10) + s.letter
		}
	}
	return strconv.FormatUint(uint64(c), 10)
}

// UnmarshalText reads a whole number below 2^64 with or without a suffix.
func (c *Count) UnmarshalText(text []byte) error {
	digits, factor := string(text), Count(1)
	for _, s := range suffixes {
		if d, ok := strings.CutSuffix(digits, s.letter); ok {
			digits, factor = d, s.factor
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > uint64(math.MaxUint64/factor) {
		return fmt.Errorf("invalid count %q (use a whole number below 2^64, optionally with suffix k, M or G, as "+
			"in 5000 or 5k)", text)
	}
	*c = Count(n) * factor
	return nil
}

// Stops is the share of timers that are stopped, and the part of its interval after which a timer
// is: "0", or "0.9@0.05". Restarts have the same form.
type Stops struct{ Share, At float64 }

// String returns "0", or the share and the part. It has no exponent: benchmark names give "-" another meaning.
func (s Stops) String() string {
	if s.Share == 0 {
		return "0"
	}
	return strconv.FormatFloat(s.Share, 'f', -1, 64) + "@" + strconv.FormatFloat(s.At, 'f', -1, 64)
}

// UnmarshalText reads what String writes.
func (s *Stops) UnmarshalText(text []byte) (err error) {
	first, second, has := strings.Cut(string(text), "@")
	share, err := strconv.ParseFloat(first, 64)
	part := 0.0
	if err == nil && has {
		part, err = strconv.ParseFloat(second, 64)
	}
	if err != nil || !(share >= 0 && share <= 1 && part >= 0 && part <= 1) || has != (share > 0) || has && part == 0 {
		return fmt.Errorf("invalid share of timers %q (use 0, or a share and a part of the interval, both "+
			"above 0 and at most 1, as in 0.9@0.05)", text)
	}
	*s = Stops{share, part}
	return nil
}

// Levels are the slots of each wheel of a hierarchy, lowest first: 60x60x24. No levels are "".
type Levels []int

// String returns the slots with x between them.
func (l Levels) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]int(l)), "[]"), " ", "x")
}

// UnmarshalText reads what String writes.
func (l *Levels) UnmarshalText(text []byte) error {
	*l = nil
	if len(text) == 0 {
		return nil
	}
	for part := range strings.SplitSeq(string(text), "x") {
		radix, err := strconv.Atoi(part)
		if err != nil || radix < 1 {
			return fmt.Errorf("invalid radices %q (use whole numbers from 1, separated by x, as in 60x60x24)", text)
		}
		*l = append(*l, radix)
	}
	return nil
}

// UnmarshalText reads hold or poisson.
func (a *Arrivals) UnmarshalText(text []byte) error { return parseName(a, "arrivals", text, arrivals) }

// UnmarshalText reads stop, restart or start.
func (k *Kind) UnmarshalText(text []byte) error { return parseName(k, "operation", text, kinds) }

// parseName reads a name, whose place among all names is the value.
func parseName[T ~uint8](v *T, what string, text []byte, names []string) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("unknown %s %.24q (have %s)", what, text, strings.Join(names, ", "))
	}
	*v = T(i)
	return nil
}

// MarshalText returns String.
func (a Arrivals) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
