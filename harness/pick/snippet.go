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
	run.Subject
	Workload          Workload
	Package, Variable string         // of the scheme's Info
	Tick              string         // a Go expression
	Intervals         []schemes.Tick // equally likely, the longest last
	Early             string         // timers that end before they expire, a tick; "" is none
}

// variable returns the package of a scheme and its variable there, by the registry's convention:
// hierarchical-ahead-chunked is hierarchical.AheadChunked.
func variable(name string) (pkg, info string) {
	pkg, rest, _ := strings.Cut(strings.Replace(name, "4ary", "quaternary", 1), "-") // no identifier begins with a digit
	for word := range strings.SplitSeq(rest, "-") {
		if word != "" {
			info += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return pkg, cmp.Or(info, "Info")
}

// Snippet returns a Go program that runs the workload's timers with the candidate on the clock, in a loop of
// its own, and prints what happened.
func Snippet(c run.Subject, w Workload) string {
	tick, unit := w.Tick, "Nanosecond"
	if tick%time.Millisecond == 0 {
		tick, unit = tick/time.Millisecond, "Millisecond"
	}
	out := snippet{Subject: c, Workload: w, Tick: fmt.Sprintf("%d * time.%s", tick, unit), Intervals: w.quantiles(9)}
	if out.Intervals[0] == out.Intervals[len(out.Intervals)-1] { // all are equal
		out.Intervals = out.Intervals[:1]
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
	lives := slices.SortedFunc(slices.Values(w.Lives), func(a, b workload.Life) int {
		return cmp.Compare(a.Interval, b.Interval)
	})
	below := 0.0
	for _, l := range lives {
		for below += l.Share; len(intervals) < k && below >= (float64(len(intervals))+0.5)/float64(k)-1e-9; {
			intervals = append(intervals, l.Interval)
		}
	}
	return intervals
}
