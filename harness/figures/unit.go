package figures

import (
	"math"
	"strconv"
)

// A Unit says how the values of an axis are written.
type Unit int

const (
	Nanoseconds Unit = iota // given in ns; labels read 50 ns, 1 µs, 2 ms
	Bytes                   // labels read 50 B, 1 kB
	Count                   // labels read 50, 1k, 2M
)

var units = [...]struct {
	name     string // after its SI prefix
	prefixes []string
	first    float64 // the value of 1 with the first prefix
}{
	Nanoseconds: {"s", []string{" p", " n", " µ", " m", " "}, 1e-3},
	Bytes:       {"B", []string{" ", " k", " M", " G", " T"}, 1},
	Count:       {"", []string{"", "k", "M", "G", "T"}, 1},
}

// Label writes v with three significant digits and its unit, with the largest SI prefix that leaves
// at least 1.
func (u Unit) Label(v float64) string {
	v = rounded(v) // first, so that 999.9 becomes 1k
	unit := units[u]
	i, one := 0, unit.first
	for i+1 < len(unit.prefixes) && v >= one*1000*(1-1e-9) {
		one *= 1000
		i++
	}
	return strconv.FormatFloat(v/one, 'g', 3, 64) + unit.prefixes[i] + unit.name
}

// Exact writes a setting rather than a measurement: 10k and 1M in short, but whole numbers below a
// million in full where Label would round them, 4096 to 4.1k.
func Exact(v float64) string {
	if v != rounded(v) && v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return Count.Label(v)
}

// rounded is v with three significant digits.
func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	return r
}
