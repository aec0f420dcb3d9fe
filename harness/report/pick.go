package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"

	"timerlab/harness/figures"
	"timerlab/harness/pick"
	"timerlab/harness/results"
	"timerlab/harness/workload"
)

// Pick is the page of a recommendation.
type Pick struct {
	Version  int    `json:"version"`
	Sentence string `json:"recommendation"`
	Advice   string `json:"advice,omitempty"` // whether it is worth it
	pick.Recommendation
	Services []Service `json:"services,omitempty"`
	Code     string    `json:"code,omitempty"` // a Go program that uses the best candidate
	Command  string    `json:"command"`        // which made the recommendation
	Verbose  bool      `json:"-"`              // with all details and all rejected candidates
}

// Service is what the timers of the workload cost with a timer service.
type Service struct {
	Name    string  `json:"name"`
	Pending int     `json:"pending"`      // timers, when it was measured
	Ns      float64 `json:"ns_per_timer"` // CPU time
	CPU     float64 `json:"cpu"`          // share of a core
}

// NewPick returns the page of a recommendation that a command made. The first of the services is
// what programs use by default.
func NewPick(r pick.Recommendation, services []Service, command string, verbose bool) Pick {
	p := Pick{Version: JSONVersion, Recommendation: r, Services: services, Command: command, Verbose: verbose}
	for i := range p.Services {
		p.Services[i].CPU = p.Services[i].Ns * p.StartsPerSecond() / 1e9
	}
	p.Sentence, p.Advice = p.sentence(), advice(p.Services)
	if best := p.Best(); best != nil {
		p.Code = pick.Snippet(best.Subject, r.Workload)
	}
	return p
}

//go:embed pick.tmpl
var pickText string

var pickTemplate = template.Must(template.New("pick").Funcs(template.FuncMap{
	"ns": results.FormatNanos, "time": func(d time.Duration) string { return results.FormatNanos(float64(d)) },
	"percent": results.FormatPercent, "number": results.FormatNumber,
	"count":  func(n int) string { return workload.Count(n).String() },
	"bytes":  func(n int64) string { return results.FormatBytes(float64(n)) },
	"levels": func(radices []int) string { return strings.ReplaceAll(workload.Levels(radices).String(), "x", " × ") },
}).Parse(pickText))

// Write writes the page in a format. As CSV and Markdown it is the ranking alone.
func (p Pick) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, p)
	case CSV, Markdown:
		return p.Ranking().Write(w, f)
	}
	return pickTemplate.Execute(w, p)
}

// sentence returns the recommendation in a sentence.
func (p Pick) sentence() string {
	var b strings.Builder
	if err := pickTemplate.ExecuteTemplate(&b, "sentence", p); err != nil {
		panic(err) // which a test excludes
	}
	return b.String()
}

const (
	lowCost   = 0.001 // of a core: below it, saving time is not worth a change
	lowSaving = 0.01
)

// advice says what the services cost, and whether a change from the first pays off.
func advice(all []Service) string {
	if len(all) < 2 {
		return ""
	}
	std, ours := all[0], all[1]
	text := fmt.Sprintf("As timer services, for the same timers: %s %s and %s of a core, %s %s and %s.",
		std.Name, results.FormatNanos(std.Ns), results.FormatPercent(std.CPU),
		ours.Name, results.FormatNanos(ours.Ns), results.FormatPercent(ours.CPU))
	saves := std.CPU - ours.CPU
	switch {
	case max(std.CPU, ours.CPU) < lowCost:
		return fmt.Sprintf("%s\nAt your rates everything costs less than 0.1 %% of a core: keep %s.", text, std.Name)
	case saves <= 0:
		return fmt.Sprintf("%s\n%s would save nothing: keep %s.", text, ours.Name, std.Name)
	case saves < lowSaving:
		return fmt.Sprintf("%s\n%s would save less than 1 %% of a core: keep %s.", text, ours.Name, std.Name)
	}
	return fmt.Sprintf("%s\n%s saves %s of a core; a loop of your own, with the scheme above, saves the most.",
		text, ours.Name, results.FormatPercent(saves))
}

// Margin says by how much the best candidate is ahead, or with which it ties.
func (p Pick) Margin() string {
	won := p.Winners()
	switch rest := p.Results[len(won):]; {
	case len(won) == 2:
		return fmt.Sprintf("; a tie with %v", won[1].Subject)
	case len(won) > 2:
		return fmt.Sprintf("; a tie with %v and %d more", won[1].Subject, len(won)-2)
	case p.Rounds == 0 || len(rest) == 0:
		return ""
	case rest[0].Rank > 0:
		ratio := results.FormatRatio(rest[0].Ratio.Median)
		return fmt.Sprintf("; the next, %v, takes %s times as long", rest[0].Subject, ratio)
	}
	return "; all others were far slower"
}

// Ranking is the table of the candidates that stayed in the race.
func (p Pick) Ranking() *Table {
	t := NewTable("rank", "scheme and sizes", "ns/timer", "vs best", "CPU %", "MiB", "tick p50", "tick p99.9")
	for _, c := range p.Results {
		rank := Cell{Text: fmt.Sprint(c.Rank), Value: c.Rank}
		switch {
		case c.Rank == 0:
			continue
		case c.Rank == 1 && len(p.Winners()) > 1:
			rank.Text = "tie"
		}
		t.Add(rank, c.Subject.String(), number(c.Life.Median), Interval(c.Ratio, results.FormatRatio),
			number(100*c.CPU), number(float64(c.Bytes)/(1<<20)), tickTime(c, c.Ticks.P50), tickTime(c, c.Ticks.P999))
	}
	return t
}

