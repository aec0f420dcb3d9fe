// Package picks makes the pages about picks: a Page of a recommendation for a workload, with the advice
// on timer services, and a JudgementPage of many. Packages pick and load decide what the pages say.
package picks

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/results/units"
	"timerlab/harness/workload"
	"timerlab/systems/load"
)

// Page is the page of a recommendation.
type Page struct {
	Version  int    `json:"version"`
	Sentence string `json:"recommendation"`
	Advice   string `json:"advice,omitempty"` // whether to leave time.AfterFunc
	pick.Recommendation
	Constructor string       `json:"constructor,omitempty"` // an import and a Go expression
	Services    []load.Cost  `json:"services,omitempty"`
	Turns       int          `json:"turns,omitempty"` // of the services
	Code        string       `json:"code,omitempty"`  // a Go program that uses the best candidate
	Command     string       `json:"command"`         // which made the recommendation
	Longer      string       `json:"-"`               // the command with more time, if the answer may change; else ""
	Verbose     bool         `json:"-"`               // with all details and all rejected candidates
	WithCode    bool         `json:"-"`               // as text
	Best        *pick.Result `json:"-"`               // without a race, by predictions; nil: there is none
	longer      string
	byRatio     []pick.Result // what raced to the end, the fastest first
}

// New returns the page of a recommendation that a command made. The command longer has more time.
func New(r pick.Recommendation, command, longer string, verbose bool) Page {
	p := Page{Version: report.JSONVersion, Recommendation: r, Command: command, longer: longer, Verbose: verbose}
	p.byRatio = slices.DeleteFunc(slices.Clone(r.Results), func(c pick.Result) bool { return c.Rank == 0 || c.Ratio.N == 0 })
	slices.SortStableFunc(p.byRatio, func(a, b pick.Result) int { return cmp.Compare(a.Ratio.Median, b.Ratio.Median) })
	best := slices.IndexFunc(r.Results, func(c pick.Result) bool {
		return c.Rank == 1 || len(p.byRatio) == 0 && c.Dropped == "" && c.Predicted > 0
	})
	if best >= 0 {
		p.Best = &r.Results[best]
		p.Code = pick.Snippet(p.Best.Subject, r.Workload)
		if !r.Sure && !r.Partial && r.Workload.Longest > 1 {
			p.Longer = longer
		}
	}
	p.Sentence = part("sentence", p)
	return p
}

// Add adds what the timers cost with services to the page: a part of it, if that was interrupted.
func (p *Page) Add(costs load.Costs, interrupted bool) {
	p.Services, p.Turns, p.Advice = costs.All(), costs.Turns, part("advice", load.NewChange(costs))
	if interrupted {
		p.Advice = "Partial result of interrupted measurements. " + p.Advice
	} else if strings.Contains(p.Advice, shaky) {
		p.Longer = p.longer
	}
	for _, s := range [][2]string{{"stored time", "in systems/example_test.go"}, {"sharded", "sharded.New(sharded.Options{}) of timerlab/systems/sharded"}} {
		if strings.Contains(p.Advice, s[0]) {
			p.Advice += " (" + s[0] + " is " + s[1] + ".)"
		}
	}
}

const shaky = "may be less in another run" // of a saving, by the advice

//go:embed pick.tmpl
var pickText string

var pickTemplate = template.Must(template.New("pick").Funcs(report.Funcs).Funcs(template.FuncMap{
	"wrap":     func(text string) string { return wrap(text, 100) },
	"command":  command,
	"variable": pick.Variable,
	"share":    shareText,
	"shaky":    func() string { return shaky },
	"percent":  percent,
	"mib":      func(bytes int64) string { return units.FormatNumber(float64(bytes) / (1 << 20)) },
	"reach":    pick.Reach,
	"levels":   func(radices []int) string { return strings.ReplaceAll(workload.Levels(radices).String(), "x", " × ") },
}).Parse(pickText))

// Write writes the page in a format. As CSV and Markdown it is the ranking alone.
func (p Page) Write(w io.Writer, f report.Format) error {
	switch f {
	case report.JSON:
		return report.WriteJSON(w, p)
	case report.CSV, report.Markdown:
		p.Verbose = true
		return p.Ranking().Write(w, f)
	}
	return errors.Join(p.WriteRace(w), p.WriteServices(w))
}

// WriteRace writes the first part of the text, which needs no services.
func (p Page) WriteRace(w io.Writer) error { return pickTemplate.ExecuteTemplate(w, "race", p) }

// WriteServices writes the rest of the text.
func (p Page) WriteServices(w io.Writer) error { return pickTemplate.ExecuteTemplate(w, "services", p) }

// part executes one of the page's templates.
func part(name string, data any) string {
	var b strings.Builder
	if err := pickTemplate.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // which a test excludes
	}
	return b.String()
}

// Paragraphs of the page.
func (p Page) Why() string  { return part("why", p) }
func (p Page) Load() string { return part("load", p) }
func (p Page) Easy() string { return part("easy", p) } // what the services are that need no library

