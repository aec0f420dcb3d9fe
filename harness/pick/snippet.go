package pick

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"go/format"
	"math"
	"slices"
	"strings"
	"text/template"
	"time"

	"timerlab/harness/results/units"
	"timerlab/harness/run"
	"timerlab/harness/workload"
	"timerlab/schemes"
)

//go:embed snippet.tmpl
var snippetText string

var snippetTemplate = template.Must(template.New("snippet").Funcs(template.FuncMap{
	"join":    strings.Join,
	"divides": func(i int) bool { return i%4 == 0 }, // four lives a line
}).Parse(snippetText))

// snippet is what the template reads.
type snippet struct {
	run.Subject
	Workload    Workload
	Go          []string // the package and the variable of the scheme's Info
	Tick, Reach string   // a Go expression, and what the sizes accept
	Lives       []workload.Life
	Ends        []int // levels of the wheels that stop and restart timers; none if nothing does
}

// Variable returns the package of a scheme and its variable there, by the registry's convention:
// hierarchical-ahead-chunked is hierarchical.AheadChunked.
func Variable(name string) []string {
	pkg, rest, _ := strings.Cut(strings.Replace(name, "4ary", "quaternary", 1), "-") // no identifier begins with a digit
	info := ""
	for word := range strings.SplitSeq(rest, "-") {
		if word != "" {
			info += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return []string{pkg, cmp.Or(info, "Info")}
}

// Reach returns the longest interval that the scheme accepts at its sizes, in ticks and as a time.
func Reach(c run.Subject, tick time.Duration) string {
	ticks := c.Info.Range(c.Config(0))
	ns := float64(ticks) * float64(tick)
	if ns >= math.MaxInt64 { // longer than a time.Duration
		return "any interval"
	}
	return fmt.Sprintf("intervals of up to %s (%s)", units.Plural(uint64(ticks), "tick"), units.FormatNanos(ns))
}

// Snippet returns a Go program that runs the workload's timers with the candidate on the clock, in a loop of
// its own, and prints what happened.
func Snippet(c run.Subject, w Workload) string {
	tick, unit := w.Tick, "Nanosecond"
	if tick%time.Millisecond == 0 {
		tick, unit = tick/time.Millisecond, "Millisecond"
	}
	out := snippet{Subject: c, Workload: w, Tick: fmt.Sprintf("%d * time.%s", tick, unit), Lives: w.summary()}
	out.Go, out.Reach = Variable(c.Info.Name), Reach(c, w.Tick)
	_, restarter := specimen(c.Info).(schemes.Restarter)
	for i, l := range out.Lives {
		out.Lives[i].Restarts = l.Restarts && restarter // else it is stopped and started
		for l.Fate() != workload.Expired && (len(out.Ends) == 0 || schemes.Span(out.Ends) <= l.Stay) {
			out.Ends = append(out.Ends, 256)
		}
	}
	var b bytes.Buffer
	err := snippetTemplate.Execute(&b, out)
	text, formatErr := format.Source(b.Bytes())
	if err := errors.Join(err, formatErr); err != nil {
		panic(err) // which a test excludes
	}
	return string(text)
}

// summary returns at most nine lives for each fate, which have its share and its mean interval and stay: of equal parts by
// interval, and of these by stay.
func (w Workload) summary() (all []workload.Life) {
	const parts = 3
	byInterval := func(a, b workload.Life) int {
		return cmp.Or(cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Stay, b.Stay))
	}
	byStay := func(a, b workload.Life) int { return cmp.Compare(a.Stay, b.Stay) }
	for _, fate := range []workload.Fate{workload.Expired, workload.Stopped, workload.Restarted} {
		lives := slices.DeleteFunc(slices.Clone(w.Lives), func(l workload.Life) bool { return l.Fate() != fate })
		for _, part := range divide(lives, parts, byInterval) {
			for _, lives := range divide(part, parts, byStay) {
				all = append(all, meanLife(lives, fate))
			}
		}
	}
	return all
}

// divide sorts lives and divides them into at most k parts of about equal shares.
func divide(lives []workload.Life, k int, order func(a, b workload.Life) int) (parts [][]workload.Life) {
	slices.SortFunc(lives, order)
	total, below, last := 0.0, 0.0, -1
	for _, l := range lives {
		total += l.Share
	}
	for _, l := range lives {
		part := int(float64(k) * (below + l.Share/2) / total) // that its middle is in
		if below += l.Share; part > last {
			parts, last = append(parts, nil), part
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], l)
	}
	return parts
}

// meanLife returns the life that stands for all of one fate, in whole ticks.
func meanLife(lives []workload.Life, fate workload.Fate) (mean workload.Life) {
	interval, stay := 0.0, 0.0
	for _, l := range lives {
		mean.Share += l.Share
		interval, stay = interval+l.Share*float64(l.Interval), stay+l.Share*float64(l.Stay)
	}
	mean.Stay = max(1, schemes.Tick(math.Round(stay/mean.Share)))
	if mean.Interval = mean.Stay; fate != workload.Expired {
		mean.Interval = max(mean.Stay+1, schemes.Tick(math.Round(interval/mean.Share)))
	}
	mean.Restarts = fate == workload.Restarted
	return mean
}
