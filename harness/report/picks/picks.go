// Package picks makes the pages about picks: a Page of a recommendation for a workload, with the advice
// on timer services, and a JudgementPage of many. Packages pick and load decide what the pages say.
package picks

import (
	_ "embed"
	"fmt"
	"io"
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
	Services []load.Cost `json:"services,omitempty"`
	Code     string      `json:"code,omitempty"` // a Go program that uses the best candidate
	Command  string      `json:"command"`        // which made the recommendation
	Verbose  bool        `json:"-"`              // with all details and all rejected candidates
	WithCode bool        `json:"-"`              // as text
	Hint     string      `json:"-"`              // how to have what the text leaves out
}

// New returns the page of a recommendation that a command made, and of what the timers cost with services, if that
// was measured.
func New(r pick.Recommendation, costs *load.Costs, command string, verbose bool) Page {
	p := Page{Version: report.JSONVersion, Recommendation: r, Command: command, Verbose: verbose}
	p.Sentence = part("sentence", p)
	if costs != nil {
		p.Services = costs.All()
		p.Advice = part("advice", load.NewChange(*costs))
	}
	if best := p.Best(); best != nil {
		p.Code = pick.Snippet(best.Subject, r.Workload)
	}
	return p
}

//go:embed pick.tmpl
var pickText string

var pickTemplate = template.Must(template.New("pick").Funcs(report.Funcs).Funcs(template.FuncMap{
	"wrap":   wrap,
	"share":  shareText,
	"levels": func(radices []int) string { return strings.ReplaceAll(workload.Levels(radices).String(), "x", " × ") },
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
	return pickTemplate.Execute(w, p)
}

// part executes one of the page's templates.
func part(name string, data any) string {
	var b strings.Builder
	if err := pickTemplate.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // which a test excludes
	}
	return b.String()
}

// Why says what the best candidate does for each timer.
func (p Page) Why() string { return part("why", p) }

// wrap breaks a text into lines of at most 100 columns; only a longer word is longer.
func wrap(text string) string {
	const columns = 100
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

// shareText returns the median, the least and the most of a share, in percent.
func shareText(s load.Share) string {
	percent := func(share float64) string { return units.FormatNumber(100 * share) }
	return fmt.Sprintf("%s (%s to %s)", percent(s.CPU), percent(s.Low), percent(s.High))
}

// ServiceTable returns the table of what the timers cost at the workload's rate, the scheme in a loop included.
func (p Page) ServiceTable() *report.Table {
	t := report.NewTable("timers on the clock", "CPU %, woken", "CPU %, awake", "MiB")
	for _, s := range p.Services {
		awake := report.None("a loop wakes up by itself")
		if s.Awake != nil {
			awake = report.Cell{Text: shareText(*s.Awake), Value: s.Awake}
		}
		t.Add(s.Name, report.Cell{Text: shareText(s.Woken), Value: s.Woken}, awake, number(float64(s.Bytes)/(1<<20)))
	}
	return t
}

// shortRanking is the number of candidates in the text that is not verbose, which has 30 lines.
const shortRanking = 4

// Ranking returns the table of the candidates that stayed in the race.
func (p Page) Ranking() *report.Table {
	t := report.NewTable("rank", "scheme and sizes", "ns/timer", "vs best", "MiB", "tick p50", "tick p99.9")
	for i, c := range p.Results {
		if i == shortRanking && !p.Verbose {
			break
		}
		rank := report.Cell{Text: fmt.Sprint(c.Rank), Value: c.Rank}
		switch {
		case c.Rank == 0:
			continue
		case c.Rank == 1 && len(p.Winners()) > 1:
			rank.Text = "tie"
		}
		t.Add(rank, c.Subject.String(), number(c.Life.Median), report.Interval(c.Ratio, units.FormatRatio),
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

// Best returns the best candidate, or nil if there is none.
func (p Page) Best() *pick.Result {
	if won := p.Winners(); len(won) > 0 {
		return &won[0]
	}
	return nil
}

// Unmeasured returns how many candidates were not compared with the best for lack of time.
func (p Page) Unmeasured() (n int) {
	for _, c := range p.Results {
		if c.NoTime {
			n++
		}
	}
	return n
}

// Ticks returns a number of ticks with its time.
func (p Page) Ticks(ticks float64) string {
	ns := ticks * float64(p.Workload.Tick)
	return fmt.Sprintf("%s (%s ticks)", units.FormatNanos(ns), units.FormatNumber(ticks))
}

// Numbers of the page in other units and types.
func (p Page) SecondsNs() float64 { return 1e9 * p.Seconds }
func (p Page) Longest() float64   { return float64(p.Workload.Longest) }
