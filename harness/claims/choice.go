package claims

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Choice is the verdict on choosing between scheme 6 and scheme 7.
type Choice struct {
	C6, C7     results.Estimate // ns for a visit of scheme 6, a migration of scheme 7
	Ratio      results.Estimate // c7/c6
	Fit6, Fit7 Costs            // medians over rounds
	Noise      float64          // band around a ratio of 1, as a share: what the A/A pair shows
	Cells      []ChoiceCell
	Without    int // cells of the grid that have no time of 6 or of 7
	Crossovers []Crossing
}

// ChoiceCell is one cell of the grid: what was measured, and what the rules say.
type ChoiceCell struct {
	N, Slots int
	Levels   []int
	T        schemes.Tick
	Stop     string
	Six      results.Estimate // ns a lifetime
	Seven    results.Estimate
	Ratio    results.Estimate // of the two, round by round
	Winner   cost.Winner      // measured; Tie within the noise
	Paper    cost.Winner
	Refined  cost.Winner
	Model6   float64 // ns a lifetime, by the fitted costs and the refined formulas
	Model7   float64
	Visits   float64 // wasted by scheme 6 on a lifetime, counted
	Migrated float64 // migrations of scheme 7 in a lifetime, counted
}

// Winner is the number of the cheaper scheme, or Tie.
type Winner = cost.Winner

// Tie is the winner where the noise decides.
const Tie Winner = 0

// Crossing is the largest T at which scheme 6 is still cheaper, for one M, m and
// share of stops.
type Crossing struct {
	N, Slots       int
	Levels         []int
	Stop           string
	Paper, Refined float64 // predicted, in ticks; NaN: no crossover
	Measured       float64 // NaN if the grid does not hold it
	Lo, Hi         float64 // where the interval of the ratio crosses 1
	Note           string  // why Measured is NaN
}

// ErrNotMeasured says that a table lacks the cells of a claim.
var ErrNotMeasured = errors.New("not measured")

// notMeasured returns an error wrapping ErrNotMeasured.
func notMeasured(format string, args ...any) error {
	return fmt.Errorf("choice between 6 and 7: "+format+": %w", append(args, ErrNotMeasured)...)
}

const lifetime, nsPerOp = results.LifetimeOp, "ns/op"

// JudgeChoice fits c6 and c7 on the cells of one distribution and judges both
// rules on those of another.
func JudgeChoice(t *results.Table) (*Choice, error) {
	n, err := oneSize(t)
	if err != nil {
		return nil, err
	}
	c := &Choice{}
	if err := c.fit(t, n); err != nil {
		return nil, err
	}
	for _, k := range t.Keys {
		if !inGrid(k, n, sevenName, judgeDist) {
			continue
		}
		cell, err := c.judge(t, k)
		if errors.Is(err, results.ErrNoSamples) {
			continue // scheme 6 was not measured there
		}
		if err != nil {
			return nil, err
		}
		c.Cells = append(c.Cells, cell)
	}
	if len(c.Cells) == 0 {
		return nil, notMeasured("no cells of dist=%s that both have", judgeDist)
	}
	c.Without = gridCells(t, n) - len(c.Cells)
	c.Noise = noise(t, n)
	for i := range c.Cells {
		c.Cells[i].Winner = winner(c.Cells[i].Ratio, c.Noise)
	}
	slices.SortFunc(c.Cells, func(a, b ChoiceCell) int { return cmp.Or(bySeries(a, b), cmp.Compare(a.T, b.T)) })
	c.cross()
	return c, nil
}

// inGrid reports whether a cell is of the grid at n that a scheme is judged, or
// fitted, on. The grid has no restarts and no open arrivals: no rule covers them.
func inGrid(k results.Key, n, scheme string, dist workload.Dist) bool {
	return k.Op == lifetime && k.N == n && k.Scheme == scheme && k.Dist == dist.String() && k.Rest == ""
}

// gridCells returns how many cells of scheme 7 the grid has, measured or not.
func gridCells(t *results.Table, n string) int {
	keys := slices.Clone(t.Keys)
	for _, m := range t.Missing {
		keys = append(keys, m.Key)
	}
	cells := map[results.Key]bool{}
	for _, k := range keys {
		if inGrid(k, n, sevenName, judgeDist) {
			cells[k] = true
		}
	}
	return len(cells)
}

// oneSize returns the n of the grid. What a step costs depends on n, by what the
// caches hold, so costs fitted at one n judge no other; a second n that could be
// judged is refused rather than mixed in.
func oneSize(t *results.Table) (string, error) {
	var sizes []string
	for _, k := range t.Keys {
		fitted := func(other results.Key) bool { return inGrid(other, k.N, sevenName, fitDist) }
		if inGrid(k, k.N, sevenName, judgeDist) && slices.ContainsFunc(t.Keys, fitted) {
			sizes = addOnce(sizes, k.N)
		}
	}
	switch len(sizes) {
	case 1:
		return sizes[0], nil
	case 0:
		return "", notMeasured("no n with lifetimes of dist=%s and dist=%s, without restarts and with arrivals=hold",
			fitDist, judgeDist)
	}
	return "", notMeasured("n = %s (all files must have one n)", strings.Join(sizes, ", "))
}

// judge compares the schemes in scheme 7's cell k and the cell of scheme 6 on the
// same workload.
func (c *Choice) judge(t *results.Table, k results.Key) (ChoiceCell, error) {
	spec, cfg, err := parse(k)
	if err != nil {
		return ChoiceCell{}, err
	}
	six := sixKey(k)
	cell := ChoiceCell{N: spec.N, Slots: cfg.Slots, Levels: cfg.Levels, T: spec.T, Stop: k.Stop}
	if cell.Ratio, err = t.Ratio(six, k, nsPerOp); err != nil {
		return cell, err
	}
	cell.Six, _ = t.Median(six, nsPerOp)
	cell.Seven, _ = t.Median(k, nsPerOp)
	lives := spec.Lives()
	// The rules need only c7/c6; its median over rounds is not the ratio of the medians.
	cell.Paper = cost.PaperRule(c.Ratio.Median, cost.MeanStay(lives), cfg.Slots, len(cfg.Levels))
	cell.Refined = cost.RefinedRule(c.Ratio.Median, lives, cfg.Slots, cfg.Levels)
	cell.Model6 = c.Fit6.of(loadOf(lives, spec.N, cost.Wasted6(lives, cfg.Slots)))
	cell.Model7 = c.Fit7.of(loadOf(lives, spec.N, cost.Migrations7(lives, cfg.Levels)))
	visits, err := t.Count(six, results.VisitsPerOp)
	if err != nil {
		return cell, err
	}
	cell.Visits = visits - cost.Expiring(lives)
	cell.Migrated, err = t.Count(k, results.MigrationsPerOp)
	return cell, err
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
	switch {
	case err != nil:
	case slots < 1 || slots > schemes.MaxSlots:
		err = fmt.Errorf("invalid M = %s (use 1 to %d)", k.Slots, schemes.MaxSlots)
	case k.Scheme == sevenName && len(levels) == 0:
		err = errors.New("no levels (name the slots of each, as in m=64x64)")
	default:
		err = spec.Check()
	}
	if err != nil {
		return spec, cfg, fmt.Errorf("benchmark %s: %w", k, err)
	}
	return spec, schemes.Config{Slots: int(slots), Levels: levels}, nil
}

// sixKey returns the cell of scheme 6 on the workload of scheme 7's cell.
func sixKey(seven results.Key) results.Key {
	seven.Scheme, seven.Levels = sixName, ""
	return seven
}
