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

	"timerlab/harness/pick"
	"timerlab/harness/results"
)

// Pick is the page of a recommendation.
type Pick struct {
	Version  int    `json:"version"`
	Sentence string `json:"recommendation"`
	pick.Recommendation
	Code    string `json:"code,omitempty"` // a Go program that uses the best candidate
	Command string `json:"command"`        // which made the recommendation
	Verbose bool   `json:"-"`              // with all details and all rejected candidates
}

// NewPick returns the page of a recommendation that a command made.
func NewPick(r pick.Recommendation, command string, verbose bool) Pick {
	p := Pick{Version: JSONVersion, Sentence: sentence(r), Recommendation: r, Command: command, Verbose: verbose}
	if best := p.Best(); best != nil {
		p.Code = pick.Snippet(best.Subject, r.Workload)
	}
	return p
}

//go:embed pick.tmpl
var pickText string

var pickTemplate = template.Must(template.New("pick").Funcs(template.FuncMap{
	"ns": results.FormatNanos, "percent": results.FormatPercent, "number": results.FormatNumber,
	"count":  func(n int) string { return results.FormatCount(uint64(n)) },
	"bytes":  func(n int64) string { return results.FormatBytes(float64(n)) },
	"levels": func(radices []int) string { return strings.ReplaceAll(results.Radices(radices), "x", " × ") },
	"word":   numberWord,
}).Parse(pickText))

// Write writes the page in a format. As CSV and Markdown it is the ranking alone.
func (p Pick) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return WriteJSON(w, p)
	case CSV, Markdown:
		return p.ranking().Write(w, f)
	}
	return pickTemplate.Execute(w, p)
}

// sentence returns the recommendation in a sentence.
func sentence(r pick.Recommendation) string {
	var b strings.Builder
	if err := pickTemplate.ExecuteTemplate(&b, "sentence", r); err != nil {
		panic(err) // which a test excludes
	}
	return b.String()
}

// numberWord spells a number up to ten.
func numberWord(n int) string {
	words := strings.Fields("zero one two three four five six seven eight nine ten")
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}

// ranking is the table of the candidates that stayed in the race.
func (p Pick) ranking() *Table {
	t := NewTable("rank", "scheme and sizes", "ns/timer", "vs best", "CPU %", "MiB", "tick p99.9", "tick max")
	for _, c := range p.Results {
		rank := Cell{Text: fmt.Sprint(c.Rank), Value: c.Rank}
		switch {
		case c.Rank == 0:
			continue
		case c.Rank == 1 && len(p.Winners()) > 1:
			rank.Text = "tie"
		}
		ratio := Cell{Text: results.FormatRatio(c.Ratio.Median), Value: c.Ratio}
		t.Add(rank, c.Subject.String(), number(c.Life.Median), ratio, number(100*c.CPU),
			number(float64(c.Bytes)/(1<<20)), tickTime(c, c.P999), tickTime(c, c.Worst))
	}
	return t
}

func number(v float64) Cell { return Cell{Text: results.FormatNumber(v), Value: v} }

// tickTime is the cell of a time of PerTick, if its times were measured.
func tickTime(c pick.Result, d time.Duration) Cell {
	if c.Worst == 0 {
		return None("")
	}
	return Cell{Text: results.FormatDuration(d), Value: int64(d)}
}

// Ranking returns the ranking as text.
func (p Pick) Ranking() (string, error) { return asText(p.ranking()) }

func asText(t *Table) (string, error) {
	var b strings.Builder
	err := t.Write(&b, Text)
	return b.String(), err
}

// Details returns the intervals, predictions and counts of the ranking as text, if the page
// has them.
func (p Pick) Details() (string, error) {
	if !p.Verbose {
		return "", nil
	}
	t := NewTable("scheme and sizes", "ns/timer, 95 %", "quartile", "vs best, 95 %", "predicted", "tick p50",
		"visits", "migrations", "compares")
	for _, c := range p.Results {
		if n := c.PerTimer; c.Rank > 0 {
			t.Add(c.Subject.String(), Interval(c.Life, results.FormatNumber), number(c.Quartile),
				Interval(c.Ratio, results.FormatRatio), number(c.Predicted), tickTime(c, c.P50),
				number(n.Visits), number(n.Migrations), number(n.Compares))
		}
	}
	return asText(t)
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
	won := slices.Clone(p.Winners())
	if len(won) < 2 {
		return ""
	}
	small := slices.MinFunc(won, func(a, b pick.Result) int { return cmp.Compare(a.Bytes, b.Bytes) })
	text := fmt.Sprintf("Of those that tie, %v takes the least memory (%s)",
		small.Subject, results.FormatBytes(float64(small.Bytes)))
	timed := slices.DeleteFunc(won, func(c pick.Result) bool { return c.Worst == 0 })
	if len(timed) == 0 {
		return text + "."
	}
	short := slices.MinFunc(timed, func(a, b pick.Result) int { return cmp.Compare(a.Worst, b.Worst) })
	which := short.Subject.String() + " "
	if short.Subject.String() == small.Subject.String() {
		which = ""
	}
	return fmt.Sprintf("%s, and %shas the shortest worst tick (%s).", text, which, results.FormatDuration(short.Worst))
}

// RejectedLines returns the rejected candidates with the reasons, those first that raced.
func (p Pick) RejectedLines() (lines []string) {
	const few = 5
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

// CalibrationAge returns how old the cost model is, if the page shows it.
func (p Pick) CalibrationAge() string {
	if !p.Verbose || p.Model.Saved.IsZero() {
		return ""
	}
	return results.FormatDuration(time.Since(p.Model.Saved))
}

// Ticks returns a number of ticks with its time.
func (p Pick) Ticks(ticks float64) string {
	return fmt.Sprintf("%s (%s ticks)", results.FormatNanos(ticks*p.TickNs()), results.FormatNumber(ticks))
}

// The workload's numbers in other units and types.
func (p Pick) TickNs() float64          { return float64(p.Workload.Tick) }
func (p Pick) StartsPerSecond() float64 { return p.Workload.PerSecond(p.Workload.Rate) }
func (p Pick) Longest() float64         { return float64(p.Workload.Longest) }
