package report

import (
	"slices"
	"strings"

	"timerlab/harness/results"
)

// keyColumn is a column of a table that tells its rows apart by a key of their
// names.
type keyColumn struct {
	head string
	of   func(results.Key) string
}

// keyColumns are those that a table has only where its rows differ in them.
var keyColumns = []keyColumn{
	{"M", func(k results.Key) string { return k.Slots }},
	{"levels of 7", func(k results.Key) string { return k.Levels }},
	{"T", func(k results.Key) string { return k.T }},
	{"intervals", func(k results.Key) string { return k.Dist }},
	{"stop", func(k results.Key) string { return k.Stop }},
	{"more", func(k results.Key) string { return strings.TrimPrefix(k.Rest, "/") }},
}

// varyingColumns returns the columns in which rows differ, without those of these
// heads, which the table has anyway. That one scheme has levels and another has
// none is no difference.
func varyingColumns(keys []results.Key, has ...string) []keyColumn {
	return slices.DeleteFunc(slices.Clone(keyColumns), func(c keyColumn) bool {
		var seen []string
		for _, k := range keys {
			if v := c.of(k); !slices.Contains(seen, v) && (v != "" || c.head != "levels of 7") {
				seen = append(seen, v)
			}
		}
		return len(seen) < 2 || slices.Contains(has, c.head)
	})
}

func columnHeads(columns []keyColumn) []string {
	var all []string
	for _, c := range columns {
		all = append(all, c.head)
	}
	return all
}

func columnValues(columns []keyColumn, k results.Key) []string {
	var all []string
	for _, c := range columns {
		all = append(all, c.of(k))
	}
	return all
}
