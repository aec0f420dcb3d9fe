package claims

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Choice is the verdict on choosing between scheme 6 and scheme 7.
type Choice struct {
	Fits       []*Fit       // one for each form and n
	Cells      []ChoiceCell // judged
	Fitted     []ChoiceCell // those that models and constants were fitted on
	Crossovers []Crossing
	Scores     []Score  // of each rule, from crude to fine
	Without    int      // cells of the grid that have no time of 6 or of 7
	Short      int      // cells whose run was too short for the steady state
	Refused    []string // why a form, an n or a cell is not judged
}

// ChoiceCell is one cell of the grid: what was measured, and what is predicted.
type ChoiceCell struct {
	*Fit
	Slots      int
	Levels     []int
	T          schemes.Tick
	Dist, Stop string
	Six        results.Estimate // ns a lifetime
	Seven      results.Estimate
	Ratio      results.Estimate // of the two, round by round
	Winner     Winner           // measured; Tie within the noise
	Load6      cost.Load        // what the model is applied to
	Load7      cost.Load
	Model6     float64 // ns a lifetime, by the model
	Model7     float64
	Visits     float64 // wasted by scheme 6 on a lifetime, counted
	Migrated   float64 // migrations of scheme 7 in a lifetime, counted
	Linked     float64 // the same of linked slots: arrays also migrate stopped timers that they still hold
	Wasted     float64 // what Visits is in the steady state, by the formula
	Migrations float64 // what Migrated is in the steady state, by the formula
	Harness    float64 // ns a lifetime of the null scheme
}

// ErrNotMeasured says that a table lacks the cells of a claim.
var ErrNotMeasured = errors.New("not measured")

// notMeasured returns an error wrapping ErrNotMeasured.
func notMeasured(format string, args ...any) error {
	return fmt.Errorf("choice between 6 and 7: "+format+": %w", append(args, ErrNotMeasured)...)
}

const lifetime, nsPerOp = results.LifetimeOp, results.NsPerOp

// JudgeChoice fits a model on the cells of one distribution, for each form and n, and judges it and
// simpler rules on the cells of others.
func JudgeChoice(t *results.Table) (*Choice, error) {
	c := &Choice{}
	var errs []error
	for _, r := range regimes(t) {
		fit, err := newFit(t, r)
		if err == nil {
			err = c.addCells(t, r, fit)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s, n = %s: %w", r.form, r.n, err))
			c.Refused = append(c.Refused, errs[len(errs)-1].Error())
		}
	}
	switch {
	case len(c.Cells) > 0:
	case len(errs) > 0:
		return nil, errors.Join(errs...)
	default:
		return nil, notMeasured("no n with lifetimes of dist=%s and of another, without restarts, "+
			"with arrivals=hold", fitDist)
	}
	slices.SortFunc(c.Cells, func(a, b ChoiceCell) int { return cmp.Or(bySeries(a, b), cmp.Compare(a.T, b.T)) })
	c.cross()
	c.score()
	return c, nil
}

// addCells adds the cells of a form and n, the model's errors there and the cells without a time.
func (c *Choice) addCells(t *results.Table, r regime, fit *Fit) error {
	var judged, fitted []ChoiceCell
	for _, k := range t.Keys {
		if !r.has(k, 7) {
			continue
		}
		cell, err := judgeCell(t, fit, k)
		switch {
		case errors.Is(err, results.ErrNoSamples): // scheme 6 was not measured there
			if k.Dist != fitDist.String() {
				c.Without++
			}
			continue
		case err != nil:
			return err
		case k.Dist == fitDist.String():
			fitted = append(fitted, cell)
			continue
		case !cell.steady():
			c.Short++
			if t.CodeOf(k) != "" { // files from before runs were long enough record no code
				c.Refused = append(c.Refused, fmt.Sprintf("%s: %.4f migrations counted, %.4f in the steady state", k,
					cell.Linked, cell.Migrations))
				continue
			}
		}
		judged = append(judged, cell)
	}
	if len(judged) == 0 {
		return notMeasured("no cells of a dist other than %s that both have", fitDist)
	}
	fit.setErrors(judged)
	c.Fits, c.Cells, c.Fitted = append(c.Fits, fit), append(c.Cells, judged...), append(c.Fitted, fitted...)
	for _, m := range t.Missing {
		if r.has(m.Key, 7) && m.Key.Dist != fitDist.String() && !slices.Contains(t.Keys, m.Key) {
			c.Without++
		}
	}
	return nil
}

