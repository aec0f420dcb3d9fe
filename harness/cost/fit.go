package cost

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Observation is a lifetime that was measured: its load, and its time without the harness's, in ns.
type Observation struct {
	Load
	Nanos float64
}

// ErrFit is wrapped by the errors of Fit.
var ErrFit = errors.New("no fit")

// maxCondition bounds how far a fit may magnify the errors of its measurements. With one M, the
// visits wasted (about T/M) and the ticks (T/n) grow together, and no measurement separates the two.
const maxCondition = 300

// Fit returns the costs with the least squares of relative errors. A term that no observation has
// costs nothing, nor does one that no observation separates from an earlier term: that one has the
// cost of both. A cost below 0 is noise, and its term is left out, but for PerStop: a stop saves what
// an expiry costs.
func Fit(all []Observation) (costs Costs, err error) {
	terms := separable(all)
	if len(all) < len(terms)+2 {
		return costs, fmt.Errorf("%w: %d observations of %d terms (at least two more are needed)", ErrFit, len(all),
			len(terms))
	}
	for len(terms) > 0 {
		fitted, err := solve(all, terms)
		least := slices.MinFunc(terms, func(a, b int) int { return cmp.Compare(share(all, fitted, a), share(all, fitted, b)) })
		if err != nil || share(all, fitted, least) >= 0 {
			return fitted, err
		}
		terms = slices.DeleteFunc(terms, func(term int) bool { return term == least })
	}
	return costs, fmt.Errorf("%w: no cost is above 0", ErrFit)
}

// share is what a term costs of an observation in the mean; 0 for PerStop.
func share(all []Observation, c Costs, term int) (mean float64) {
	if term == PerStop {
		return 0
	}
	for _, o := range all {
		mean += c[term] * o.Load[term] / o.Nanos / float64(len(all))
	}
	return mean
}

// separable returns the terms that have a cost of their own.
func separable(all []Observation) (terms []int) {
	for term := range NumTerms {
		if occurs(all, term) && !slices.ContainsFunc(terms, func(earlier int) bool { return alike(all, earlier, term) }) {
			terms = append(terms, term)
		}
	}
	return terms
}

// occurs reports whether an observation has a term.
func occurs(all []Observation, term int) bool {
	return slices.ContainsFunc(all, func(o Observation) bool { return o.Load[term] != 0 })
}

// likeness is how much two terms differ at most where nothing separates them: times vary more than that.
// With a million timers, for instance, every tick has an expiry.
const likeness = 0.01

// alike reports whether two terms are almost the same in every observation.
func alike(all []Observation, a, b int) bool {
	return !slices.ContainsFunc(all, func(o Observation) bool {
		return math.Abs(o.Load[a]-o.Load[b]) > likeness*math.Max(math.Abs(o.Load[a]), math.Abs(o.Load[b]))
	})
}

// solve fits these terms. Columns are scaled to length 1, so that the condition says how alike they
// are, not what their units are.
func solve(all []Observation, terms []int) (costs Costs, err error) {
	a, ones := mat.NewDense(len(all), len(terms), nil), mat.NewVecDense(len(all), nil)
	for i, o := range all {
		for j, term := range terms {
			a.Set(i, j, o.Load[term]/o.Nanos)
		}
		ones.SetVec(i, 1)
	}
	norms := make([]float64, len(terms))
	for j := range norms {
		norms[j] = mat.Norm(a.ColView(j), 2)
	}
	a.Apply(func(_, j int, v float64) float64 { return v / norms[j] }, a)
	var qr mat.QR
	qr.Factorize(a)
	if condition := qr.Cond(); !(condition <= maxCondition) {
		return costs, fmt.Errorf("%w: it would magnify noise %.3g times (at most %d): measure more M, T and stops",
			ErrFit, condition, maxCondition)
	}
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, ones); err != nil {
		return costs, fmt.Errorf("%w: %w", ErrFit, err)
	}
	for j, term := range terms {
		costs[term] = x.AtVec(j) / norms[j]
	}
	return costs, nil
}
