package claims

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"timerlab/harness/cost"
	"timerlab/harness/measure"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

var (
	sixName   = hashunsorted.Info.Name
	sevenName = hierarchical.Info.Name
)

// observation is one cell of the fitting grid: what a lifetime costs and what is
// known of it.
type observation struct {
	steps   float64   // wasted visits, or migrations, in a lifetime, counted
	stopped float64   // share of lifetimes that are stopped
	ticks   float64   // ticks that pass in a lifetime, with n outstanding: T/n
	ns      []float64 // by rounds
}

// fit sets C6, C7 and Ratio. The cost of a lifetime is taken to be
//
//	start and expiry  +  c · steps  +  stop instead of expiry · share stopped  +  tick · ticks
//
// so that c is what is left for a visit or a migration after the cost that every
// timer has. It is fitted by least squares of relative errors, scheme by scheme
// and round by round; the rounds give the interval.
func (c *Choice) fit(t *measure.Table) error {
	six, err := observe(t, sixName, measure.VisitsPerOp)
	if err != nil {
		return err
	}
	seven, err := observe(t, sevenName, measure.MigrationsPerOp)
	if err != nil {
		return err
	}
	rounds := min(shortest(six), shortest(seven))
	c6, c7, ratio := make([]float64, rounds), make([]float64, rounds), make([]float64, rounds)
	for r := range rounds {
		if c6[r], err = stepCost(six, r); err != nil {
			return err
		}
		if c7[r], err = stepCost(seven, r); err != nil {
			return err
		}
		ratio[r] = c7[r] / c6[r]
	}
	c.C6, c.C7, c.Ratio = measure.Summarize(c6), measure.Summarize(c7), measure.Summarize(ratio)
	if c.C6.Median <= 0 || c.C7.Median <= 0 {
		return fmt.Errorf("choice between 6 and 7: the fit gives c6 = %.2f ns and c7 = %.2f ns, which is noise: measure more rounds", c.C6.Median, c.C7.Median)
	}
	return nil
}

// observe collects a scheme's cells of the fitting grid.
func observe(t *measure.Table, scheme, unit string) ([]observation, error) {
	var all []observation
	for _, k := range t.Keys {
		if k.Op != lifetime || k.Scheme != scheme || k.Dist != fitDist.String() {
			continue
		}
		spec, _, err := parse(k)
		if err != nil {
			return nil, err
		}
		steps, err := t.Median(k, unit)
		if err != nil {
			return nil, fmt.Errorf("benchmark %s has no %s", k, unit)
		}
		lives := spec.Lives()
		expiring := cost.Expiring(lives)
		o := observation{steps: steps.Median, stopped: 1 - expiring, ticks: cost.MeanStay(lives) / float64(spec.N), ns: t.Samples(k, nsPerOp)}
		if scheme == sixName {
			o.steps -= expiring
		}
		all = append(all, o)
	}
	if len(all) < unknowns+2 {
		return nil, fmt.Errorf("choice between 6 and 7: %d cells of %s with dist=%s, at least %d needed: %w", len(all), scheme, fitDist, unknowns+2, ErrNotMeasured)
	}
	return all, nil
}

func shortest(all []observation) int {
	rounds := len(all[0].ns)
	for _, o := range all {
		rounds = min(rounds, len(o.ns))
	}
	return rounds
}

// unknowns is the number of costs fitted: start and expiry, step, stop, tick.
const unknowns = 4

// stepCost returns the fitted cost of a step in one round.
func stepCost(all []observation, round int) (float64, error) {
	a := mat.NewDense(len(all), unknowns, nil)
	b := mat.NewVecDense(len(all), nil)
	for i, o := range all {
		weight := 1 / o.ns[round]
		a.SetRow(i, []float64{weight, weight * o.steps, weight * o.stopped, weight * o.ticks})
		b.SetVec(i, 1)
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return 0, fmt.Errorf("choice between 6 and 7: fit: %w", err)
	}
	return x.AtVec(1), nil
}
