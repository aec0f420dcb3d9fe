package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/schemes/hashunsorted"
)

// Fit is the model of one form and n, fitted on the cells of one distribution: on the medians over
// rounds. The rounds, each fitted alone, give the intervals.
type Fit struct {
	Form Form
	cost.Model
	Costs6, Costs7 [cost.NumTerms]results.Estimate // of the model's costs
	Ratio          results.Estimate                // c7/c6: a migration over a wasted visit
	Noise          float64                         // band around a ratio of 1, as a share: what the A/A pair shows
	Error6, Error7 Errors                          // of the model, on the cells that it judges
	NoModel        error                           // why there is none: then Ratio and what it predicts are NaN

	rounds []cost.Model
}

// Errors are how far a model is from what was measured, as shares.
type Errors struct{ Median, P95 float64 }

// fitCell is one cell of the fitting grid.
type fitCell struct {
	cost.Load
	ns, harness map[int]float64 // ns a lifetime, and in the null scheme, by round
}

// newFit fits the model of a regime.
func newFit(t *results.Table, r regime) (*Fit, error) {
	n, err := results.ParseCount(r.n)
	if err != nil {
		return nil, err
	}
	if err := oneCode(t, r); err != nil {
		return nil, err
	}
	info := &hashunsorted.Info
	if r.form == Chunked {
		info = &hashunsorted.Chunked
	}
	f := &Fit{Form: r.form, Noise: noise(t, r)}
	f.Site = cost.SiteOf(info, int(n), firstCache(t))
	six, err := f.observe(t, r, 6, results.VisitsPerOp)
	if err != nil {
		return nil, err
	}
	seven, err := f.observe(t, r, 7, results.MigrationsPerOp)
	if err != nil {
		return nil, err
	}
	if f.NoModel = f.fit(six, seven); f.NoModel != nil {
		f.void()
	}
	return f, nil
}

// void removes the model. What was measured can be judged without it.
func (f *Fit) void() {
	f.rounds, f.Costs6, f.Costs7 = nil, [cost.NumTerms]results.Estimate{}, [cost.NumTerms]results.Estimate{}
	f.Ratio = results.Estimate{Median: math.NaN()}
	for term := range cost.NumTerms {
		f.Six[term], f.Seven[term] = math.NaN(), math.NaN()
	}
}

// oneCode returns an error unless all cells of a regime, of both schemes, are of the same code.
func oneCode(t *results.Table, r regime) error {
	var codes []string
	for _, k := range t.Keys {
		if r.has(k, 6) || r.has(k, 7) {
			codes = addOnce(codes, t.CodeOf(k))
		}
	}
	if len(codes) > 1 {
		return fmt.Errorf("choice between 6 and 7: measured with code %q and with code %q (use files of one code)",
			codes[0], codes[1])
	}
	return nil
}

// firstCache returns the size of the first-level data cache in bytes, or that of most processors.
func firstCache(t *results.Table) int {
	kib := 0
	if _, err := fmt.Sscanf(t.Machine["caches"], "L1 %dK", &kib); err != nil || kib <= 0 {
		kib = 32
	}
	return kib << 10
}

// fit sets the costs. A round in which a cell of either scheme is missing is left out: the machine's
// speed differs from round to round, so cells of different rounds make no fit.
func (f *Fit) fit(six, seven []fitCell) (err error) {
	common := wholeRounds(slices.Concat(six, seven))
	if len(common) == 0 {
		return notMeasured("no round has all cells with dist=%s", fitDist)
	}
	if f.Model, err = f.model(six, seven, common); err != nil {
		return err
	}
	for _, round := range common {
		m, err := f.model(six, seven, []int{round})
		if err != nil {
			return err
		}
		f.rounds = append(f.rounds, m)
	}
	for term := range cost.NumTerms {
		f.Costs6[term] = f.estimate(func(m cost.Model) float64 { return m.Six[term] })
		f.Costs7[term] = f.estimate(func(m cost.Model) float64 { return m.Seven[term] })
	}
	f.Ratio = f.estimate(func(m cost.Model) float64 { return m.Seven[cost.PerStep] / m.Six[cost.PerStep] })
	if !(f.Six[cost.PerStep] > 0 && f.Seven[cost.PerStep] > 0) {
		return fmt.Errorf("choice between 6 and 7: the fit gives c6 = %.2f ns and c7 = %.2f ns, which is noise: "+
			"measure more rounds", f.Six[cost.PerStep], f.Seven[cost.PerStep])
	}
	return nil
}

