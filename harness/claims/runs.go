package claims

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"timerlab/harness/cost"
	"timerlab/harness/results"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

// experiment is one counted run: a scheme on a workload, warmed up, then cut into
// batches.
type experiment struct {
	scheme string
	cfg    schemes.Config
	spec   workload.Spec // without Ticks and Seed
	warm   schemes.Tick  // ticks before the first batch
	each   schemes.Tick  // ticks of a batch
	singly bool          // run tick by tick, for quantities of single ticks
	tick   func(batch)   // if not nil, called with the counts of every single tick of the batches
}

// name is the run's name, as a benchmark's.
func (e experiment) name() string {
	s := subject(e.scheme, e.cfg.Slots, 1)
	if s.Levels != nil {
		s.Levels = e.cfg.Levels
		s.Slots += s.TotalSlots()
	}
	if e.spec.Every > 1 {
		s.Tag = "/every=" + results.FormatCount(uint64(e.spec.Every))
	}
	s.Tag += fmt.Sprintf("/seed=%d", seed)
	return strings.Replace(run.Name(e.spec, s), "/M=0", "", 1)
}

// runWords are the words of a run in claims.txt, by key.
type runWords map[string]string

// runKeys are the keys. The last two are in ticks or, with T or M at the end, in mean stays or turns; T=n
// is one start a tick. oneslot is a run whose timers all share a slot: equal intervals, started when the
// pointer is at slot 0.
var runKeys = strings.Fields("scheme oneslot n T M m dist stop restart arrivals every warm each")

// parseRuns parses the words of runs of which the first names the schemes: "hashunsorted M=256 n=2000 T=8M".
func parseRuns(words []string) (runs []runWords, err error) {
	return parseWords(append([]string{"scheme=" + words[0]}, words[1:]...))
}

// parseWords parses words of a run. Where values have commas it returns each combination.
func parseWords(words []string) (runs []runWords, err error) {
	runs = []runWords{{}}
	for _, word := range words {
		key, values, _ := strings.Cut(word, "=")
		if !slices.Contains(runKeys, key) {
			return nil, fmt.Errorf("unknown word %q of a run (have %s)", word, strings.Join(runKeys, ", "))
		}
		var all []runWords
		for _, r := range runs {
			for value := range strings.SplitSeq(values, ",") {
				all = append(all, r.with(runWords{key: value}))
			}
		}
		runs = all
	}
	return runs, nil
}

// with returns r with the words of another in place of its own.
func (r runWords) with(other runWords) runWords {
	both := maps.Clone(r)
	maps.Copy(both, other)
	return both
}

// String returns the words that say what the run is of.
func (r runWords) String() string {
	words := []string{}
	for _, key := range runKeys[:len(runKeys)-2] {
		if value, ok := r[key]; ok {
			words = append(words, runTexts.Replace(key+" = "+value))
		}
	}
	return strings.Join(words, ", ")
}

var runTexts = strings.NewReplacer("scheme = ", "", "oneslot = ", "all in one slot", "dist = ", "",
	"stop = 0.9@0.05", "90 % stopped at 5 %", "stop = 0.5@0.5", "half stopped halfway", "stop = 0", "no stops")

// experiment returns the run. Without warm and each it has 2 T, and batches of 4 T and of whole turns.
func (r runWords) experiment() (e experiment, err error) {
	number := func(key string, otherwise schemes.Tick) schemes.Tick {
		text := strings.TrimRight(r[key], "TM")
		unit := map[string]int{"T": int(e.spec.T), "M": e.cfg.Slots, "": 1}[r[key][len(text):]]
		switch {
		case r[key] == "":
			return otherwise
		case text == "n":
			return schemes.Tick(e.spec.N)
		case text == "":
			text = "1"
		}
		x, wrong := strconv.ParseFloat(text, 64)
		err = errors.Join(err, wrong)
		return schemes.Tick(x * float64(unit))
	}
	e.scheme, e.cfg.Slots = r["scheme"], int(number("M", 0))
	e.spec.N = int(number("n", 0))
	e.spec.T, e.spec.Dist = number("T", 0), workload.Exp()
	turn := max(1, number("M", 1))
	each := (max(4*e.spec.T, 8*turn) + turn - 1) / turn * turn
	if _, ok := r["oneslot"]; ok {
		e.spec.Dist, e.spec.Every, each = workload.Const(), turn, e.spec.T
	}
	e.warm, e.each, e.spec.Every = number("warm", 2*e.spec.T), number("each", each), number("every", e.spec.Every)
	return e, errors.Join(err, e.parseShapes(r))
}

