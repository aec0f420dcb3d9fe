package results

import (
	"math"
	"slices"
	"strings"
)

// Twin returns the cell of which k is the second of an A/A pair, if it is one.
func (k Key) Twin() (first Key, ok bool) {
	first = k
	first.Scheme, first.Facility = strings.TrimSuffix(k.Scheme, Again), strings.TrimSuffix(k.Facility, Again)
	return first, first != k
}

// NoiseBand returns the band, as a share above and below 1, that the time ratios of A/A pairs keep to in
// 95 of 100 cells, and the number of these cells: a difference that a subject shows against
// itself says nothing. It is infinite if there is none.
func (t *Table) NoiseBand(include func(Key) bool) (band float64, cells int) {
	var off []float64
	for _, k := range t.Keys {
		first, ok := k.Twin()
		if !ok || !include(k) {
			continue
		}
		if r, err := t.Ratio(k, first, NsPerOp); err == nil {
			off = append(off, math.Abs(math.Log(r.Median)))
		}
	}
	if len(off) == 0 {
		return math.Inf(1), 0
	}
	slices.Sort(off)
	return math.Exp(off[int(math.Ceil(Confidence*float64(len(off))))-1]) - 1, len(off)
}
