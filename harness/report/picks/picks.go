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

	"gonum.org/v1/gonum/floats"

	"timerlab/harness/pick"
	"timerlab/harness/report"
	"timerlab/harness/results"
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
	Woken Share   `json:"woken"`           // in a program that wakes up for its operations only
	Awake *Share  `json:"awake,omitempty"` // in one that wakes up each millisecond anyway; nil: not measured
	Kept  float64 `json:"kept_up"`         // lives that ended over those that should have; less than 1 if a goroutine falls behind
	Ticks float64 `json:"ticks_cpu"`       // share of a core of a loop's ticks alone, if a longer tick would do; else 0
}

// Share is a share of a core: the median of the parts of the time, the least, the most, and all, in turn.
type Share struct {
	CPU   float64   `json:"cpu"`
	Low   float64   `json:"cpu_low"`
	High  float64   `json:"cpu_high"`
	Parts []float64 `json:"parts"`
}

// NewShare returns the share of these parts of the time.
func NewShare(parts ...float64) Share {
	return Share{results.Median(parts), slices.Min(parts), slices.Max(parts), parts}
}

// over returns how much more a share is than another one, in the same parts of the time.
func (s Share) over(other Share) Share {
	return NewShare(floats.SubTo(make([]float64, len(s.Parts)), s.Parts, other.Parts)...)
}

// clear returns the share if it is above 0 in all parts, else 0.
func (s Share) clear() float64 {
	if s.Low > 0 {
		return s.CPU
	}
	return 0
}

// String returns the median, the least and the most, in percent.
func (s Share) String() string {
	percent := func(share float64) string { return units.FormatNumber(100 * share) }
	return fmt.Sprintf("%s (%s to %s)", percent(s.CPU), percent(s.Low), percent(s.High))
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
	Std, Loop  Service
	Least      Service // saves most, but for the loop, in a program that is woken, if that is worth it; else it has the least memory
	Saves      Share   // of a core, by it
	Awake      Service // saves most, but for the loop, in a program that is awake
	AwakeSaves Share   // by it, there
	Advised    Service // Least if it is worth it, else Std
	LoopSaves  Share   // by the loop, of what that takes
	Bytes      int64   // saved by Least; 0 if that is less than a tenth, or less than 1 MiB
	Tick       time.Duration
	LongTick   time.Duration
	TickSaves  float64 // of a core, by LongTick in the loop, at most
}

const (
	worth  = 0.01 // of a core
	keptUp = 0.95 // of the lives: with fewer, a goroutine is behind, as chance changes their number by less
	busy   = 0.5  // of a core: with less, it is behind for another reason
)

func changeOf(services []Service, tick time.Duration) change {
	last := len(services) - 1
	c := change{Std: services[0], Loop: services[last], Tick: tick, LongTick: 10 * tick}
	woken := func(s Service) Share { return c.Std.Woken.over(s.Woken) }
	awake := func(s Service) Share { return c.Std.Awake.over(*s.Awake) }
	most := func(saves func(Service) Share) Service {
		return slices.MaxFunc(services[:last], func(a, b Service) int { return cmp.Compare(saves(a).clear(), saves(b).clear()) })
	}
	c.Least, c.Awake = most(woken), most(awake)
	c.Saves, c.AwakeSaves = woken(c.Least), awake(c.Awake)
	if c.Advised = c.Least; !c.Worth() {
		c.Advised = c.Std
		c.Least = slices.MinFunc(services[:last], func(a, b Service) int {
			return cmp.Or(cmp.Compare(min(b.Bytes, 1), min(a.Bytes, 1)), cmp.Compare(a.Bytes, b.Bytes)) // 0 is unknown
		})
	}
	c.LoopSaves = c.Advised.Woken.over(c.Loop.Woken)
	if saved := c.Std.Bytes - c.Least.Bytes; c.Least.Bytes > 0 && saved >= max(1<<20, c.Std.Bytes/10) {
		c.Bytes = saved
	}
	c.TickSaves = c.Loop.Ticks * (1 - 1./10)
	return c
}

// Worth reports whether the change saves 1 % of a core.
func (c change) Worth() bool { return c.Saves.clear() >= worth }

// Depends reports whether it does not, or not clearly, in a program that is awake anyway.
func (c change) Depends() bool {
	return c.Worth() && c.Std.Awake.over(*c.Least.Awake).clear() < worth
}

// WorthAwake reports whether a change saves 1 % of a core in a program that is awake anyway.
func (c change) WorthAwake() bool { return c.AwakeSaves.clear() >= worth }

// WorthLoop reports whether a loop saves 1 % of a core more than what is advised. A loop is always awake, so a
// program that is awake anyway is another matter.
func (c change) WorthLoop() bool {
	return c.LoopSaves.clear() >= worth && !c.Depends() && !c.Behind(c.Loop)
}

// Behind reports whether one goroutine, which stops and restarts timers, cannot keep up.
func (c change) Behind(s Service) bool { return s.Kept < keptUp && s.Woken.CPU > busy }

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
			awake = report.Cell{Text: s.Awake.String(), Value: s.Awake}
		}
		t.Add(s.Name, report.Cell{Text: s.Woken.String(), Value: s.Woken}, awake, held)
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
