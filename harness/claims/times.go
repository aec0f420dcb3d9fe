package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"timerlab/harness/choice"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
)

// timed compares times for every claim in the list, not only for the claims that were asked for: Holm's correction, and
// so a verdict, must not depend on which claims are printed. Without a table nothing was measured.
func timed(t *results.Table) map[string]*timings {
	if t == nil {
		t = &results.Table{}
	}
	made := map[string]*timings{}
	judged, err := choice.Judge(t)
	for _, c := range All {
		made[c.ID] = &timings{Table: t, choice: judged, whyNoChoice: err}
		for _, check := range c.timed {
			check(made[c.ID])
		}
	}
	correct(made)
	return made
}

// correct corrects the p-values of all comparisons of times for their number.
func correct(made map[string]*timings) {
	var tested []*Point
	var p []float64
	for _, t := range made {
		for _, point := range t.points {
			if point.Level > 0 {
				tested, p = append(tested, point), append(p, point.refutes)
			}
		}
	}
	for i, adjusted := range results.Holm(p) {
		tested[i].refutes = adjusted
		tested[i].Why += fmt.Sprintf("; what refutes also needs p ≤ %.0f %% by Student's t on their logarithms, with Holm's "+
			"correction for %d comparisons", 100*level, len(tested))
	}
}

// timings reads the times of one claim from raw files. Of missing measurements it keeps the first.
type timings struct {
	*results.Table
	choice      *choice.Choice // of schemes 6 and 7
	whyNoChoice error          // why there is none
	evidence
	missing error // measurement without which the claim does not hold
	note    error // one that was only to be reported
}

// level is the significance level at which comparisons of times refute, all together.
const level = 0.05

// chance returns the p-value that ratios are short of the bound by chance: one-sided, not corrected.
func chance(ratios []float64, r Relation, bound float64) float64 {
	var logs []float64 // below 0 where the claim is wrong
	for _, ratio := range ratios {
		log := math.Log(ratio / bound)
		if r == AtMost {
			log = -log
		}
		logs = append(logs, log)
	}
	return results.StudentT(logs)
}

// lacks keeps that a measurement is missing. What is only reported decides nothing, whether it was measured or not.
func (t *timings) lacks(r Relation, format string, args ...any) {
	first := &t.missing
	if r == Report {
		first = &t.note
	}
	*first = cmp.Or(*first, fmt.Errorf(format+": %w", append(args, choice.ErrNotMeasured)...))
}

// measured reports whether a comparison was measured that decides or, where all are only reported, any.
func (t *timings) measured() bool {
	return slices.ContainsFunc(t.points, func(p *Point) bool {
		return !math.IsNaN(p.Measured.Mean) && (t.missing == nil || p.decides())
	})
}

// line makes the comparisons of a line: of every operation and subject, on every workload that both sides were
// measured on. What is only reported is reported of the most timers.
func (t *timings) line(l *line) {
	first := len(t.points)
	for op := range strings.SplitSeq(l.ops, ",") {
		for _, subject := range l.subjects {
			cells := t.cells(op, subject, l.where)
			if l.relation == Report && len(cells) > 0 {
				cells = cells[len(cells)-1:]
			}
			made := false
			for _, k := range cells {
				for _, other := range t.others(l, k) {
					made = true
					t.compare(l, k, other)
				}
			}
			if !made && l.unit != units.InstrPerOp { // which few files have: without them the claim is judged by the rest
				t.lacks(l.relation, "%s of %s", op, strings.Join(append([]string{subject}, l.others...), " and "))
			}
		}
	}
	if cells := t.points[first:]; l.how == "most" && len(cells) > 0 {
		t.most(cells)
	}
}

// most compares the largest of the ratios of cells, of which each is only reported. The largest is at least as large as
// any, so the largest lower end is one for it; and no larger than all, so the largest upper end is one, and the largest
// p-value. With k cells it holds wrongly in at most k times the cases in which a single one would.
func (t *timings) most(cells []*Point) {
	what, _, _ := strings.Cut(cells[0].What, ", n = ")
	p := t.add(cells[0].Relation, cells[0].Predicted, unknown, cells[0].Why+"; the largest ends of all cells",
		fmt.Sprintf("%s, the largest of %d ratios", what, len(cells)))
	for _, cell := range cells {
		if v := cell.Measured; cell.Level > 0 && p.Level > 0 {
			p.Measured = Value{max(p.Measured.Mean, v.Mean), max(p.Measured.Lo, v.Lo), max(p.Measured.Hi, v.Hi)}
			p.refutes = max(p.refutes, cell.refutes)
		} else if cell.Level > 0 {
			p.Measured, p.Level, p.refutes = v, cell.Level, cell.refutes
		}
		cell.Relation, cell.Level, cell.refutes = Report, 0, 0
	}
}

