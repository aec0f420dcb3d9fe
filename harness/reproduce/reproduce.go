// Package reproduce compares a second run with the first (Compare), and makes exact counts again (Recount).
package reproduce

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// Reproduction says how far a second run agrees with the first.
type Reproduction struct {
	Counts, Differing int // exact counts that both have, and those that differ
	OneSided          int // cells that only one of them has
	Others            int // cells that were not compared, as their operations differ
	Agreements        []Agreement
	Incomplete        []string // why files are not whole
	Sources           []results.Source
}

// Agreement says how far two runs agree in one kind of values. They agree better the more medians of the second run are
// in the first run's 95 % intervals. All of them need not be: both medians are uncertain. Expected is the share if all
// rounds of both runs were drawn from one distribution. A smaller share shows what varies between processes and not
// between the rounds of one: the layout of code and memory, other guests of the machine.
type Agreement struct {
	Value    string  // "times", "ratios to the A/A subject", …
	Cells    int     // whose interval is finite in the first run
	Inside   int     // of them, whose second median is in the first interval
	Expected float64 // share
	Factor   float64 // the median of second over first
	Apart    []Pair  // the cells whose two intervals do not overlap, furthest first
}

// Share returns the share of the cells whose second median is in the first interval.
func (a Agreement) Share() float64 { return float64(a.Inside) / float64(a.Cells) }

// Pair is a value of a cell in both runs.
type Pair struct {
	Cell          string
	First, Second results.Estimate
}

// Ratio returns the second run's median over the first run's.
func (p Pair) Ratio() float64 { return p.Second.Median / p.First.Median }

// Kinds of values in which two runs are compared.
const (
	times        = "times"
	ratios       = "ratios to the A/A subject"
	sevenOverSix = "ratios of scheme 7 to scheme 6"
)

// Compare compares two runs: counts, times, the ratios of times to the subject that is in the A/A pair, and the
// ratios of scheme 7 to scheme 6 with as many slots, round by round.
func Compare(first, second *results.Table) *Reproduction {
	first, second = results.Align(first, second)
	r := &Reproduction{Incomplete: slices.Concat(first.Incomplete(), second.Incomplete()),
		Sources: slices.Concat(first.Sources, second.Sources)}
	first.CompareCounts(second, func(_ results.Key, _ string, a, b float64) {
		if r.Counts++; a != b {
			r.Differing++
		}
	})
	values := map[string][]Pair{}
	both := func(kind, cell string, value func(t *results.Table) (results.Estimate, error)) {
		a, errA := value(first)
		b, errB := value(second)
		if errA == nil && errB == nil && a.N >= results.LeastRounds {
			values[kind] = append(values[kind], Pair{cell, a, b})
		}
	}
	reference, others := references(first), first.OtherStreams(second)
	for _, k := range first.Keys {
		switch {
		case !hasTimes(first, k):
			continue
		case !hasTimes(second, k):
			r.OneSided++
			continue
		case others[k.Stream()]:
			r.Others++
			continue
		}
		both(times, k.String(), func(t *results.Table) (results.Estimate, error) { return t.Median(k, units.NsPerOp) })
		six, _ := choice.SixOf(k)
		for kind, under := range map[string]results.Key{ratios: reference(k), sevenOverSix: six} {
			both(kind, k.String()+" / "+under.Scheme+under.Service, func(t *results.Table) (results.Estimate, error) {
				return t.Ratio(k, under, units.NsPerOp)
			})
		}
	}
	for _, k := range second.Keys {
		if hasTimes(second, k) && !hasTimes(first, k) {
			r.OneSided++
		}
	}
	for _, kind := range []string{times, ratios, sevenOverSix} {
		if len(values[kind]) > 0 {
			r.Agreements = append(r.Agreements, agreement(kind, values[kind]))
		}
	}
	return r
}

// hasTimes reports whether a cell, other than the noise probe, has a time in a table.
func hasTimes(t *results.Table, k results.Key) bool {
	return k.Op != units.SpinName && len(t.ByRound(k, units.NsPerOp)) > 0
}

// references returns a function from a cell to the cell of the A/A subject on the same workload, with the same M if
// there is one. A cell of the A/A subject itself, and one without an A/A pair on its workload, has the zero Key.
func references(t *results.Table) func(k results.Key) results.Key {
	workload := func(k results.Key, slots string) results.Key {
		k.Scheme, k.Service, k.Slots, k.Levels = "", "", slots, ""
		return k
	}
	all := map[results.Key]results.Key{}
	for _, k := range t.Keys {
		if first, ok := k.Control(); ok {
			all[workload(k, "")], all[workload(k, k.Slots)] = first, first
		}
	}
	return func(k results.Key) results.Key {
		under := cmp.Or(all[workload(k, k.Slots)], all[workload(k, "")])
		if under == k {
			return results.Key{}
		}
		return under
	}
}

func agreement(value string, cells []Pair) Agreement {
	a := Agreement{Value: value, Cells: len(cells)}
	var factors []float64
	chances := map[[2]int]float64{}
	for _, p := range cells {
		factors = append(factors, p.Ratio())
		if p.First.Lo <= p.Second.Median && p.Second.Median <= p.First.Hi {
			a.Inside++
		}
		rounds := [2]int{p.First.N, p.Second.N}
		if _, ok := chances[rounds]; !ok {
			chances[rounds] = insideInterval(rounds[0], rounds[1])
		}
		a.Expected += chances[rounds] / float64(a.Cells)
		if p.First.Lo > p.Second.Hi || p.Second.Lo > p.First.Hi {
			a.Apart = append(a.Apart, p)
		}
	}
	a.Factor = results.Summarize(factors).Median
	slices.SortStableFunc(a.Apart, func(x, y Pair) int {
		return cmp.Compare(math.Abs(math.Log(y.Ratio())), math.Abs(math.Log(x.Ratio())))
	})
	return a
}

// insideInterval returns the probability that the median of n2 rounds is in the 95 % interval of the median of n1
// rounds, if all are drawn from one distribution, whichever it is: all orders of the n1 + n2 values are then equally
// likely. Of the n2, the number below the l-th of the n1 has the negative hypergeometric distribution. The median of
// an even number is between two values; the mean of their probabilities is taken.
func insideInterval(n1, n2 int) float64 {
	interval := results.Summarize(floats.Span(make([]float64, n1), 1, float64(n1))) // as ranks
	if !interval.Bounded() {
		return 1
	}
	choose := func(n, k int) float64 { return combin.GeneralizedBinomial(float64(n), float64(k)) }
	below := func(median, rank int) (p float64) { // that the median-th of n2 is below the rank-th of n1
		for j := median; j <= n2; j++ {
			p += choose(rank-1+j, j) * choose(n1-rank+n2-j, n2-j) / choose(n1+n2, n2)
		}
		return p
	}
	outside := 0.0
	for _, median := range []int{(n2 + 1) / 2, n2/2 + 1} {
		above := n2 + 1 - median // counted from the largest
		outside += (below(median, int(interval.Lo)) + below(above, n1+1-int(interval.Hi))) / 2
	}
	return 1 - outside
}

// OK reports whether a time could be compared.
func (r *Reproduction) OK() bool { return len(r.Agreements) > 0 }
