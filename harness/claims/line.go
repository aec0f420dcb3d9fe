package claims

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// A line of Checks in claims.txt, and of the figures in figures.txt, says what is measured, and how it
// must stand to a prediction:
//
//	line = side [ "over" side ] relation prediction [ "±" slack "because" reason ]
//	side = [ measure "of" ] [ subjects ] [ "where" words ]
//
// The second side is what the first is divided by. It is like the first in all that it does not say:
//
//	visits/ticks of hashunsorted where M=256 n=2000 T=64 = n/M
//	worst visits of hashunsorted where oneslot M=256 n=2000 T=2048 = n
//	starting/started of tree where n=65536 T=n warm=3T each=0.5T over where n=256 each=2T ≤ 2 ± 3.65 because next-law
//	compares/ended of ordered where n=4096 T=4096 warm=3T each=2T over tree ≥ 10
//	Start,Stop of ordered,tree where set=claims T=2048 over unordered ≥ 0.8
//	Hold/start-p50-ns of locked-ordered where n=10k over where n=1k ≥ 5
//	net Stop of hashunsorted where set=claims n=2048 over null reported 7
//	most Start of hierarchical where set=main,claims T=1k,2048 over hashunsorted ≥ 1
//
// What is counted has a small letter: one quantity for each of another, by batches of a run made for the
// line; or the worst of a quantity over single ticks, or its standard deviation over its mean. The subjects are
// schemes. The words are the keys in runKeys; where values have commas, each combination is a run.
//
// What is timed has a capital: operations, and after the stroke their unit if it is not ns/op. It is
// read from the cells of raw files that have the words' values, and divided, round by round, by the
// cell of another subject on the same workload. Subjects are schemes or services. With a * the second
// side is the subject that takes the least time; with net it is subtracted instead. With most, of all ratios only the
// largest is compared: the source says that something can be, not that it is everywhere.
//
// The prediction and the slack are expressions in Go's syntax over variables; the slack says how far
// the claim is an approximation.
type line struct {
	measure
	relation  Relation
	predicted expression
	slack     expression // 0: none
	why       string     // of the slack
	against   *measure   // of the second side, if there is one

	runs []runs // of what is counted

	// Of what is timed.
	subjects, others []string          // without others, the second side is of the same subject
	where, cell      map[string]string // values of keys of the two sides
	cheapest         bool
}

type runs struct{ over, under *experiment }

type measure struct {
	how      string // worst, deviation, net, most, or nothing
	num, den int    // of quantities

	ops  string // of a time: operations, with commas; none if it is counted
	unit string
}

// ofTicks are the words for what a quantity is in single ticks, and what they are in sentences.
var ofTicks = map[string]string{
	"worst": "the most of a tick: ", "deviation": "standard deviation over mean of a tick's ",
}

func (m measure) String() string {
	noun := quantities[m.num].noun
	if how, ok := ofTicks[m.how]; ok {
		return how + noun
	}
	return noun + " per " + quantities[m.den].per
}

// reasons for a slack that several lines have.
var reasons = map[string]string{
	"search-end": "one comparison of n - 1: a search that reaches the list's end saves it",
	"next-law": "halfway, in logarithms, to the next law: from n to n², n = 256, 1 of a constant, 2 of log n, " +
		"16 of √n",
}

func parseLines(text string) (all []*line, err error) {
	for text := range strings.SplitSeq(text, ";") {
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			continue
		}
		l := &line{}
		if wrong := l.parse(text); wrong != nil {
			err = errors.Join(err, fmt.Errorf("line %q: %w", text, wrong))
		}
		all = append(all, l)
	}
	return all, err
}

var lineForm = regexp.MustCompile(fmt.Sprintf("^(.*?)(?: over (.*?))? (%s|%s|%s|%s) (.*?)(?: ± (.*) because (.*))?$",
	AtMost, AtLeast, Equal, Report))

func (l *line) parse(text string) (err error) {
	m := lineForm.FindStringSubmatch(text)
	switch {
	case m == nil:
		return fmt.Errorf("no relation and prediction (relations are %s %s %s %s)", AtMost, AtLeast, Equal, Report)
	case strings.Contains(m[4], "±") || strings.Contains(m[4], " because "):
		return errors.New("a slack without a reason, or the reverse (use ± slack because reason)")
	}
	l.relation, l.why = Relation(m[3]), cmp.Or(reasons[m[6]], m[6])
	if l.predicted, err = parseExpression(m[4]); err != nil {
		return err
	}
	if l.slack, err = parseExpression(cmp.Or(m[5], "0")); err != nil {
		return err
	}
	second, err := parseSide(m[2])
	if err != nil {
		return err
	}
	first, err := parseSide(m[1])
	switch {
	case err != nil:
		return err
	case first.measure == nil || first.subjects == "":
		return errors.New("nothing is measured (use measure of subject)")
	}
	l.measure = *first.measure
	if m[2] != "" {
		l.against = cmp.Or(second.measure, first.measure)
	}
	if l.ops != "" {
		return l.setTimes(first, second)
	}
	return l.setRuns(first, second)
}

