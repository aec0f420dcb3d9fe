// Package choice answers from measurements whether scheme 6 or scheme 7 costs less: by zones, cell by cell, and by what the
// use of a simple rule costs. Both schemes have M slots; T is the mean time a timer stays.
//
//	c, err := choice.Judge(table)
//	for _, s := range c.Scores { // of each rule
//		fmt.Println(s.Rule, s.Right, "of", s.Named, "mean regret", s.Mean.Median)
//	}
//
// Package plan has the cells by which such measurements are made.
package choice

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/hierarchical"
)

// Choice is what a table says of schemes 6 and 7.
type Choice struct {
	Regimes   []*Regime
	Cells     []Cell           // by series and T
	Scores    []Score          // of each rule, from crude to fine, and of one with Ahead
	Expected  Expectation      // of TheRule
	OverSeven results.Estimate // time of what Rule chooses over the time of scheme 7: geometric mean by round, as Zone's
	Ahead     []Cell           // Cells of four wheels once more, where scheme 7 migrates ahead of time
	Refused   []string         // why a regime or a cell is not judged

	table *results.Table
	lives map[workload.Spec][]workload.Life // by workload: Spec.Lives takes milliseconds
}

// Regime is a form and a number of timers. What a step costs depends on both, so measurements of one regime say nothing
// of another.
type Regime struct {
	Form Form
	N    int
	// C6 is the cost in ns of a wasted visit of scheme 6, which expires no timer, C7 the cost of a migration of scheme 7,
	// both with all that goes with them; either may be below 0 by chance. Ratio is C7/C6. N = 0: not measured.
	C6, C7, Ratio results.Estimate

	Cells, Decided int // judged cells, and judged cells with a winner
}

// Form is how the slots of schemes 6 and 7 hold their timers: what their names end in.
type Form string

// Forms.
const (
	Linked  Form = ""
	Chunked Form = "-chunked"
)

// String returns linked or chunked.
func (f Form) String() string { return cmp.Or(strings.TrimPrefix(string(f), "-"), "linked") }

var (
	sixName   = hashunsorted.Info.Name
	sevenName = hierarchical.Info.Name
)

// formOf returns the form of a cell and whether it is of scheme 6 or 7; 0 if it is of neither.
func formOf(k results.Key) (Form, int) {
	for _, f := range []Form{Linked, Chunked} {
		switch k.Scheme {
		case sixName + string(f):
			return f, 6
		case sevenName + string(f):
			return f, 7
		}
	}
	return Linked, 0
}

// InGrid reports whether a cell is of a kind that is judged here: a lifetime in scheme 6 or 7. The grid has no
// restarts and no open arrivals: no rule covers them.
func InGrid(k results.Key) bool {
	_, scheme := formOf(k)
	return scheme != 0 && k.Op == units.LifetimeOp && k.Restart+k.Arrivals+k.Rest+k.Pkg+k.Procs == ""
}

// has reports whether a cell is of a scheme, 6 or 7, in this regime.
func (r *Regime) has(k results.Key, scheme int) bool {
	form, number := formOf(k)
	return InGrid(k) && k.N == workload.Count(r.N).String() && form == r.Form && number == scheme
}

// SixOf returns the cell of scheme 6 on the workload of a cell of scheme 7, and whether the latter is one.
func SixOf(seven results.Key) (six results.Key, ok bool) {
	form, scheme := formOf(seven)
	if scheme != 7 {
		return six, false
	}
	seven.Scheme, seven.Levels = sixName+string(form), ""
	return seven, true
}

// StepDist is the distribution of intervals of the cells that give the costs of a step. Cells of other distributions are
// judged.
var StepDist = workload.Uniform

// Forms of scheme 7 that migrate ahead of time take part with as many slots in AheadLevels wheels. The key AheadSet
// keeps their cells apart from the cells that are judged.
const (
	AheadLevels = 4
	AheadSet    = "/set=ahead"
)

// Cell is a workload in schemes 6 and 7: the results.Cell is of scheme 7.
type Cell struct {
	results.Cell
	*Regime
	J          float64          // mean interval asked for, in ticks
	Six, Seven results.Estimate // ns a lifetime
	Ratio      results.Estimate // of 6 to 7, round by round
	Winner     Winner           // measured; Tie if the interval of Ratio holds 1
	Visits     float64          // wasted by scheme 6 on a lifetime, counted
	Migrated   float64          // migrations of scheme 7 in a lifetime, counted
	Migrations float64          // what Migrated is in the steady state, by the formula
	six        results.Key
}

