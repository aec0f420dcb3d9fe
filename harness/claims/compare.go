package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness"
	"timerlab/harness/results"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// comparison is a line of Times in claims.txt: how the times of some schemes must stand to those of
// others, or that of a cell to another cell or a number. The forms are
//
//	Start,Stop ordered,tree/unordered few ≥ 1
//	Hold valueheap/linked* n≥100k ≥ 2
//	start-p50-ns Hold/facility=locked-ordered/n=10k : Hold/facility=locked-ordered/n=1k ≥ 5
//	wakeups/s Idle/facility=kafka/n=10 ≤ 1
//
// The first is made for each operation, each scheme on the left and each on the right of the stroke,
// on every workload of a set of cells; with *, against the one on the right that takes the least time.
// The sets are in cases.go, the lists below.
type comparison struct {
	ops, overs, unders []string
	cheapest           bool
	keep               cellSet

	unit  string
	cells []results.Key // one or two, in place of the above

	relation Relation
	bound    float64
}

// parseComparison parses one form.
func parseComparison(text string) (c comparison, err error) {
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return c, fmt.Errorf("comparison %q has %d words (use 4 or more)", text, len(fields))
	}
	first, words, last := fields[0], fields[1:len(fields)-2], fields[len(fields)-1]
	c.relation = Relation(fields[len(fields)-2])
	if c.bound, err = strconv.ParseFloat(last, 64); err != nil || !slices.Contains(relations, c.relation) {
		return c, fmt.Errorf("comparison %q ends in %q (use a relation and a number)", text, fields[len(fields)-2:])
	}
	if strings.Contains(words[0], "=") {
		c.unit = first
		for _, word := range slices.DeleteFunc(words, func(w string) bool { return w == ":" }) {
			c.cells = append(c.cells, results.ParseKey(word))
		}
		return c, nil
	}
	over, under, ok := strings.Cut(words[0], "/")
	c.ops, c.overs, c.unit = listOf(first), listOf(over), nsPerOp
	under, c.cheapest = strings.CutSuffix(under, "*")
	c.unders = listOf(under)
	if c.keep = setsOfCells[words[len(words)-1]]; c.keep == nil || !ok || len(words) != 2 {
		return c, fmt.Errorf("comparison %q has no schemes with a stroke and known set of cells", text)
	}
	return c, nil
}

// lists are names for several schemes or operations.
var lists = map[string][]string{
	"others": harness.Names()[1:7], // all of the seven but scheme 1
	"linked": {sixName, sevenName}, // the paper's forms of schemes 6 and 7
	"wheels": {sixName, sevenName, hashunsorted.Chunked.Name, hierarchical.Chunked.Name},

	// Scenarios of the peers, in which every timer is measured on the same loop.
	"restarting": {"Restart", "PairHot", "PairCold", "Churn"},
}

func listOf(words string) (all []string) {
	for word := range strings.SplitSeq(words, ",") {
		if list, ok := lists[word]; ok {
			all = append(all, list...)
		} else {
			all = append(all, word)
		}
	}
	return all
}

// compare makes the comparisons of a line.
func (t *timings) compare(c comparison) {
	switch len(c.cells) {
	case 1:
		t.addTime(c, t.median(c.cells[0], c.unit), fmt.Sprintf("%s of %s", c.unit, c.cells[0]))
	case 2:
		t.addTime(c, t.ratio(c.cells[0], c.cells[1], c.unit), fmt.Sprintf("%s of %s over %s", c.unit, c.cells[0],
			c.cells[1]))
	default:
		for _, op := range c.ops {
			for _, over := range c.overs {
				t.compareOn(c, op, over)
			}
		}
	}
}

// addTime adds a comparison of a time, or of a ratio of times, with the bound of c.
func (t *timings) addTime(c comparison, measured Point, what string) {
	measured.What, measured.Relation, measured.Predicted = what, c.relation, c.bound
	t.points = append(t.points, &measured)
}

// compareOn compares one operation of a scheme on every workload that others were measured on, too.
func (t *timings) compareOn(c comparison, op, scheme string) {
	made := false
	for _, k := range cellsOf(t.Table, op, scheme, c.keep) {
		for _, other := range t.others(c, k) {
			made = true
			what := fmt.Sprintf("%s, %s over %s, n = %s, T = %s", op, scheme, other.Scheme, k.N, k.T)
			for _, size := range [][2]string{{"M", k.Slots}, {"levels", k.Levels + other.Levels}} {
				if size[1] != "" {
					what += fmt.Sprintf(", %s = %s", size[0], size[1])
				}
			}
			t.addTime(c, t.ratio(k, other, c.unit), what)
		}
	}
	if !made {
		t.lacks("%s of %s and %s", op, scheme, strings.Join(c.unders, ", "))
	}
}

// others returns the cells on the workload of k that it is compared with.
func (t *timings) others(c comparison, k results.Key) (all []results.Key) {
	for _, name := range c.unders {
		if other, ok := t.sameWorkload(k, name); ok {
			all = append(all, other)
		}
	}
	if c.cheapest {
		return t.cheapest(all)
	}
	return all
}

// cheapest returns the cell that takes the least time, or none if none has a time.
func (t *timings) cheapest(cells []results.Key) (best []results.Key) {
	least := math.Inf(1)
	for _, k := range cells {
		if m, err := t.Median(k, nsPerOp); err == nil && m.Median < least {
			best, least = []results.Key{k}, m.Median
		}
	}
	return best
}
