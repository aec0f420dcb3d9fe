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
	"join":     strings.Join,
	"reach":    Reach,
	"variable": Variable,
	"divides":  func(i int) bool { return i%4 == 0 }, // four lives a line
}).Parse(snippetText))

// snippet is what the template reads.
type snippet struct {
	run.Subject
	Workload Workload
	Tick     string // a Go expression
	Lives    []workload.Life
	Ends     []int // levels of the wheels that stop and restart timers; none if nothing does
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

// summary returns at most nine lives for each fate, which have its share and its mean interval and stay: the means of about equal
// parts of its lives, which are sorted by their interval and stay.
func (w Workload) summary() (all []workload.Life) {
	const parts = 9
	lives := slices.SortedFunc(slices.Values(w.Lives), func(a, b workload.Life) int {
		return cmp.Or(cmp.Compare(a.Fate(), b.Fate()), cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Stay, b.Stay))
	})
	total, below := map[workload.Fate]float64{}, 0.0
	for _, l := range lives {
		total[l.Fate()] += l.Share
	}
	var sums [][2]float64 // of the shares times the intervals, and times the stays
	last := -1
	for i, l := range lives {
		if i > 0 && l.Fate() != lives[i-1].Fate() {
			below, last = 0, -1
		}
		part := int(parts * (below + l.Share/2) / total[l.Fate()]) // that its middle is in
		if below += l.Share; part > last {
			all, sums, last = append(all, workload.Life{Restarts: l.Fate() == workload.Restarted}), append(sums, [2]float64{}), part
		}
		k := len(all) - 1
		all[k].Share += l.Share
		sums[k][0], sums[k][1] = sums[k][0]+l.Share*float64(l.Interval), sums[k][1]+l.Share*float64(l.Stay)
		all[k].Stay = max(1, schemes.Tick(math.Round(sums[k][1]/all[k].Share)))
		if all[k].Interval = all[k].Stay; l.Fate() != workload.Expired {
			all[k].Interval = max(all[k].Stay+1, schemes.Tick(math.Round(sums[k][0]/all[k].Share)))
		}
	}
	return all
}
