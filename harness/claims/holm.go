package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// chances returns the chance of every comparison of times in the list, whichever claims are judged:
// so a verdict does not depend on what it is printed with.
func (m *measuredTimes) chances() (all []float64) {
	for _, c := range All {
		for _, p := range m.timingsOf(c).points {
			if p.tested() {
				all = append(all, p.chance())
			}
		}
	}
	return all
}

// correct leaves a comparison open that does not survive the correction for how many are made.
func (m *measuredTimes) correct(p *Point) {
	if !p.tested() {
		return
	}
	if cutoff, count := m.cutoff(); p.chance() > cutoff {
		p.Open = fmt.Sprintf("not significant among %d comparisons of times", count)
	}
}

// tested reports whether the comparison is one of times and may decide.
func (p Point) tested() bool { return p.Open == "" && p.Relation != Report && p.rounds != nil }

// holm returns the largest of some chances at which a comparison still decides, if all of them
// together are to raise a false alarm in at most a share falseAlarm of lists (Holm, Scandinavian
// Journal of Statistics, 1979); -1 if none does. It returns their number as well.
func holm(chances []float64) (cutoff float64, count int) {
	sorted := slices.Sorted(slices.Values(chances))
	cutoff = -1
	for i, p := range sorted {
		if p > falseAlarm/float64(len(sorted)-i) {
			break
		}
		cutoff = p
	}
	return cutoff, len(sorted)
}

// chance is that of rounds which are as far from the nearest bound as these, either way, if their
// true value is the bound: of a t test, on logarithms where all are above 0. It is 1 where the
// rounds lie within the slack.
func (p Point) chance() float64 {
	low, high := p.bounds()
	bound := high
	if p.Relation == AtLeast {
		bound = low
	}
	values, positive := slices.Clone(p.rounds), bound > 0 && slices.Min(p.rounds) > 0
	for i := range values {
		if positive {
			values[i] = math.Log(values[i] / bound)
		} else {
			values[i] -= bound
		}
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	switch n := float64(len(values)); {
	case mean == 0 || n < 2:
		return 1
	case deviation == 0:
		return 0
	default:
		t := math.Abs(mean) / (deviation / math.Sqrt(n))
		return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Survival(t)
	}
}