// InM returns J in M.
func (c Cell) InM() float64 { return c.J / float64(c.Slots) }

// odd reports whether a wheel has a number of slots that is no power of two. Each START divides there, so such
// hierarchies, which few would build, are not judged.
func odd(levels []int) bool {
	return slices.ContainsFunc(levels, func(slots int) bool { return slots&(slots-1) != 0 })
}

// ErrNotMeasured says that a table lacks the cells of a choice.
var ErrNotMeasured = errors.New("not measured")

// ErrNoGrid says that a table was measured for something else: it has no cell of a choice.
var ErrNoGrid = fmt.Errorf("lifetimes of schemes 6 and 7 at one n, with %v intervals and with others, without restarts, "+
	"arrivals=hold: %w", StepDist, ErrNotMeasured)

// Judge judges every regime by its cells with intervals that are not drawn evenly; those with evenly drawn ones give C6
// and C7. It judges however noisy the machine was: the interval of a ratio says how sure it is.
func Judge(t *results.Table) (*Choice, error) {
	c := &Choice{table: t, lives: map[workload.Spec][]workload.Life{}}
	var refused error
	for _, r := range regimes(t) {
		if err := c.judge(r); err != nil {
			err = fmt.Errorf("%s, n = %s: %w", r.Form, workload.Count(r.N).String(), err)
			if c.Refused = append(c.Refused, err.Error()); refused != nil {
				err = fmt.Errorf("%w; %w", refused, err)
			}
			refused = err
		}
	}
	if len(c.Cells) == 0 {
		return nil, cmp.Or(refused, ErrNoGrid)
	}
	slices.SortFunc(c.Cells, func(a, b Cell) int { return cmp.Or(bySeries(a, b), cmp.Compare(a.Spec.T, b.Spec.T)) })
	var pairs []results.Pair // of the chosen scheme and 7
	for _, cell := range c.Cells {
		chosen := map[Winner]results.Key{6: cell.six, 7: cell.Key}[cell.ByRule()]
		pairs = append(pairs, results.Pair{Over: chosen, Under: cell.Key})
	}
	c.OverSeven, _ = t.GeometricMean(pairs, units.NsPerOp)
	for _, r := range rules {
		c.Scores = append(c.Scores, ScoreOf(r.says, c.Cells))
		c.Scores[len(c.Scores)-1].Rule = r.name
	}
	c.Expected = expected(c.TheRule().Mean)
	if len(c.Ahead) > 0 {
		ahead := ScoreOf(Cell.ByRule, c.Ahead)
		ahead.Rule = fmt.Sprintf("the rule, 7 migrates ahead, m = %d", AheadLevels)
		c.Scores = append(c.Scores, ahead)
	}
	return c, nil
}

// regimes returns the regimes that have cells that are judged, linked before chunked and by n. There is none in a table
// without any of the cells that give the costs of steps: it was not measured for this.
func regimes(t *results.Table) (all []*Regime) {
	if !slices.ContainsFunc(t.Keys, func(k results.Key) bool { return InGrid(k) && !Judged(k) }) {
		return nil
	}
	known := map[Regime]bool{}
	for _, k := range t.Keys {
		form, scheme := formOf(k)
		r := Regime{Form: form, N: t.Cell(k).Spec.N}
		if scheme == 7 && Judged(k) && r.N > 0 && !known[r] {
			known[r] = true
			all = append(all, &r)
		}
	}
	slices.SortFunc(all, func(a, b *Regime) int { return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.N, b.N)) })
	return all
}

// Judged reports whether a cell is in the grid and not of those that give the costs of steps.
func Judged(k results.Key) bool { return InGrid(k) && k.Dist != StepDist.String() }

func (c *Choice) livesOf(s workload.Spec) []workload.Life {
	s.Ticks, s.Seed = 0, 0
	if _, ok := c.lives[s]; !ok {
		c.lives[s] = s.Lives()
	}
	return c.lives[s]
}