// command returns a label and a command, in lines that a shell joins.
func command(label, text string) string {
	if strings.ContainsAny(text, `'"`) { // in quotes, a line may not end
		return label + " " + text
	}
	return strings.ReplaceAll(wrap(label+" "+text, 98), "\n", " \\\n")
}

// wrap breaks a text into lines of at most some columns; only a longer word is longer.
func wrap(text string, columns int) string {
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= columns {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return strings.Join(lines, "\n")
}

// leastShare is the least that is written as a number: less says nothing but that it is less.
const leastShare = 0.0001

// percent writes a share in percent.
func percent(share float64) string {
	if 0 < share && share < leastShare {
		return "< 0.01 %"
	}
	return units.FormatPercent(share)
}

// shareText returns the median, the least and the most of a share, in percent without the sign.
func shareText(s load.Share) string {
	if s.Low > -leastShare && s.High < leastShare && s.High > 0 {
		return "< 0.01"
	}
	number := func(share float64) string { return strings.TrimSuffix(percent(share), " %") }
	return fmt.Sprintf("%s (%s to %s)", number(s.CPU), number(s.Low), number(s.High))
}

// shortRanking is the number of candidates in the text that is not verbose, which has 30 lines.
const shortRanking = 3

// Ranking returns the table of the candidates that raced to the end, by their ratio to the best. That is measured in the same
// rounds, so that ns/timer, which follows from it, has the same order.
func (p Page) Ranking() *report.Table {
	t := report.NewTable("verdict", "scheme and sizes", "ns/timer", "vs best", "MiB", "tick p50", "tick p99.9")
	for i, c := range p.byRatio {
		verdict := "unclear"
		switch {
		case c.String() == p.Best.String():
			verdict = "use"
		case i >= shortRanking && !p.Verbose:
			continue
		case c.Rank == 1:
			verdict = "tie"
		case c.Ratio.Lo > 1:
			verdict = "slower"
		}
		ratio := report.Interval(c.Ratio, units.FormatRatio)
		if !p.Verbose {
			ratio.Note = "" // the sentence says that rounds are missing
		}
		t.Add(verdict, c.Subject.String(), number(p.Best.Life.Median/p.Best.Ratio.Median*c.Ratio.Median), ratio,
			number(float64(c.Bytes)/(1<<20)), tickTime(c, c.Ticks.P50), tickTime(c, c.Ticks.P999))
	}
	return t
}

func number(v float64) report.Cell { return report.Cell{Text: units.FormatNumber(v), Value: v} }

// tickTime is the cell of a time of PerTick, if its times were measured.
func tickTime(c pick.Result, d time.Duration) report.Cell {
	if c.Ticks.Count == 0 {
		return report.None("")
	}
	return report.Cell{Text: units.FormatNanos(float64(d)), Value: int64(d)}
}

// Tied returns what ties with the best candidate, the fastest first.
func (p Page) Tied() (names []string) {
	for _, c := range p.byRatio {
		if c.Rank == 1 && c.String() != p.Best.String() {
			names = append(names, c.String())
		}
	}
	return names
}

// Next returns the fastest candidate that took longer than the best, or nil.
func (p Page) Next() *pick.Result {
	if i := slices.IndexFunc(p.byRatio, func(c pick.Result) bool { return c.Rank > 1 && c.Ratio.Median >= 1 }); i >= 0 {
		return &p.byRatio[i]
	}
	return nil
}

// Exact returns the fastest exact candidate, with its ratio to the best, or nil.
func (p Page) Exact() *pick.Result {
	for _, c := range p.byRatio {
		if c.Ratio.Median /= p.Best.Ratio.Median; c.Exact() {
			return &c
		}
	}
	return nil
}

// Doubt returns the candidate that may be fastest, if that is clearly faster than the best; else nil.
func (p Page) Doubt() (least *pick.Result) {
	for _, c := range p.byRatio {
		c.Ratio.Lo /= p.Best.Ratio.Median
		other := c.Ratio.Bounded() && c.String() != p.Best.String()
		if other && c.Ratio.Lo < 1/pick.SameCost && (least == nil || c.Ratio.Lo < least.Ratio.Lo) {
			least = &c
		}
	}
	return least
}

// Ticks returns a number of ticks with its time.
func (p Page) Ticks(ticks float64) string {
	text := fmt.Sprintf("%s (%s ticks)", units.FormatNanos(ticks*float64(p.Workload.Tick)), units.FormatNumber(ticks))
	return strings.Replace(text, "(1 ticks)", "(1 tick)", 1)
}

// Numbers of the page, some in other units and types.
func (p Page) SecondsNs() float64 { return 1e9 * p.Seconds }
func (p Page) Longest() float64   { return float64(p.Workload.Longest) }
func (p Page) NotRaced() int      { n, _ := p.Unraced(); return n }
func (p Page) Least() float64     { _, least := p.Unraced(); return least } // predicted cost of one that did not race, vs the best's
