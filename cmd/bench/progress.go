package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"timerlab/harness/results/units"
)

// progress shows what runs and how long is left, on standard error: as a bar on a
// terminal, else as a line every ten seconds.
type progress struct {
	bar   *progressbar.ProgressBar // nil: lines
	w     io.Writer
	begun time.Time
	first int       // the run that was next at begun, more than 0 if a job continues; -1: not yet known
	shown time.Time // the last line
}

func newProgress(cmd *cobra.Command) *progress {
	w := cmd.ErrOrStderr()
	p := &progress{w: w, begun: time.Now(), first: -1, shown: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions(1,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetElapsedTime(true),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(20),
			progressbar.OptionThrottle(200*time.Millisecond))
	}
	return p
}

// lineEvery is the time between two lines of progress in a file.
const lineEvery = 10 * time.Second

// run is called before each run. What cannot be written is no reason to stop
// measuring.
func (p *progress) run(run, runs int, what string) {
	if p.bar != nil {
		p.bar.ChangeMax(max(runs, 1)) // none are known while workloads are made
		p.bar.Describe(fmt.Sprintf("%-72.72s", what))
		_ = p.bar.Set(run)
		return
	}
	if p.first < 0 && runs > 0 {
		p.first = run
	}
	if time.Since(p.shown) < lineEvery {
		return
	}
	p.shown = time.Now()
	left := ""
	if done := run - p.first; done > 0 && run < runs {
		remaining := time.Since(p.begun) / time.Duration(done) * time.Duration(runs-run)
		left = fmt.Sprintf(", about %s left", units.FormatNanos(float64(remaining.Round(time.Second))))
	}
	fmt.Fprintf(p.w, "%s: %d of %d%s\n", what, run, runs, left)
}

// finish removes the bar, so that what is printed next stands alone.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
