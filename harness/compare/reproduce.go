package compare

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"timerlab/harness/results"
)

// Reproduction is how far a second run of a command agrees with the first.
type Reproduction struct {
	Name          string // of the command's verb
	Sources       []results.Source
	Times, Ratios Agreement
	Counts, Same  int // exact counts that both have, and those that are equal
	OneSided      int // cells that only one of them has
}

// Agreement is that of one kind of values.
type Agreement struct {
	Value    string  // "time" or "ratio"
	Cells    int     // whose interval is finite in the first run
	Inside   int     // of them, whose second median is in that interval
	Expected float64 // the mean number of Inside if the runs were rounds of one distribution
	Holds    int     // of Cells, in which the interval of second over first contains 1
	Holding  float64 // the mean number of Holds in the same case
	Apart    []Row   // the cells in which it does not, furthest first
	Factor   float64 // the median of second over first
}

// Reproduce compares two runs: times, and the ratios of times to that of the subject that is
// in the A/A pair, round by round.
func Reproduce(name string, first, second *results.Table) Reproduction {
	r := Reproduction{Name: name, Sources: slices.Concat(first.Sources, second.Sources)}
	var times, ratios []matched
	reference := references(first, second)
	c := checking{base: first, now: second}
	for _, k := range first.Keys {
		if k.Op == results.SpinName || !hasTimes(first, k) {
			continue
		}
		if !hasTimes(second, k) {
			r.OneSided++
			continue
		}
		c.counts(k)
		times = append(times, matched{
			k.String(), first.Samples(k, results.NsPerOp), second.Samples(k, results.NsPerOp),
		})
		if under := reference(k); under != k {
			ratios = append(ratios, matched{k.String() + " / " + subjectOf(under), pairedRatios(first, k, under),
				pairedRatios(second, k, under)})
		}
	}
	for _, k := range second.Keys {
		if k.Op != results.SpinName && hasTimes(second, k) && !hasTimes(first, k) {
			r.OneSided++
		}
	}
	r.Counts, r.Same = c.Counts, c.Counts-len(c.Faults)
	r.Times, r.Ratios = agreement("time", times), agreement("ratio", ratios)
	return r
}

// hasTimes reports whether a table has times of a cell.
func hasTimes(t *results.Table, k results.Key) bool { return len(t.ByRound(k, results.NsPerOp)) > 0 }

// matched is the values of a cell in both runs.
type matched struct {
	cell          string
	first, second []float64
}

func subjectOf(k results.Key) string { return cmp.Or(k.Scheme, k.Facility) }

// pairedRatios returns the ratios of two cells, round by round.
func pairedRatios(t *results.Table, over, under results.Key) (ratios []float64) {
	unders := t.ByRound(under, results.NsPerOp)
	for round, x := range t.ByRound(over, results.NsPerOp) {
		if y, ok := unders[round]; ok {
			ratios = append(ratios, x/y)
		}
	}
	return ratios
}

// references returns the cell that each cell is divided by: of the cells on the same workload
// in both runs the first of the A/A pair, with the same M if there is one, else the first.
func references(tables ...*results.Table) func(results.Key) results.Key {
	byWorkload := map[results.Key][]results.Key{}
	for _, k := range tables[0].Keys {
		if !slices.ContainsFunc(tables, func(t *results.Table) bool { return !hasTimes(t, k) }) {
			byWorkload[workloadOf(k)] = append(byWorkload[workloadOf(k)], k)
		}
	}
	return func(k results.Key) results.Key {
		all := byWorkload[workloadOf(k)]
		best := all[0]
		for _, candidate := range all {
			if first, ok := candidate.Twin(); ok && slices.Contains(all, first) &&
				(first.Slots == k.Slots || best == all[0]) {
				best = first
			}
		}
		return best
	}
}

// workloadOf returns a cell's key without its subject and sizes.
func workloadOf(k results.Key) results.Key {
	k.Scheme, k.Facility, k.Slots, k.Levels = "", "", "", ""
	return k
}

// agreement compares the values of both runs in every cell.
func agreement(value string, cells []matched) Agreement {
	a, factors := Agreement{Value: value}, []float64{}
	expected := map[[2]int]float64{}
	for _, c := range cells {
		if len(c.first) < results.LeastRounds || len(c.second) == 0 {
			continue
		}
		a.Cells++
		d := differ(c.first, c.second, false)
		factors = append(factors, d.Ratio.Median)
		if d.Base.Lo <= d.New.Median && d.New.Median <= d.Base.Hi {
			a.Inside++
		}
		rounds := [2]int{len(c.first), len(c.second)}
		if _, ok := expected[rounds]; !ok {
			expected[rounds] = insideInterval(len(c.first), len(c.second))
		}
		a.Expected += expected[rounds]
		a.Holding += 1 - falseAlarms(len(c.first), len(c.second))
		if d.Ratio.Lo <= 1 && 1 <= d.Ratio.Hi {
			a.Holds++
			continue
		}
		a.Apart = append(a.Apart, Row{Name: c.cell, Difference: d})
	}
	slices.SortStableFunc(a.Apart, func(x, y Row) int {
		return cmp.Compare(math.Abs(math.Log(y.Ratio.Median)), math.Abs(math.Log(x.Ratio.Median)))
	})
	if a.Cells > 0 {
		a.Factor = results.Summarize(factors).Median
	}
	return a
}

// insideInterval returns the probability that the median of n2 rounds is in the 95 % interval
// of the median of n1 rounds, if all are drawn independently from one distribution. The
// interval reaches from one of the n1 values to another, and all orders of the n1 + n2 values
// are equally likely, so the distribution does not matter, except that the median of an even
// number lies between two values. It is simulated with normal values: 20,000 runs have a
// standard error of 0.3 %.
func insideInterval(n1, n2 int) float64 {
	const runs = 20_000
	ranks := make([]float64, n1)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	interval := results.Summarize(ranks)
	if !interval.Bounded() {
		return 1
	}
	random := rand.New(rand.NewPCG(uint64(n1), uint64(n2)))
	draw := func(values []float64) {
		for i := range values {
			values[i] = random.NormFloat64()
		}
		slices.Sort(values)
	}
	first, second, inside := make([]float64, n1), make([]float64, n2), 0
	for range runs {
		draw(first)
		draw(second)
		median := (second[(n2-1)/2] + second[n2/2]) / 2
		if first[int(interval.Lo)-1] <= median && median <= first[int(interval.Hi)-1] {
			inside++
		}
	}
	return float64(inside) / runs
}

// falseAlarms returns the probability that the interval of a ratio leaves 1 out although both
// samples are of one distribution: at most 5 %, and less for small samples.
func falseAlarms(n1, n2 int) float64 {
	cut := rejected(n1, n2)
	switch {
	case cut == 0:
		return 0
	case max(n1, n2) > stats.MannWhitneyExactLimit:
		return 1 - results.Confidence
	}
	return 2 * stats.UDist{N1: n1, N2: n2}.CDF(float64(cut-1))
}
