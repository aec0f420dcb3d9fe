package pick

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// row is one timing: what a life took, in steps and in ns.
type row struct {
	steps Steps
	ns    float64
}

// fit finds the price of each step, none below 0, that explains the timings with the
// least sum of squared relative errors: the active set method of Lawson and Hanson,
// Solving Least Squares Problems, chapter 23. Steps that no timing has cost nothing.
func fit(rows []row) (prices Steps, err error) {
	a, b := mat.NewDense(len(rows), int(kinds), nil), mat.NewVecDense(len(rows), nil)
	for i, r := range rows {
		for k, s := range r.steps {
			a.Set(i, k, s/r.ns)
		}
		b.SetVec(i, 1) // all errors relative
	}
	x := mat.NewVecDense(int(kinds), nil)
	var free []int    // kinds whose price is above 0
	var refused []int // kinds that came back to 0 at once, as columns that are nearly alike do
	for range 3 * int(kinds) {
		k := steepest(a, b, x, slices.Concat(free, refused))
		if k < 0 {
			break
		}
		if free, err = descend(a, b, x, append(free, k)); err != nil {
			return prices, err
		}
		if slices.Contains(free, k) {
			refused = nil
		} else {
			refused = append(refused, k)
		}
	}
	for k := range prices {
		prices[k] = x.AtVec(k)
	}
	return prices, nil
}

// steepest returns the kind that is not among some, and whose price from 0 up takes off most of
// the error; -1: none does.
func steepest(a *mat.Dense, b, x *mat.VecDense, not []int) int {
	var residual, gradient mat.VecDense
	residual.MulVec(a, x)
	residual.SubVec(b, &residual)
	gradient.MulVec(a.T(), &residual)
	best, most := -1, 1e-9*float64(b.Len()) // rounding
	for k := range gradient.Len() {
		if g := gradient.AtVec(k); g > most && !slices.Contains(not, k) {
			best, most = k, g
		}
	}
	return best
}

// descend sets the free prices to those of the least error, and those that would be
// below 0 to 0, which are free no more.
func descend(a *mat.Dense, b, x *mat.VecDense, free []int) ([]int, error) {
	for len(free) > 0 {
		best, err := leastSquares(a, b, free)
		if err != nil {
			return nil, err
		}
		reach := 1.0 // how far towards best all stay above 0
		for i, k := range free {
			switch {
			case best[i] > 0:
			case x.AtVec(k) == 0:
				reach = 0
			default:
				reach = math.Min(reach, x.AtVec(k)/(x.AtVec(k)-best[i]))
			}
		}
		var left []int
		for i, k := range free {
			v := x.AtVec(k) + reach*(best[i]-x.AtVec(k))
			if reach < 1 && v < 1e-12 {
				v = 0
			} else {
				left = append(left, k)
			}
			x.SetVec(k, v)
		}
		if free = left; reach == 1 {
			return free, nil
		}
	}
	return free, nil
}

// leastSquares solves for some of the columns.
func leastSquares(a *mat.Dense, b *mat.VecDense, columns []int) ([]float64, error) {
	rows, _ := a.Dims()
	part := mat.NewDense(rows, len(columns), nil)
	for i, k := range columns {
		for r := range rows {
			part.Set(r, i, a.At(r, k))
		}
	}
	var x mat.VecDense
	err := x.SolveVec(part, b)
	if condition := mat.Condition(0); errors.As(err, &condition) && !math.IsInf(float64(condition), 1) {
		err = nil // the prices of two steps that always come together are not told apart, their sum is
	}
	if err != nil {
		return nil, err
	}
	return x.RawVector().Data, nil
}
