// Package picks makes the pages about picks: a recommendation for a workload, and the judgement of many.
package picks

import (
	"cmp"
	_ "embed"
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
)

// Page is the page of a recommendation.
type Page struct {
	Version  int    `json:"version"`
	Sentence string `json:"recommendation"`
	Advice   string `json:"advice,omitempty"` // whether it is worth it
	pick.Recommendation
	Services []Service `json:"services,omitempty"`
	Code     string    `json:"code,omitempty"` // a Go program that uses the best candidate
	Command  string    `json:"command"`        // which made the recommendation
	Verbose  bool      `json:"-"`              // with all details and all rejected candidates
	WithCode bool      `json:"-"`              // as text
}

// Service is what the timers of the workload cost with a timer service, at its own rate.
type Service struct {
	Name  string  `json:"name"`
	Bytes int64   `json:"bytes"`           // for all timers; 0: too few were pending to tell
	Woken Use     `json:"woken"`           // in a program that wakes up for its operations only
	Awake *Use    `json:"awake,omitempty"` // in one that wakes up each millisecond anyway; nil: not measured
	Ticks float64 `json:"ticks_cpu"`       // share of a core of a loop's ticks alone, if a longer tick would do; else 0
}

// Use is what a service uses, and what the first of all uses more, in the same turns.
type Use struct {
	Share
	Saves Share `json:"saves"`
}

// Share is a share of a core: the median of the parts of the time, the least, and the most.
type Share struct {
	CPU  float64 `json:"cpu"`
	Low  float64 `json:"cpu_low"`
	High float64 `json:"cpu_high"`
}

// clear returns the share if it is above 0 in all parts, else 0.
func (s Share) clear() float64 {
	if s.Low > 0 {
		return s.CPU
	}
	return 0
}

// cell returns the share in percent.
func (s Share) cell() report.Cell {
	percent := func(share float64) string { return units.FormatNumber(100 * share) }
	return report.Cell{Text: fmt.Sprintf("%s (%s to %s)", percent(s.CPU), percent(s.Low), percent(s.High)), Value: s}
}

// New returns the page of a recommendation that a command made. The first of the services is
// what programs use by default.
func New(r pick.Recommendation, services []Service, command string, verbose bool) Page {
	p := Page{Version: report.JSONVersion, Recommendation: r, Services: services, Command: command, Verbose: verbose}
	p.Sentence = part("sentence", p)
	if len(services) > 1 {
		p.Advice = part("advice", changeOf(services, r.Workload.Tick))
	}
	if best := p.Best(); best != nil {
		p.Code = pick.Snippet(best.Subject, r.Workload)
	}
	return p
}

//go:embed pick.tmpl
var pickText string

var pickTemplate = template.Must(template.New("pick").Funcs(report.Funcs).Funcs(template.FuncMap{
	"time":   func(d time.Duration) string { return units.FormatNanos(float64(d)) },
	"wrap":   wrap,
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

// part executes a template of the page's.
func part(name string, data any) string {
	var b strings.Builder
	if err := pickTemplate.ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // which a test excludes
	}
	return b.String()
}

// Why says what the best candidate does for a timer.
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

// change is what a change from the timer service that programs use by default, the first, is worth. The last of the
// services is a loop of one goroutine.
type change struct {
	Std, Least, Loop Service // Least: the one that saves most, but for the loop, if that is worth it, else with the least memory
	Advised          Service // Least if it is worth it, else Std
	Saves, LoopSaves float64 // of a core: Least over Std, and Loop over the one of them that is advised
	Awake            Service // that saves most in a program that is awake, but for the loop
	AwakeSaves       float64 // Awake over Std, in such a program
	Bytes            int64   // saved by Least; 0 if that is less than a tenth, or less than 1 MiB
	Tick, LongTick   time.Duration
	TickSaves        float64 // of a core, by LongTick in the loop
}

func changeOf(services []Service, tick time.Duration) change {
	last := len(services) - 1
	c := change{Std: services[0], Loop: services[last], Tick: tick, LongTick: 10 * tick}
	c.Least = slices.MaxFunc(services[:last], func(a, b Service) int {
		return cmp.Compare(a.Woken.Saves.clear(), b.Woken.Saves.clear())
	})
	c.Awake = slices.MaxFunc(services[:last], func(a, b Service) int {
		return cmp.Compare(a.Awake.Saves.clear(), b.Awake.Saves.clear())
	})
	c.Saves, c.AwakeSaves, c.LoopSaves = c.Least.Woken.Saves.clear(), c.Awake.Awake.Saves.clear(), c.Loop.Woken.Saves.clear()
	if c.Worth() {
		c.Advised, c.LoopSaves = c.Least, c.LoopSaves-c.Saves
	} else {
		c.Advised = c.Std
		c.Least = slices.MinFunc(services[:last], func(a, b Service) int {
			return cmp.Or(cmp.Compare(min(b.Bytes, 1), min(a.Bytes, 1)), cmp.Compare(a.Bytes, b.Bytes)) // 0 is unknown
		})
	}
	if saved := c.Std.Bytes - c.Least.Bytes; c.Least.Bytes > 0 && saved >= max(1<<20, c.Std.Bytes/10) {
		c.Bytes = saved
	}
	c.TickSaves = c.Loop.Ticks * (1 - 1./10)
	return c
}

const (
	worth    = 0.01 // of a core
	fullCore = 0.9  // from which one goroutine cannot keep up: the collector and other programs need the rest at times
)

// Full reports whether a service takes a whole core.
func (c change) Full(s Service) bool { return s.Woken.CPU > fullCore }

// Worth reports whether the change saves 1 % of a core.
func (c change) Worth() bool { return c.Saves >= worth }

// Depends reports whether it does not, or not clearly, in a program that is awake anyway.
func (c change) Depends() bool { return c.Worth() && c.Least.Awake.Saves.clear() < worth }

// WorthAwake reports whether a change saves 1 % of a core in a program that is awake anyway.
func (c change) WorthAwake() bool { return c.AwakeSaves >= worth }

// ServiceTable is the table of what the timers cost at the workload's rate, the scheme in a loop included.
func (p Page) ServiceTable() *report.Table {
	t := report.NewTable("timers on the clock", "CPU %, woken", "CPU %, awake", "MiB")
	for _, s := range p.Services {
		held := number(float64(s.Bytes) / (1 << 20))
		if s.Bytes == 0 {
			held = report.None("")
		}
		awake := report.None("a loop wakes up by itself")
		if s.Awake != nil {
			awake = s.Awake.cell()
		}
		t.Add(s.Name, s.Woken.cell(), awake, held)
	}
	return t
}

// shortRanking is the number of candidates in the text that is not verbose, which has 30 lines.
const shortRanking = 4

// Ranking is the table of the candidates that stayed in the race.
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

func number(v float64) report.Cell {
	return report.Cell{Text: units.FormatNumber(v), Value: v}
}

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