func (t *timings) compare(l *line, k, other results.Key) {
	against, of, value := "over", "ratios", func(x, y float64) float64 { return x / y }
	if l.how == "net" {
		against, of, value = "less", "differences", func(x, y float64) float64 { return x - y }
	}
	what := k.Op
	if l.unit != units.NsPerOp {
		what += " in " + l.unit
	}
	what += ", " + cmp.Or(k.Scheme, k.Service) + " " + against + " " + cmp.Or(other.Scheme, other.Service)
	for _, field := range [][3]string{{"n", k.N, other.N}, {"T", k.T, other.T}, {"M", k.Slots, other.Slots},
		{"levels", k.Levels, other.Levels}} {
		switch size, otherSize := field[1], field[2]; {
		case size != "" && otherSize != "" && size != otherSize:
			what += fmt.Sprintf(", %s = %s over %s", field[0], size, otherSize)
		case size+otherSize != "":
			what += fmt.Sprintf(", %s = %s", field[0], cmp.Or(size, otherSize))
		}
	}
	p := t.add(l.relation, l.predicted.of(nil), unknown, "", what)
	e, _ := t.Paired(k, other, l.unit, value)
	if l.unit == units.InstrPerOp && e.N > 0 {
		p.Measured, p.Why = exact(e.Median), "counted in valgrind; the same in every run to one in a thousand"
		return
	}
	if e.N < results.LeastRounds {
		t.lacks(l.relation, "%s of %s and %s in %d rounds, at least %d needed", l.unit, k, other, e.N, results.LeastRounds)
		return
	}
	p.Why = intervalOf(e, of)
	p.Measured = Value{e.Median, e.Lo, e.Hi}
	for _, k := range []results.Key{k, other} {
		if len(t.Samples(k, units.ShortLap)) > 0 {
			p.Open = "laps below the clock's limit" // reading the clock is a good part of them
		}
	}
	if p.decides() && p.Open == "" {
		p.Level, p.refutes = e.Level, chance(t.Ratios(k, other, l.unit), l.relation, p.Predicted)
	}
}

// intervalOf says where an interval of a time comes from.
func intervalOf(e results.Estimate, of string) string {
	if !e.Bounded() { // as of ratios to slopes that are not above 0
		return fmt.Sprintf("interval: without end, of the %s in %d rounds", of, e.N)
	}
	return fmt.Sprintf("interval: %.1f %%, order statistics of the %s in %d rounds", 100*e.Level, of, e.N)
}

func (t *timings) onWorkload(k results.Key) (all []results.Key) {
	for _, o := range t.Keys {
		like := o
		like.Scheme, like.Service, like.Slots, like.Levels = k.Scheme, k.Service, k.Slots, k.Levels
		if like == k && (o.Service == "") == (k.Service == "") {
			all = append(all, o)
		}
	}
	return all
}

// cells returns the cells of one operation and subject that have some values, by n.
func (t *timings) cells(op, subject string, where map[string]string) (keys []results.Key) {
	for _, k := range t.Keys {
		if k.Op == op && cmp.Or(k.Scheme, k.Service) == subject && t.has(k, where) {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b results.Key) int { return t.Cell(a).Spec.N - t.Cell(b).Spec.N })
	return keys
}

func (t *timings) has(k results.Key, where map[string]string) bool {
	for key, values := range where {
		value := k.Value(key)
		switch key {
		case "m":
			value = fmt.Sprint(len(t.Cell(k).Levels))
		case "set":
			value = cmp.Or(value, "main")
		case "restart":
			value = cmp.Or(value, "0")
		}
		if !slices.Contains(strings.Split(values, ","), value) {
			return false
		}
	}
	return true
}

// others returns the cells that a cell is compared with: of the other subjects, on its workload but for what the
// second side says: the one with the cell's M if there is one, else any.
func (t *timings) others(l *line, k results.Key) (all []results.Key) {
	like := k
	like.N, like.T = cmp.Or(l.cell["n"], k.N), cmp.Or(l.cell["T"], k.T)
	names := l.others
	if names == nil {
		names = []string{cmp.Or(k.Scheme, k.Service)}
	}
	least := math.Inf(1)
	for _, name := range names {
		var other results.Key
		for _, o := range t.onWorkload(like) {
			if cmp.Or(o.Scheme, o.Service) == name && t.has(o, l.cell) && (other.Op == "" || o.Slots == k.Slots) {
				other = o
			}
		}
		if other.Op == "" {
			continue
		}
		if !l.cheapest {
			all = append(all, other)
		} else if e, err := t.Median(other, l.unit); err == nil && e.Median < least {
			all, least = []results.Key{other}, e.Median
		}
	}
	return all
}

// Own reports whether a cell is of a set of its own, which claims or one table read. Curves and the choice between 6 and
// 7 are drawn from others.
func Own(k results.Key) bool { return k.Value("set") != "" }
