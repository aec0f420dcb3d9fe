package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// countLine is a line of Counts in claims.txt: what runs count, and how it must stand to a number or a
// formula. The forms are
//
//	visits/ticks of unordered n=10,300 T=100 warm=200 = n
//	worst visits of hashunsorted oneslot n=2000 T=2048 M=256 = n
//	compares/ended of hashsorted M=1 n=200 T=100 over scheme=ordered = 1
//
// with ± and a slack, and why, at the end. After over is what differs in a second run, whose count the
// first is divided by. worst is the most of a single tick.
type countLine struct {
	measure, against measure
	runs             []runWords
	over             runWords // nil: there is no second run
	relation         Relation
	want, slack      formula
	why              string
}

// measure is one quantity for each of another: those of a batch.
type measure struct {
	text  string // in sentences
	worst bool   // the most of a single tick
	num   counter
	den   quantity // below 0: none
}

// reasons for a slack that several lines have.
var reasons = map[string]string{
	"search-end": "one comparison of n - 1: a search that reaches the list's end saves it",
	"turns":      "a timer of J ticks meets J/M slots' turns, rounded up or down",
	"next-law": "halfway, in logarithms, to the next law: from n to n², n = 256, 1 of a constant, 2 of log n, " +
		"16 of √n",
}

func parseCount(text string) (c countLine, err error) {
	words := strings.Fields(text)
	at := slices.IndexFunc(words, func(w string) bool { return slices.Contains(relations, Relation(w)) })
	if at < 0 || at+1 == len(words) {
		return c, fmt.Errorf("count %q has no relation and number", text)
	}
	left, right := words[:at], words[at+1:]
	c.relation = Relation(words[at])
	if c.want, err = parseFormula(right[0]); err == nil && len(right) > 2 && right[1] == "±" {
		c.slack, err = parseFormula(right[2])
		c.why = strings.Join(right[3:], " ")
		c.why = cmp.Or(reasons[c.why], c.why)
	}
	if over := slices.Index(left, "over"); over >= 0 && err == nil {
		var second []runWords
		if c.against, second, err = parseMeasure(left[over+1:]); err == nil {
			c.over, left = second[0], left[:over]
		}
	}
	if err == nil {
		c.measure, c.runs, err = parseMeasure(left)
	}
	if c.against.text == "" {
		c.against = c.measure
	}
	for i := 0; i < len(c.runs) && err == nil; i++ {
		_, err = c.runs[i].with(c.over).experiment()
	}
	if err == nil && c.measure.text == "" {
		err = fmt.Errorf("nothing is counted")
	}
	if err != nil {
		return c, fmt.Errorf("count %q: %w", text, err)
	}
	return c, nil
}

// parseMeasure parses what is counted, if it is there, and the words of runs.
func parseMeasure(words []string) (m measure, runs []runWords, err error) {
	of := slices.Index(words, "of")
	if of <= 0 || of+1 == len(words) {
		runs, err = parseWords(words)
		return m, runs, err
	}
	num, den, hasDen := strings.Cut(words[of-1], "/")
	m = measure{worst: words[0] == "worst", num: counters[num], den: -1}
	if hasDen {
		named := func(q quantityWords) bool { return q.name == den && q.per != "" }
		m.den = quantity(slices.IndexFunc(quantities[:], named))
	}
	if m.num.count == nil || hasDen == (m.den < 0) || hasDen == m.worst {
		return m, nil, fmt.Errorf("unknown quantity %q", strings.Join(words[:of], " "))
	}
	if m.text = "the most of a tick: " + m.num.noun; hasDen {
		m.text = m.num.noun + " per " + quantities[m.den].per
	}
	runs, err = parseRuns(words[of+1:])
	return m, runs, err
}

// compare makes the runs of a line and its comparisons.
func (l *lab) compare(c countLine) {
	for _, words := range c.runs {
		e, found, total := l.measured(words, c.measure)
		what := c.measure.text + ", " + words.String()
		if c.over != nil {
			other, under, underTotal := l.measured(words.with(c.over), c.against)
			if found = found.over(under); other.spec == e.spec {
				found = exact(total / underTotal) // of the same operations
			}
			what += "; over"
			if c.against.text != c.measure.text {
				what += " " + c.against.text + ","
			}
			what += " " + c.over.String()
		}
		if c.want.of != nil {
			what += "; predicted: " + c.want.text
		}
		why := sampling
		if found.Lo == found.Hi {
			why = isExact
		}
		p := l.add(c.relation, c.want.value(e), found, why, "%s", what)
		if c.why != "" {
			p.about(c.slack.value(e), c.why)
		}
	}
}

// measured makes a run and returns what it measures, and the same without an interval.
func (l *lab) measured(words runWords, m measure) (e experiment, v Value, total float64) {
	e, err := words.experiment()
	l.check(err)
	if m.worst {
		e.tick = func(b batch) { total = max(total, m.num.count(b)) }
		l.run(e)
		return e, exact(total), total
	}
	e.singly = m.num.singly || m.den >= busy
	t := l.run(e)
	sum := t.sum()
	return e, t.ratio(m.num.count, m.den), m.num.count(sum) / sum[m.den]
}
