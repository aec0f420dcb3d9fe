package compare

import (
	"math"
	"slices"
	"sort"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"timerlab/harness/results"
)

// Difference is how one sample compares with another.
type Difference struct {
	Base, New results.Estimate // medians
	Ratio     results.Estimate // of the medians; its interval is that of the U-test
	P         float64          // of the Mann-Whitney U-test
	Exact     bool             // a difference needs no test
}

// Change returns the ratio less 1: 0.2 is 20 % more.
func (d Difference) Change() float64 { return d.Ratio.Median - 1 }

// differ compares two samples of one unit.
func differ(base, now []float64, exact bool) Difference {
	d := Difference{Base: results.Summarize(base), New: results.Summarize(now), Exact: exact}
	d.Ratio = results.Estimate{Median: ratioOf(d.Base.Median, d.New.Median), N: min(len(base), len(now))}
	if exact {
		d.Ratio.Lo, d.Ratio.Hi = d.Ratio.Median, d.Ratio.Median
		d.P = 1
		if d.Base.Median != d.New.Median {
			d.P = 0
		}
		return d
	}
	d.P = benchmath.AssumeNothing.Compare(sample(base), sample(now)).P
	d.Ratio.Lo, d.Ratio.Hi = ratioInterval(base, now)
	return d
}

func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// ratioOf returns 1 for 0/0, as benchstat does.
func ratioOf(base, now float64) float64 {
	if base == now {
		return 1
	}
	return now / base
}

// ratioInterval returns the factors by which all base values can be multiplied without
// the U-test rejecting, at 5 %, that both samples are of one distribution (Hodges and
// Lehmann). It is infinite below four samples a side, and where a base value is 0.
func ratioInterval(base, now []float64) (low, high float64) {
	ratios := make([]float64, 0, len(base)*len(now))
	for _, b := range base {
		for _, n := range now {
			ratios = append(ratios, n/b)
		}
	}
	cut := rejected(len(base), len(now))
	if cut == 0 || slices.Min(base) <= 0 {
		return math.Inf(-1), math.Inf(1)
	}
	slices.Sort(ratios)
	return ratios[cut-1], ratios[len(ratios)-cut]
}

// rejected returns how many values of U, from 0, the test rejects at each end.
func rejected(n1, n2 int) int {
	const tail = (1 - results.Confidence) / 2
	if max(n1, n2) > stats.MannWhitneyExactLimit {
		mean, deviation := float64(n1*n2)/2, math.Sqrt(float64(n1*n2*(n1+n2+1))/12)
		return max(0, 1+int(math.Floor(distuv.Normal{Mu: mean, Sigma: deviation}.Quantile(tail))))
	}
	u := stats.UDist{N1: n1, N2: n2}
	return sort.Search(n1*n2/2, func(cut int) bool { return u.CDF(float64(cut)) > tail })
}

// holm returns p-values adjusted for their number: less than 5 % of lists without any
// difference then have a value below 0.05 (Holm's method).
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	floats.Argsort(slices.Clone(p), order)
	adjusted, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = least
	}
	return adjusted
}

// leastP returns the smallest p-value that samples of these sizes can have.
func leastP(n1, n2 int) float64 {
	values := make([]float64, n1+n2)
	for i := range values {
		values[i] = float64(i)
	}
	return benchmath.AssumeNothing.Compare(sample(values[:n1]), sample(values[n1:])).P
}