// parseShapes sets what of a run is no number.
func (e *experiment) parseShapes(r runWords) (err error) {
	var errs [4]error
	if r["dist"] != "" {
		e.spec.Dist, errs[0] = workload.ParseDist(r["dist"])
	}
	if r["stop"] != "" {
		e.spec.Stop, e.spec.StopAt, errs[1] = results.ParseFraction(r["stop"])
	}
	if r["restart"] != "" {
		e.spec.Restart, e.spec.RestartAt, errs[2] = results.ParseFraction(r["restart"])
	}
	if r["arrivals"] == workload.Poisson.String() {
		e.spec.Arrivals = workload.Poisson
	}
	e.cfg.Levels, errs[3] = results.ParseRadices(r["m"])
	return errors.Join(errs[:]...)
}

// formula is a number, or a number times a named expression of a run.
type formula struct {
	text   string
	factor float64
	of     func(experiment) float64 // nil: the factor alone
}

func parseFormula(text string) (f formula, err error) {
	number, name, ok := strings.Cut(text, "·")
	if !ok {
		number, name = "1", text
	}
	f = formula{text: text, of: formulas[name]}
	if f.of == nil && !ok {
		number = text
	} else if f.of == nil {
		return f, fmt.Errorf("unknown formula %q", name)
	}
	f.factor, err = strconv.ParseFloat(number, 64)
	return f, err
}

func (f formula) value(e experiment) float64 {
	if f.of == nil {
		return f.factor
	}
	return f.factor * f.of(e)
}

// The run's numbers in the paper's letters, and the share p of an ordered list that a start passes.
func (e experiment) n() float64 { return float64(e.spec.N) }
func (e experiment) T() float64 { return float64(e.spec.T) }
func (e experiment) M() float64 { return float64(e.cfg.Slots) }
func (e experiment) m() float64 { return float64(len(e.cfg.Levels)) }
func (e experiment) p() float64 { return cost.PassedFromHead(e.spec.Lives()) }

// formulas are expressions of a run's workload and sizes.
var formulas = map[string]func(experiment) float64{
	"n":           experiment.n,
	"T":           experiment.T,
	"m":           experiment.m,
	"1/M":         func(e experiment) float64 { return 1 / e.M() },
	"n/M":         func(e experiment) float64 { return e.n() / e.M() },
	"T/M":         func(e experiment) float64 { return e.T() / e.M() },
	"n/M+n/2T":    func(e experiment) float64 { return e.n() * (1/e.M() + 0.5/e.T()) },
	"√n":          func(e experiment) float64 { return math.Sqrt(e.n()) },
	"log2n":       func(e experiment) float64 { return math.Log2(e.n()) },
	"(1-1/T)^n":   idle,
	"1-(1-1/T)^n": func(e experiment) float64 { return 1 - idle(e) },
	"p":           experiment.p,
	"1-p":         func(e experiment) float64 { return 1 - e.p() },
	"pn/M":        func(e experiment) float64 { return e.p() * e.n() / e.M() },
	"1/(n-1)":     func(e experiment) float64 { return 1 / (e.n() - 1) },
	"stay":        func(e experiment) float64 { return cost.MeanStay(e.spec.Lives()) },
	"visits": func(e experiment) float64 {
		lives := e.spec.Lives()
		return e.n() / cost.MeanStay(lives) * cost.Visits6(lives, e.cfg.Slots)
	},
	"compares5": func(e experiment) float64 { return cost.Compares5(e.spec.Lives(), e.spec.N-1, e.cfg.Slots) },
	"overflow": func(e experiment) float64 { // E[min(J, M)]/M
		return overflowing(e, func(J, M float64) float64 { return min(J, M) / M })
	},
	"halfway": func(e experiment) float64 { // 0 up to M/2, then (2J - M)/M
		return overflowing(e, func(J, M float64) float64 { return min(1, max(0, 2*J-M)/M) })
	},
	"4+15n/M": func(e experiment) float64 { return cost.PaperPerTick(e.spec.N, e.cfg.Slots) },
	"4+6visits+9expiries": func(e experiment) float64 {
		return cost.PerTick6(e.spec.N, e.cfg.Slots, e.spec.Lives())
	},
}

// idle is the chance that none of n independent timers expires on a tick of the steady state.
func idle(e experiment) float64 { return math.Pow(1-1/e.T(), e.n()) }

// overflowing returns the mean of a share over a run's intervals.
func overflowing(e experiment, share func(J, M float64) float64) (mean float64) {
	for _, life := range e.spec.Lives() {
		mean += life.Share * share(float64(life.Interval), e.M())
	}
	return mean
}