// Modelled returns the fits that have a model.
func (c *Choice) Modelled() []*Fit {
	return slices.DeleteFunc(slices.Clone(c.Fits), func(f *Fit) bool { return f.NoModel != nil })
}

// judgeCell compares the schemes in scheme 7's cell k and the cell of scheme 6 on the same workload.
func judgeCell(t *results.Table, fit *Fit, k results.Key) (cell ChoiceCell, err error) {
	spec, cfg, err := parse(k)
	if err != nil {
		return cell, err
	}
	six := SixOf(k)
	cell = ChoiceCell{Fit: fit, Slots: cfg.Slots, Levels: cfg.Levels, T: spec.T, Dist: k.Dist, Stop: k.Stop}
	if cell.Ratio, err = t.Ratio(six, k, nsPerOp); err != nil {
		return cell, err
	}
	cell.Winner = winner(cell.Ratio, fit.Noise)
	cell.Six, _ = t.Median(six, nsPerOp)
	cell.Seven, _ = t.Median(k, nsPerOp)
	null, err := t.Median(nullKey(k), nsPerOp)
	if err != nil {
		return cell, fmt.Errorf("benchmark %s: %w", nullKey(k), err)
	}
	lives := spec.Lives()
	cell.Harness = null.Median
	cell.Wasted, cell.Migrations = cost.Wasted6(lives, cfg.Slots), cost.Migrations7(lives, cfg.Levels)
	cell.Load6, cell.Load7 = fit.Load6(lives, cfg.Slots, cell.Wasted), fit.Load7(lives, cfg.Levels, cell.Migrations)
	cell.Model6, cell.Model7 = cell.Harness+fit.Six.Of(cell.Load6), cell.Harness+fit.Seven.Of(cell.Load7)
	visits, err := t.Count(six, results.VisitsPerOp)
	if err != nil {
		return cell, err
	}
	cell.Visits = visits - cost.Expiring(lives)
	if cell.Migrated, err = t.Count(k, results.MigrationsPerOp); err != nil {
		return cell, err
	}
	linked := k
	linked.Scheme = sevenName
	if cell.Linked, err = t.Count(linked, results.MigrationsPerOp); err != nil {
		cell.Linked = cell.Migrated // measured in one form alone
	}
	return cell, nil
}

// Steady bounds how far counted migrations may be from the steady state: a share of them, or so few
// of a timer that they cost less than a twentieth of a nanosecond.
const steadyShare, steadyLeast = 0.02, 0.01

// steady reports whether the run was long enough for every wheel that intervals reach to make whole
// revolutions, or many: then scheme 7 has migrated as often as in the long run.
func (cell ChoiceCell) steady() bool {
	return math.Abs(cell.Linked-cell.Migrations) <= max(steadyShare*cell.Migrations, steadyLeast)
}

// parse reads a workload, and the sizes of the two schemes, back from the name of a benchmark.
func parse(k results.Key) (spec workload.Spec, cfg schemes.Config, err error) {
	n, err1 := results.ParseCount(k.N)
	T, err2 := results.ParseCount(k.T)
	slots, err3 := results.ParseCount(k.Slots)
	dist, err4 := workload.ParseDist(k.Dist)
	share, at, err5 := results.ParseFraction(k.Stop)
	levels, err6 := results.ParseRadices(k.Levels)
	spec = workload.Spec{N: int(min(n, math.MaxInt)), T: schemes.Tick(T), Dist: dist, Stop: share, StopAt: at}
	err = errors.Join(err1, err2, err3, err4, err5, err6)
	_, scheme := formOf(k)
	switch {
	case err != nil:
	case slots < 1 || slots > schemes.MaxSlots:
		err = fmt.Errorf("invalid M = %s (use 1 to %d)", k.Slots, schemes.MaxSlots)
	case scheme == 7 && len(levels) == 0:
		err = errors.New("no levels (name the slots of each, as in m=64x64)")
	default:
		err = spec.Check()
	}
	if err != nil {
		return spec, cfg, fmt.Errorf("benchmark %s: %w", k, err)
	}
	return spec, schemes.Config{Slots: int(slots), Levels: levels}, nil
}
