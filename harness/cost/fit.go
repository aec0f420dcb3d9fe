package cost

import (
	"errors"
	"fmt"
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
// costs nothing.
func Fit(all []Observation) (costs Costs, err error) {
	var terms []int
	for term := range NumTerms {
		if slices.ContainsFunc(all, func(o Observation) bool { return o.Load[term] != 0 }) {
			terms = append(terms, term)
		}
	}
	if len(all) < len(terms)+2 {
		return costs, fmt.Errorf("%w: %d observations of %d terms (at least two more are needed)", ErrFit, len(all),
			len(terms))
	}
	x, err := solve(all, terms)
	for i, term := range terms {
		costs[term] = x[i]
	}
	return costs, err
}

// solve fits these terms. Columns are scaled to length 1, so that the condition says how alike they
// are, not what their units are.
func solve(all []Observation, terms []int) ([]float64, error) {
	a, ones := mat.NewDense(len(all), len(terms), nil), mat.NewVecDense(len(all), nil)
	for i, o := range all {
		for j, term := range terms {
			a.Set(i, j, o.Load[term]/o.Nanos)
		}
		ones.SetVec(i, 1)
	}
	costs := make([]float64, len(terms))
	for j := range costs {
		costs[j] = mat.Norm(a.ColView(j), 2)
	}
	a.Apply(func(_, j int, v float64) float64 { return v / costs[j] }, a)
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
	for j := range costs {
		costs[j] = x.AtVec(j) / costs[j]
	}
	return costs, nil
}