type side struct {
	measure  *measure
	subjects string
	words    [][2]string // keys and their values
}

func parseSide(text string) (s side, err error) {
	head, words, _ := strings.Cut(" "+text, " where ")
	if measured, subjects, ok := strings.Cut(head, " of "); ok {
		if s.measure, err = parseMeasure(strings.Fields(measured)); err != nil {
			return s, err
		}
		head = subjects
	}
	if s.subjects = strings.TrimSpace(head); strings.Contains(s.subjects, " ") {
		return s, fmt.Errorf("several words %q for the subject (separate subjects by commas)", s.subjects)
	}
	for word := range strings.FieldsSeq(words) {
		key, value, _ := strings.Cut(word, "=")
		s.words = append(s.words, [2]string{key, value})
	}
	return s, nil
}

func parseMeasure(words []string) (*measure, error) {
	m := &measure{}
	if len(words) == 2 {
		m.how, words = words[0], words[1:]
	}
	text := strings.Join(words, " ")
	num, den, stroke := strings.Cut(text, "/")
	if num != "" && strings.ToUpper(num[:1]) == num[:1] {
		m.ops, m.unit = num, cmp.Or(den, units.NsPerOp)
		if !slices.Contains([]string{"", "net", "most"}, m.how) {
			return nil, fmt.Errorf("unknown word %q before a time (have net, most)", m.how)
		}
		return m, nil
	}
	find := func(name string) int {
		return slices.IndexFunc(quantities[:], func(q quantity) bool { return q.name == name })
	}
	m.num, m.den = find(num), find(den)
	_, single := ofTicks[m.how]
	if m.num < 0 || single == stroke || !single && (m.how != "" || m.den < 0 || quantities[m.den].per == "") {
		return nil, fmt.Errorf("unknown quantity %q", strings.TrimSpace(m.how+" "+text))
	}
	return m, nil
}

func (l *line) setRuns(first, second side) error {
	combinations := []map[string]string{{}}
	for _, word := range append([][2]string{{"scheme", first.subjects}}, first.words...) {
		var all []map[string]string
		for _, c := range combinations {
			for value := range strings.SplitSeq(word[1], ",") {
				with := maps.Clone(c)
				with[word[0]] = value
				all = append(all, with)
			}
		}
		combinations = all
	}
	for _, words := range combinations {
		over, err := newExperiment(words)
		if err != nil {
			return err
		}
		r := runs{over: over}
		if l.against != nil {
			var texts []string
			words = maps.Clone(words)
			if second.subjects != "" {
				words["scheme"], texts = second.subjects, []string{second.subjects}
			}
			for _, word := range second.words {
				if words[word[0]] = word[1]; word[0] != "warm" && word[0] != "each" {
					texts = append(texts, word[0]+" = "+word[1])
				}
			}
			if r.under, err = newExperiment(words); err != nil {
				return err
			}
			r.under.text = strings.Join(texts, ", ")
		}
		l.runs = append(l.runs, r)
	}
	return nil
}

// timeKeys are the words of cells, whose values are separated by commas. m is the number of levels; set=main are the
// cells that have no set, and restart=0 the cells without restarts.
var timeKeys = []string{"n", "M", "m", "T", "restart", "set", "g"}

func (l *line) setTimes(first, second side) error {
	if l.against == nil {
		return errors.New("a time that is divided by no other")
	}
	others, cheapest := strings.CutSuffix(second.subjects, "*")
	l.subjects, l.cheapest = strings.Split(first.subjects, ","), cheapest
	if others != "" {
		l.others = strings.Split(others, ",")
	}
	l.where, l.cell = map[string]string{}, map[string]string{}
	for i, values := range []map[string]string{l.where, l.cell} {
		for _, word := range []side{first, second}[i].words {
			if !slices.Contains(timeKeys, word[0]) || word[1] == "" {
				return fmt.Errorf("unknown word %q of a cell (have %s, with values)", word[0],
					strings.Join(timeKeys, ", "))
			}
			values[word[0]] = word[1]
		}
	}
	switch {
	case l.predicted.varies:
		return fmt.Errorf("%q is no number, which times are compared with", l.predicted.text)
	case l.why != "":
		return errors.New("a slack of a time (its interval is compared with the bound itself)")
	case l.how == "most" && l.relation != AtLeast:
		return fmt.Errorf("the most of times %s a bound (use %s)", l.relation, AtLeast)
	}
	return nil
}

// expression is a formula of a run, in Go's syntax. varies says that it has variables.
type expression struct {
	text   string
	of     func(*experiment) float64 // which may be nil if the expression does not vary
	varies bool
}

