package claims

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

var (
	sixName   = hashunsorted.Info.Name
	sevenName = hierarchical.Info.Name
)

// Costs is what a lifetime costs in one scheme, in ns, by what it has to be multiplied by:
// see load. A step is a visit that does not expire a timer, or a migration; its cost, c6 or
// c7, is what is left for one after the cost that every timer has.
type Costs [numCosts]float64

// load is what the costs of a lifetime are multiplied by.
type load [numCosts]float64

const (
	perTimer = iota // 1: a timer that starts and expires
	perStep         // its steps
	perStop         // the share of lifetimes that are stopped, instead of expiring
	perTick         // ticks that pass in a lifetime, with n outstanding: T/n
	numCosts
)

func (c Costs) of(l load) (ns float64) {
	for i := range c {
		ns += c[i] * l[i]
	}
	return ns
}

// observation is one cell of the fitting grid.
type observation struct {
	load
	ns map[int]float64 // a lifetime's cost, by round
}

// fit sets the costs of both schemes, C6, C7 and their ratio: by least squares of
// relative errors, scheme by scheme and round by round. The medians over rounds
// are the costs; the rounds give the intervals. A round in which a cell of either
// scheme is missing is left out: the machine's speed differs from round to round,
// so cells of different rounds make no fit, and fits of different rounds no ratio.
func (c *Choice) fit(t *results.Table, n string) error {
	cells6, err := observe(t, n, sixName, results.VisitsPerOp)
	if err != nil {
		return err
	}
	cells7, err := observe(t, n, sevenName, results.MigrationsPerOp)
	if err != nil {
		return err
	}
	common := wholeRounds(slices.Concat(cells6, cells7))
	if len(common) == 0 {
		return notMeasured("no round has all cells with dist=%s", fitDist)
	}
	six, err6 := solveRounds(cells6, common)
	seven, err7 := solveRounds(cells7, common)
	if err := errors.Join(err6, err7); err != nil {
		return err
	}
	ratios := make([]float64, len(common))
	for r := range ratios {
		ratios[r] = seven[r][perStep] / six[r][perStep]
	}
	c.Ratio = results.Summarize(ratios)
	c.C6, c.Fit6 = overRounds(six)
	c.C7, c.Fit7 = overRounds(seven)
	if !(c.C6.Median > 0 && c.C7.Median > 0) {
		return fmt.Errorf("choice between 6 and 7: the fit gives c6 = %.2f ns and c7 = %.2f ns, which is noise: "+
			"measure more rounds", c.C6.Median, c.C7.Median)
	}
	return nil
}

// wholeRounds returns the rounds that all cells have, ascending.
func wholeRounds(all []observation) []int {
	whole := slices.Sorted(maps.Keys(all[0].ns))
	for _, o := range all[1:] {
		whole = slices.DeleteFunc(whole, func(round int) bool {
			_, ok := o.ns[round]
			return !ok
		})
	}
	return whole
}

// overRounds returns the estimate of a step's cost, and the medians of all costs.
func overRounds(rounds []Costs) (step results.Estimate, medians Costs) {
	for i := range medians {
		values := make([]float64, len(rounds))
		for r, costs := range rounds {
			values[r] = costs[i]
		}
		e := results.Summarize(values)
		if medians[i] = e.Median; i == perStep {
			step = e
		}
	}
	return step, medians
}

// solveRounds fits one scheme's costs in each round.
func solveRounds(all []observation, rounds []int) ([]Costs, error) {
	fitted := make([]Costs, len(rounds))
	for i, round := range rounds {
		var err error
		if fitted[i], err = solve(all, round); err != nil {
			return nil, err
		}
	}
	return fitted, nil
}

// observe collects a scheme's cells of the fitting grid. unit is that of its steps.
func observe(t *results.Table, n, scheme, unit string) ([]observation, error) {
	var all []observation
	var slots, stops []string
	for _, k := range t.Keys {
		if !inGrid(k, n, scheme, fitDist) {
			continue
		}
		spec, _, err := parse(k)
		if err != nil {
			return nil, err
		}
		steps, err := t.Count(k, unit)
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", k, err)
		}
		lives := spec.Lives()
		o := observation{loadOf(lives, spec.N, steps), t.ByRound(k, nsPerOp)}
		if scheme == sixName {
			o.load[perStep] -= cost.Expiring(lives) // the visit that expires a timer is no waste
		}
		all = append(all, o)
		slots, stops = addOnce(slots, k.Slots), addOnce(stops, k.Stop)
	}
	if len(all) < numCosts+2 {
		return nil, notMeasured("%d cells of %s with dist=%s, at least %d needed", len(all), scheme, fitDist,
			numCosts+2)
	}
	if len(slots) < 2 || len(stops) < 2 {
		return nil, notMeasured("cells of %s with dist=%s have M = %s and stop = %s (use two or more of each)",
			scheme, fitDist, strings.Join(slots, ", "), strings.Join(stops, ", "))
	}
	return all, nil
}

// addOnce returns list with text in it.
func addOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

func loadOf(lives []workload.Life, n int, steps float64) load {
	return load{1, steps, 1 - cost.Expiring(lives), cost.MeanStay(lives) / float64(n)}
}

// maxCondition bounds how far a fit may magnify the errors of its measurements:
// beyond it, one percent of noise in the times can turn up as a whole cost. With
// one M, the visits wasted (about T/M) and the ticks (T/n) grow together and no
// measurement separates the two costs, although all rounds agree.
const maxCondition = 100

// solve fits the costs to the observations of one round. Columns are scaled to
// length 1, so that the condition says how alike they are, not their units.
func solve(all []observation, round int) (Costs, error) {
	a := mat.NewDense(len(all), numCosts, nil)
	ones := mat.NewVecDense(len(all), nil)
	for i, o := range all {
		for j, x := range o.load {
			a.Set(i, j, 1/o.ns[round]*x)
		}
		ones.SetVec(i, 1)
	}
	var length Costs
	for j := range length {
		length[j] = mat.Norm(a.ColView(j), 2)
	}
	a.Apply(func(_, j int, v float64) float64 { return v / length[j] }, a)
	var qr mat.QR
	qr.Factorize(a)
	if condition := qr.Cond(); !(condition <= maxCondition) {
		return Costs{}, notMeasured("the fit would magnify noise %.3g times (at most %d): measure more M, T and stops",
			condition, maxCondition)
	}
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, ones); err != nil {
		return Costs{}, fmt.Errorf("choice between 6 and 7: fit: %w", err)
	}
	for j := range length {
		length[j] = x.AtVec(j) / length[j]
	}
	return length, nil
}
