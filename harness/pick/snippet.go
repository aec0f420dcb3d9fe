package pick

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
	"time"

	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

//go:embed snippet.tmpl
var snippetText string

var snippetTemplate = template.Must(template.New("snippet").Parse(snippetText))

// snippet is what the template reads.
type snippet struct {
	Package, Variable string // of the scheme's Info
	N                 int
	Tick              string // Go expressions
	Intervals, Fields string // "
	Early             string // timers that end before they expire, a tick; "" is none
	Restarts          bool   // most of these are restarted
}

// variants are the variables of schemes whose names do not say them.
var variants = map[string]string{"tree-4ary": "Quaternary"}

// variable returns the package of a scheme and its variable there, by the registry's convention:
// hierarchical-ahead-chunked is hierarchical.AheadChunked.
func variable(name string) (pkg, info string) {
	pkg, rest, _ := strings.Cut(name, "-")
	for word := range strings.SplitSeq(rest, "-") {
		if word != "" {
			info += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return pkg, cmp.Or(variants[name], info, "Info")
}

// Snippet returns a Go program that runs the workload's timers with the candidate on the clock, in a loop of
// its own, and prints what happened.
func Snippet(c run.Subject, w Workload) string {
	fields := []string{"Capacity: n"}
	if c.Slots > 0 {
		fields = append(fields, fmt.Sprintf("Slots: %d", c.Slots))
	}
	if len(c.Levels) > 0 {
		fields = append(fields, fmt.Sprintf("Levels: %#v", c.Levels))
	}
	var intervals []string
	for _, ticks := range w.quantiles(9) {
		intervals = append(intervals, fmt.Sprint(ticks))
	}
	if intervals[0] == intervals[len(intervals)-1] { // all are equal
		intervals = intervals[:1]
	}
	out := snippet{
		N: w.N, Tick: goDuration(w.Tick), Intervals: strings.Join(intervals, ", "), Fields: strings.Join(fields, ", "),
		Restarts: w.Restarted > w.Stopped,
	}
	if perTick := w.Rate * (w.Stopped + w.Restarted); perTick > 0 {
		out.Early = fmt.Sprintf("%.4g", perTick)
	}
	out.Package, out.Variable = variable(c.Info.Name)
	var b bytes.Buffer
	err := snippetTemplate.Execute(&b, out)
	text, formatErr := format.Source(b.Bytes())
	if err := errors.Join(err, formatErr); err != nil {
		panic(err) // which a test excludes
	}
	return string(text)
}

// quantiles returns k intervals of the workload, the medians of as many equal parts of its lives.
func (w Workload) quantiles(k int) (intervals []schemes.Tick) {
	lives := slices.SortedFunc(slices.Values(w.Lives), func(a, b workload.Life) int { return cmp.Compare(a.Interval, b.Interval) })
	below := 0.0
	for _, l := range lives {
		for below += l.Share; len(intervals) < k && below >= (float64(len(intervals))+0.5)/float64(k)-1e-9; {
			intervals = append(intervals, l.Interval)
		}
	}
	return intervals
}

// goDuration returns a Go expression for a duration.
func goDuration(d time.Duration) string {
	if d%time.Millisecond == 0 {
		return fmt.Sprintf("%d * time.Millisecond", d/time.Millisecond)
	}
	return fmt.Sprintf("%d * time.Nanosecond", d)
}