func parseExpression(text string) (x expression, err error) {
	x.text = strings.TrimSpace(text)
	tree, err := parser.ParseExpr(x.text)
	if err != nil {
		return x, fmt.Errorf("invalid expression %q: %w", x.text, err)
	}
	x.of, err = x.compile(tree)
	return x, err
}

func (x *expression) compile(tree ast.Expr) (of func(*experiment) float64, err error) {
	var name string
	var args []ast.Expr
	switch tree := tree.(type) {
	case *ast.BasicLit:
		v, err := strconv.ParseFloat(tree.Value, 64)
		return func(*experiment) float64 { return v }, err
	case *ast.ParenExpr:
		return x.compile(tree.X)
	case *ast.Ident:
		if of = variables[tree.Name]; of == nil {
			return nil, fmt.Errorf("unknown name %q in %q (have %s)", tree.Name, x.text, keysOf(variables))
		}
		x.varies = true
		return of, nil
	case *ast.CallExpr:
		name, args = fmt.Sprint(tree.Fun), tree.Args
	case *ast.BinaryExpr:
		name, args = tree.Op.String(), []ast.Expr{tree.X, tree.Y}
	default:
		return nil, fmt.Errorf("invalid expression %q (use numbers, names, + - * /, parentheses and functions)", x.text)
	}
	f := functions[name]
	if f == nil {
		return nil, fmt.Errorf("unknown function %q in %q (have %s)", name, x.text, keysOf(functions))
	}
	none := func(*experiment) float64 { return 0 }
	both := []func(*experiment) float64{none, none}
	for i, arg := range args[:min(2, len(args))] {
		if both[i], err = x.compile(arg); err != nil {
			return nil, err
		}
	}
	return func(e *experiment) float64 { return f(both[0](e), both[1](e)) }, nil
}

func keysOf[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

// functions of expressions, the second argument of which is 0 where they have one.
var functions = map[string]func(x, y float64) float64{
	"+":    func(x, y float64) float64 { return x + y },
	"-":    func(x, y float64) float64 { return x - y },
	"*":    func(x, y float64) float64 { return x * y },
	"/":    func(x, y float64) float64 { return x / y },
	"sqrt": func(x, _ float64) float64 { return math.Sqrt(x) },
	"log2": func(x, _ float64) float64 { return math.Log2(x) },
	"pow":  math.Pow,
}

// variables of expressions: a run's numbers in the paper's letters, and the formulas of package cost. J is the mean
// interval, stay the mean stay, and p the share of a list that a START passes.
var variables = map[string]func(*experiment) float64{
	"n": func(e *experiment) float64 { return float64(e.Spec.N) },
	"T": func(e *experiment) float64 { return float64(e.Spec.T) },
	"M": func(e *experiment) float64 { return float64(e.Slots) },
	"m": func(e *experiment) float64 { return float64(len(e.Levels)) },

	"J":         func(e *experiment) float64 { return workload.NumbersOf(1, e.Spec.Lives()).Interval },
	"stay":      func(e *experiment) float64 { return workload.NumbersOf(1, e.Spec.Lives()).MeanStay },
	"p":         func(e *experiment) float64 { return cost.PassedFromHead(e.Spec.Lives()) },
	"compares5": func(e *experiment) float64 { return cost.Compares5(e.Spec.Lives(), e.Spec.N-1, e.Slots) },

	// Of a tick of scheme 6.
	"visits":   func(e *experiment) float64 { return e.rate() * cost.Visits6(e.Spec.Lives(), e.Slots) },
	"expiries": func(e *experiment) float64 { return e.rate() * workload.NumbersOf(1, e.Spec.Lives()).Expired },

	// Of a timer in schemes 6 and 7.
	"wasted":     func(e *experiment) float64 { return cost.Wasted6(e.Spec.Lives(), e.Slots) },
	"migrations": func(e *experiment) float64 { return cost.Migrations7(e.Spec.Lives(), e.Levels) },
	"ahead":      func(e *experiment) float64 { return cost.MigrationsAhead(e.Spec.N, e.Levels) },

	// E[min(J, M)]/M, the share that overflows TEGAS-2's wheel.
	"overflow": func(e *experiment) (share float64) {
		for _, life := range e.Spec.Lives() {
			share += life.Share * min(1, float64(life.Interval)/float64(e.Slots))
		}
		return share
	},
	// The share of timers longer than M, and what a START compares with in a list of them alone.
	"far": func(e *experiment) float64 { return cost.Weight(e.far()) },
	"comparesfar": func(e *experiment) float64 {
		far := e.far()
		return cost.Weight(far) * (e.rate()*workload.NumbersOf(1, far).MeanStay*cost.PassedFromHead(far) + 1)
	},
}

// rate is how many timers start a tick, by Little's law.
func (e *experiment) rate() float64 {
	return float64(e.Spec.N) / workload.NumbersOf(1, e.Spec.Lives()).MeanStay
}

func (e *experiment) far() []workload.Life {
	return cost.Beyond(e.Spec.Lives(), schemes.Tick(e.Slots))
}
