package pick

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"go/format"
	"math"
	"slices"
	"strings"
	"text/template"
	"time"

	"timerlab/harness/run"
	"timerlab/schemes"
)

//go:embed snippet.tmpl
var snippetText string

var snippetTemplate = template.Must(template.New("snippet").Parse(snippetText))

// Snippet returns a Go program that makes the candidate and uses it for a timer of the
// workload, in a loop of its own, and the timer service for many goroutines.
func Snippet(c run.Subject, w Workload) string {
	fields := []string{fmt.Sprintf("Capacity: %d", w.N)}
	if c.Slots > 0 {
		fields = append(fields, fmt.Sprintf("Slots: %d", c.Slots))
	}
	if len(c.Levels) > 0 {
		fields = append(fields, fmt.Sprintf("Levels: %#v", c.Levels))
	}
	ticks := max(1, schemes.Tick(w.Interval))
	interval := time.Duration(min(ticks, math.MaxInt64/schemes.Tick(w.Tick))) * w.Tick
	_, restarts := specimen(c.Info).(schemes.Restarter)
	var b bytes.Buffer
	err := snippetTemplate.Execute(&b, map[string]any{
		"Name": c.Info.Name, "Fields": strings.Join(fields, ", "), "Restarts": w.Restarted > 0, "Restarter": restarts,
		"Tick": goDuration(w.Tick), "Interval": goDuration(interval), "Ticks": ticks,
	})
	text, formatErr := format.Source(b.Bytes())
	if err := errors.Join(err, formatErr); err != nil {
		panic(err) // which a test excludes
	}
	return string(text)
}

// goDuration returns a Go expression for a duration.
func goDuration(d time.Duration) string {
	units := []time.Duration{time.Hour, time.Minute, time.Second, time.Millisecond, time.Microsecond}
	names := []string{"Hour", "Minute", "Second", "Millisecond", "Microsecond"}
	k := slices.IndexFunc(units, func(unit time.Duration) bool { return d%unit == 0 })
	if k < 0 {
		return fmt.Sprintf("%d * time.Nanosecond", d)
	}
	return fmt.Sprintf("%d * time.%s", d/units[k], names[k])
}