func number(v float64) Cell { return Cell{Text: results.FormatNumber(v), Value: v} }

// tickTime is the cell of a time of PerTick, if its times were measured.
func tickTime(c pick.Result, d time.Duration) Cell {
	if c.Ticks.Count == 0 {
		return None("")
	}
	return Cell{Text: results.FormatNanos(float64(d)), Value: int64(d)}
}

// Details is the table of the intervals and counts of the ranking; nil if the page has none.
func (p Pick) Details() *Table {
	if !p.Verbose {
		return nil
	}
	t := NewTable("scheme and sizes", "ns/timer, 95 %", "quartile", "p99.9 from", "to",
		"visits", "migrations", "compares")
	for _, c := range p.Results {
		if n := c.PerTimer; c.Rank > 0 {
			t.Add(c.Subject.String(), Interval(c.Life, results.FormatNumber), number(c.Quartile),
				tickTime(c, c.Ticks.Low), tickTime(c, c.Ticks.High),
				number(n.Visits), number(n.Migrations), number(n.Compares))
		}
	}
	return t
}

// Best returns the best candidate, or nil if there is none.
func (p Pick) Best() *pick.Result {
	if won := p.Winners(); len(won) > 0 {
		return &won[0]
	}
	return nil
}

// TieBreak returns what may decide a tie.
func (p Pick) TieBreak() string {
	won := p.Winners()
	if len(won) < 2 {
		return ""
	}
	small := slices.MinFunc(won, func(a, b pick.Result) int { return cmp.Compare(a.Bytes, b.Bytes) })
	text := fmt.Sprintf("Of those that tie, %v takes the least memory (%s)",
		small.Subject, results.FormatBytes(float64(small.Bytes)))
	short := slices.MinFunc(won, func(a, b pick.Result) int { return cmp.Compare(a.Ticks.High, b.Ticks.High) })
	for _, c := range won {
		if c.Subject.String() != short.Subject.String() && c.Ticks.Low <= short.Ticks.High {
			return text + "."
		}
	}
	return fmt.Sprintf("%s, and the ticks of %v are the shortest (p99.9: %s).",
		text, short.Subject, results.FormatNanos(float64(short.Ticks.P999)))
}

// Unmeasured returns how many candidates were not compared with the best for lack of time.
func (p Pick) Unmeasured() (n int) {
	for _, c := range p.Results {
		if c.NoTime {
			n++
		}
	}
	return n
}

// RejectedLines returns the rejected candidates with the reasons, first those that raced.
func (p Pick) RejectedLines() (lines []string) {
	const few = 3
	for _, c := range p.Results {
		if c.Rank == 0 {
			lines = append(lines, fmt.Sprintf("%v: %s", c.Subject, c.Dropped))
		}
	}
	for _, c := range p.Rejected {
		lines = append(lines, fmt.Sprintf("%v: %s", c.Subject, c.Why))
	}
	if more := len(lines) - few; more > 1 && !p.Verbose {
		lines = append(lines[:few], fmt.Sprintf("and %d more", more))
	}
	return lines
}

// Ticks returns a number of ticks with its time.
func (p Pick) Ticks(ticks float64) string {
	ns := ticks * float64(p.Workload.Tick)
	return fmt.Sprintf("%s (%s ticks)", results.FormatNanos(ns), results.FormatNumber(ticks))
}

// Numbers of the page in other units and types.
func (p Pick) SecondsNs() float64       { return 1e9 * p.Seconds }
func (p Pick) StartsPerSecond() float64 { return p.Workload.PerSecond(p.Workload.Rate) }
func (p Pick) Longest() float64         { return float64(p.Workload.Longest) }

// Figure draws the cost against M, with the best candidate marked.
// Schemes without slots are at M = 1. There must be a best candidate.
func (p Pick) Figure() figures.XY {
	best := p.Best()
	f := figures.XY{
		Frame:  figures.Frame{Title: p.Sentence, Caption: []string{p.caption()}, Command: p.Command},
		XLabel: "slots of all wheels, M (1: a list or tree)", YLabel: "ns/timer",
		X: figures.Axis{Log: true, Unit: figures.Count}, Y: figures.Axis{Log: true, Unit: figures.Nanoseconds},
	}
	for _, c := range p.Results {
		if !(c.Life.Median > 0) { // it did not run to the end
			continue
		}
		name := c.Info.Name
		at := slices.IndexFunc(f.Series, func(s figures.Series) bool { return s.Name == name })
		if at < 0 {
			at, f.Series = len(f.Series), append(f.Series, figures.Series{Name: name, Kind: figures.Measured})
		}
		f.Series[at].Points = append(f.Series[at].Points, Point(slotsAxis(c.Subject), c.Life))
	}
	mark := []figures.Point{{X: slotsAxis(best.Subject), Y: best.Quartile}}
	f.Series = append(f.Series, figures.Series{Name: "the pick", Kind: figures.Measured, Points: mark})
	return f
}

func slotsAxis(c pick.Subject) float64 { return float64(max(1, c.TotalSlots())) }

func (p Pick) caption() string {
	return fmt.Sprintf("%s: n = %s, mean %s. Medians with 95 %% intervals of six rounds or more; "+
		"the pick: its lower quartile, by which candidates are ranked.",
		p.Workload.Source, workload.Count(p.Workload.N).String(), p.Ticks(p.Workload.Residence))
}
