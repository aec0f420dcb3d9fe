package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"timerlab/harness/results/units"
)

// progress shows what runs and how long is left, on standard error: in one line on a terminal, else in a
// line every ten seconds.
type progress struct {
	w          io.Writer
	every      time.Duration // between two lines
	begin, end string        // of a line
	begun      time.Time
	first      int       // the run that was next at begun, more than 0 if a job continues; -1: not yet known
	shown      time.Time // the last line
	deadline   time.Time // at which the job ends, done or not; zero: there is none
}

// lineEvery is the time between two lines of progress in a file.
const lineEvery = 10 * time.Second

func newProgress(cmd *cobra.Command) *progress {
	p := &progress{w: cmd.ErrOrStderr(), every: lineEvery, end: "\n", begun: time.Now(), first: -1, shown: time.Now()}
	if f, ok := p.w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.every, p.begin, p.end, p.shown = 200*time.Millisecond, "\r\033[K", "", time.Time{}
	}
	return p
}

// run is called before each run; none are known while workloads are made. What cannot be written is no reason to stop
// measuring.
func (p *progress) run(run, runs int, what string) {
	if p.first < 0 && runs > 0 {
		p.first = run
	}
	if time.Since(p.shown) < p.every {
		return
	}
	p.shown = time.Now()
	left := ""
	if done := run - p.first; done > 0 && run < runs {
		remaining := time.Since(p.begun) / time.Duration(done) * time.Duration(runs-run)
		if !p.deadline.IsZero() {
			remaining = max(0, min(remaining, time.Until(p.deadline)))
		}
		left = fmt.Sprintf(", about %s left", units.FormatNanos(float64(remaining.Round(time.Second))))
	}
	if p.begin != "" {
		what = what[:min(len(what), 40)] // or the line would break
	}
	if runs > 0 {
		what += fmt.Sprintf(": %d of %d", run, runs)
	}
	fmt.Fprintf(p.w, "%s%s%s%s", p.begin, what, left, p.end)
}

// finish removes the line of a terminal, so that what is printed next stands alone.
func (p *progress) finish() { fmt.Fprint(p.w, p.begin) }
