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

func correct(made map[string]*timings) {
	var tested []*Point
	var chances []float64
	for _, t := range made {
		for _, p := range t.points {
			if p.test != nil {
				tested, chances = append(tested, p), append(chances, p.test.refutes)
			}
		}
	}
	for i, adjusted := range results.Holm(chances) {
		tested[i].test.refutes = adjusted
		tested[i].Why += fmt.Sprintf(", of %d comparisons", len(tested))
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

// A test is what rounds say of a bound: two p-values of signed-rank tests.
type test struct {
	supports float64 // that the ratio is not beyond the bound, where the median is on the claimed side of it
	refutes  float64 // that it is not short of it, where the median is on the other; corrected by Holm
}

// level is the significance level of every test of times.
const level = 0.05

// testOf tests rounds of a ratio against a bound. slack is how far from 1 the ratio of an A/A pair is.
func testOf(ratios []float64, r Relation, bound, slack float64) *test {
	t := &test{1, 1}
	beyond := func(by float64) (logs []float64) { // above 0 where the claim is right, by more than so much
		for _, ratio := range ratios {
			log := math.Log(ratio / bound)
			if r == AtMost {
				log = -log
			}
			logs = append(logs, log-by)
		}
		return logs
	}
	off := math.Abs(math.Log(slack))
	if logs := beyond(off); results.Median(logs) > 0 {
		t.supports = results.SignedRank(logs)
	}
	if logs := beyond(-off); results.Median(logs) < 0 {
		t.refutes = results.SignedRank(logs)
	}
	return t
}

func (t *test) verdict() Verdict {
	switch {
	case t.supports <= level:
		return Holds
	case t.refutes <= level:
		return Fails
	}
	return Undecided
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
			if !made {
				t.lacks(l.relation, "%s of %s", op, strings.Join(append([]string{subject}, l.others...), " and "))
			}
		}
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
	p.Why = fmt.Sprintf("interval: %.0f %%, order statistics of the %s round by round", 100*results.Confidence, of)
	e, _ := t.Paired(k, other, l.unit, value)
	if e.N < results.LeastRounds {
		t.lacks(l.relation, "%s of %s and %s in %d rounds, at least %d needed", l.unit, k, other, e.N, results.LeastRounds)
		return
	}
	p.Measured = Value{e.Median, e.Lo, e.Hi}
	for _, k := range []results.Key{k, other} {
		if len(t.Samples(k, units.ShortLap)) > 0 {
			p.Open = "laps below the clock's limit" // reading the clock is a good part of them
		}
	}
	if l.relation == Report || p.Open != "" {
		return
	}
	pair, ok := t.noise(k, other, l.unit)
	if !ok {
		p.Open = "no A/A pair was measured on this workload"
		return
	}
	p.test = testOf(t.Ratios(k, other, l.unit), l.relation, p.Predicted, pair)
	p.Why += fmt.Sprintf("; verdict: signed ranks of their logarithms, beyond the bound by more than the A/A pair's "+
		"median, %.1f %%; what refutes by Holm's correction", 100*math.Abs(pair-1))
}

// noise returns the median ratio of the A/A pair on the workload of one of two cells that is farther from 1, and
// whether there is a pair.
func (t *timings) noise(over, under results.Key, unit string) (ratio float64, ok bool) {
	for _, k := range []results.Key{under, over} {
		for _, again := range t.onWorkload(k) {
			once, is := again.Control()
			r, err := t.Ratio(again, once, unit)
			if is && err == nil && (!ok || math.Abs(math.Log(r.Median)) > math.Abs(math.Log(ratio))) {
				ratio, ok = r.Median, true
			}
		}
	}
	return ratio, ok
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