// judge adds the cells of a regime.
func (c *Choice) judge(r *Regime) error {
	t, codes := c.table, map[string]bool{}
	for _, k := range t.Keys {
		if r.has(k, 6) || r.has(k, 7) {
			codes[t.CodeOf(k)] = true
		}
	}
	if len(codes) > 1 {
		return fmt.Errorf("measured with code of %d versions (use files of one code)", len(codes))
	}
	c.measureSteps(r)
	var judged []Cell
	divided := 0
	for _, k := range t.Keys {
		if !r.has(k, 7) || k.Dist == StepDist.String() {
			continue
		}
		cell, err := c.judgeCell(r, k)
		switch {
		case errors.Is(err, results.ErrNoSamples): // scheme 6 was not measured there
		case err != nil:
			return err
		case odd(cell.Levels):
			divided++
		case !cell.steady():
			c.Refused = append(c.Refused, fmt.Sprintf("%s: %.4f migrations counted, %.4f in the steady state", k,
				cell.Migrated, cell.Migrations))
		default:
			judged = append(judged, cell)
			r.Decided += min(1, int(cell.Winner))
			if ahead, err := c.aheadOf(cell); err == nil {
				c.Ahead = append(c.Ahead, ahead)
			}
		}
	}
	if divided > 0 {
		c.Refused = append(c.Refused, fmt.Sprintf("%s, n = %s: %d cells with wheels that are no powers of two, where each START divides",
			r.Form, workload.Count(r.N).String(), divided))
	}
	if len(judged) == 0 {
		return fmt.Errorf("no cells of a dist other than %s that both have: %w", StepDist, ErrNotMeasured)
	}
	r.Cells = len(judged)
	c.Regimes, c.Cells = append(c.Regimes, r), append(c.Cells, judged...)
	return nil
}

// judgeCell compares the schemes in scheme 7's cell k and the cell of scheme 6 on the same workload.
func (c *Choice) judgeCell(r *Regime, k results.Key) (cell Cell, err error) {
	t := c.table
	six, _ := SixOf(k)
	cell = Cell{Cell: t.Cell(k), Regime: r, six: six}
	if cell.Spec.N < 1 || cell.Spec.T < 1 || cell.Slots < 1 || len(cell.Levels) == 0 {
		return cell, fmt.Errorf("benchmark %s: n, T, M or m is missing or 0", k)
	}
	if cell.Ratio, err = t.Ratio(six, k, units.NsPerOp); err != nil {
		return cell, err
	}
	cell.Winner = winner(cell.Ratio)
	cell.Six, _ = t.Median(six, units.NsPerOp)
	cell.Seven, _ = t.Median(k, units.NsPerOp)
	lives := c.livesOf(cell.Spec)
	w := workload.NumbersOf(1, lives)
	cell.J, cell.Migrations = w.Interval, cost.Migrations7(lives, cell.Levels)
	visits, errVisits := t.Count(six, units.VisitsPerOp)
	cell.Visits = visits - w.Expired
	cell.Migrated, err = t.Count(k, units.MigrationsPerOp)
	return cell, cmp.Or(errVisits, err)
}

// aheadOf returns the cell with the time of hierarchical-ahead, at the same M, in place of scheme 7's. The error is
// results.ErrNoSamples if that was not measured, as with other than four wheels.
func (c *Choice) aheadOf(cell Cell) (ahead Cell, err error) {
	k, info := cell.Key, &hierarchical.Ahead
	if cell.Form == Chunked {
		info = &hierarchical.AheadChunked
	}
	k.Scheme, k.Rest = info.Name, AheadSet
	k.Levels = workload.Levels(cost.Levels(info, cell.Slots, len(cell.Levels))).String()
	if cell.Ratio, err = c.table.Ratio(cell.six, k, units.NsPerOp); err != nil {
		return cell, err
	}
	cell.Winner = winner(cell.Ratio)
	cell.Seven, err = c.table.Median(k, units.NsPerOp)
	return cell, err
}

// Tolerance returns how far the migrations of a timer that were counted may be from the steady state's: a share of them,
// or so few that they cost less than a twentieth of a nanosecond.
func Tolerance(migrations float64) float64 { return max(0.02*migrations, 0.01) }

// steady reports whether the run was long enough for every wheel that intervals reach to make whole revolutions, or
// many: then scheme 7 has migrated as often as in the long run, in a shorter one less often. Arrays also migrate
// stopped timers that they still hold.
func (c Cell) steady() bool { return c.Migrated >= c.Migrations-Tolerance(c.Migrations) }