// estimate returns a value of the model, with the interval that its rounds have; NaN without a model.
func (f *Fit) estimate(value func(cost.Model) float64) results.Estimate {
	if f.NoModel != nil {
		return results.Estimate{Median: math.NaN()}
	}
	var values []float64
	for _, m := range f.rounds {
		values = append(values, value(m))
	}
	e := results.Summarize(values)
	e.Median = value(f.Model)
	e.Lo, e.Hi = min(e.Lo, e.Median), max(e.Hi, e.Median)
	return e
}

// model fits both schemes on medians over some rounds.
func (f *Fit) model(six, seven []fitCell, rounds []int) (m cost.Model, err error) {
	m.Site = f.Site
	for _, part := range []struct {
		cells []fitCell
		to    *cost.Costs
	}{{six, &m.Six}, {seven, &m.Seven}} {
		var all []cost.Observation
		for _, cell := range part.cells {
			net := medianOf(cell.ns, rounds) - medianOf(cell.harness, rounds)
			all = append(all, cost.Observation{Load: cell.Load, Nanos: net})
		}
		if *part.to, err = cost.Fit(all); err != nil {
			return m, notMeasured("%v", err)
		}
	}
	return m, nil
}

// medianOf returns the median of a value over rounds.
func medianOf(values map[int]float64, rounds []int) float64 {
	var all []float64
	for _, round := range rounds {
		all = append(all, values[round])
	}
	return results.Summarize(all).Median
}

// wholeRounds returns the rounds that all cells have, ascending.
func wholeRounds(all []fitCell) []int {
	whole := slices.Sorted(maps.Keys(all[0].ns))
	for _, o := range all {
		whole = slices.DeleteFunc(whole, func(round int) bool {
			_, ok := o.ns[round]
			_, null := o.harness[round]
			return !ok || !null
		})
	}
	return whole
}

// observe collects a scheme's cells of the fitting grid, with the steps that were counted there. unit
// is that of the steps.
func (f *Fit) observe(t *results.Table, r regime, scheme int, unit string) (all []fitCell, err error) {
	var slots, stops []string
	for _, k := range t.Keys {
		if !r.has(k, scheme) || k.Dist != fitDist.String() {
			continue
		}
		cell, err := f.observeCell(t, k, scheme, unit)
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", k, err)
		}
		all, slots, stops = append(all, cell), addOnce(slots, k.Slots), addOnce(stops, k.Stop)
	}
	if len(slots) < 2 || len(stops) < 2 {
		return nil, notMeasured("cells of scheme %d with dist=%s have M = %s and stop = %s (use two or more of each)",
			scheme, fitDist, strings.Join(slots, ", "), strings.Join(stops, ", "))
	}
	return all, nil
}

func (f *Fit) observeCell(t *results.Table, k results.Key, scheme int, unit string) (cell fitCell, err error) {
	spec, cfg, err := parse(k)
	if err != nil {
		return cell, err
	}
	steps, err := t.Count(k, unit)
	if err != nil {
		return cell, err
	}
	if lives := spec.Lives(); scheme == 6 { // the visit that expires a timer is no waste
		cell.Load = f.Load6(lives, cfg.Slots, steps-cost.Expiring(lives))
	} else {
		cell.Load = f.Load7(lives, cfg.Levels, steps)
	}
	cell.ns, cell.harness = t.ByRound(k, nsPerOp), t.ByRound(nullKey(k), nsPerOp)
	if len(cell.harness) == 0 {
		err = fmt.Errorf("%s: %w", nullKey(k), results.ErrNoSamples)
	}
	return cell, err
}

// addOnce returns list with text in it.
func addOnce(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// setErrors sets the errors of the model, if there is one, on some cells: of times without the harness's.
func (f *Fit) setErrors(cells []ChoiceCell) {
	if f.NoModel != nil {
		return
	}
	var off6, off7 []float64
	for _, cell := range cells {
		off6 = append(off6, math.Abs((cell.Model6-cell.Harness)/(cell.Six.Median-cell.Harness)-1))
		off7 = append(off7, math.Abs((cell.Model7-cell.Harness)/(cell.Seven.Median-cell.Harness)-1))
	}
	f.Error6, f.Error7 = errorsFrom(off6), errorsFrom(off7)
}

func errorsFrom(off []float64) Errors {
	slices.Sort(off)
	return Errors{stat.Quantile(0.5, stat.Empirical, off, nil), stat.Quantile(0.95, stat.Empirical, off, nil)}
}

// noise returns the noise band of a regime.
func noise(t *results.Table, r regime) float64 {
	band, _ := t.NoiseBand(func(k results.Key) bool {
		first, again := k.Twin()
		return again && r.has(first, 6)
	})
	return band
}
