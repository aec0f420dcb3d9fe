package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// ofSet returns the cells of a set of their own, by n, without the second of an A/A pair.
func ofSet(t *results.Table, op, set string) []results.Key {
	return slices.DeleteFunc(cellsOf(t, op), func(k results.Key) bool {
		return k.Value("set") != set || strings.HasSuffix(k.Scheme, units.Again)
	})
}

// lowestTable shows the longest tick of scheme 7 by the slots of its lowest wheel; empty: it was not measured.
func lowestTable(t *results.Table) *Table {
	p := Pivot{Corner: "lowest wheel"}
	keys := ofSet(t, units.LatencyOp, "lowest")
	lowest := func(k results.Key) int {
		first, _, _ := strings.Cut(k.Levels, "x")
		slots, _ := strconv.Atoi(first) // the null scheme has none
		return slots
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int { return lowest(a) - lowest(b) })
	for _, n := range []string{"100k", "1M"} {
		for _, scheme := range []string{"", "-chunked", "-ahead", "-ahead-chunked"} {
			for _, k := range keys {
				if k.N == n && k.Scheme == "hierarchical"+scheme {
					p.Set(fmt.Sprint(lowest(k)), "n = "+n+", 7"+strings.ReplaceAll(scheme, "-", " "), leastCell(t, k))
				}
			}
		}
	}
	return p.Table()
}

// leastCell is the cell of the longest tick. That of one run is the machine's, so of the rounds, which have the same
// ticks, the least counts.
func leastCell(t *results.Table, k results.Key) Cell {
	c := medianCell(t, k, maxNs, units.FormatNanos)
	if e := c.estimate(); e.N > 0 {
		e.Median = slices.Min(t.Samples(k, maxNs))
		e.Lo, e.Hi = e.Median, e.Median
		c.Text, c.Value = units.FormatNanos(e.Median), e
	}
	return c
}

// coldTable shows lifetimes where an application uses the caches between ticks; empty: it was not measured.
func coldTable(t *results.Table) *Table {
	p := Pivot{Corner: "n, scheme"}
	for _, k := range ofSet(t, units.LifetimeOp, "cold") {
		column := "hot"
		if touched := k.Value("touched"); touched != "" {
			column = touched + " written"
		} else if k.Value("collected") != "" {
			column = "collector on"
		}
		p.Set(k.N+", "+k.Scheme, column, medianCell(t, k, units.NsPerOp, units.FormatNanos))
	}
	order := []string{"hot", "1MiB written", "8MiB written", "collector on"}
	slices.SortFunc(p.Columns, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
	return p.Table()
}

// rangeOf writes the longest interval of a cell's scheme 7 as a power of two: forms that migrate ahead of time, of which
// Levels are revolutions, have another range than others with as many slots.
func rangeOf(k results.Key) string {
	info, err := harness.Find(k.Scheme)
	levels, wrong := workload.Parse[workload.Levels](k.Levels)
	if err != nil || wrong != nil {
		return ""
	}
	return fmt.Sprintf(", range 2^%.4g", math.Log2(float64(info.Range(schemes.Config{Levels: levels}))))
}
